import { setTimeout as sleep } from "node:timers/promises";
import type { PushOutcome } from "../core/collection/push-outcome.ts";
import { erpSettings } from "../core/erp-access/credential.ts";
import { endClaim, renewClaim, type Turn } from "../core/gate/claims.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { RELEASE_PAUSES_MS, RETRY } from "../core/gate/retry.ts";
import {
  type BegunPush,
  beginPush,
  claimPush,
  recordPushOutcome,
  releasePush,
} from "../core/payments/receipts/claimed-push.ts";
import type { ClaimedPush } from "../core/payments/receipts/push-queries.ts";
import { attemptPush, outcomeOfError } from "../core/payments/receipts/push-receipt.ts";
import { reasonInWords } from "../core/payments/receipts/reason-in-words.ts";
import { ErpError } from "../gateways/erp/gateway.ts";
import { type Job, jobs } from "../signals.ts";
import { type ErpWait, erpWait, makePlace, sharedPlaces, waitingUnder } from "./erp-wait.ts";
import type { ConnectGateway } from "./pull-invoices.ts";
import { whileLeased } from "./rounds.ts";

interface PushOptions {
  /** How long a worker that says nothing is believed alive; milliseconds. */
  readonly leaseMs?: number;
  /** Four times as many pushes are under way at once, each to another ERP. */
  readonly atOnce?: number;
  /** How long an ERP says nothing until another push may take its place; milliseconds. */
  readonly silentAfterMs?: number;
  /** Claims nothing more. */
  readonly stop?: AbortSignal;
  /** Gives up what is under way: the next worker looks for its receipts. */
  readonly giveUp?: AbortSignal;
}

interface Push {
  readonly claim: ClaimedPush;
  readonly tenantId: string;
  readonly wait: ErpWait;
}

/** Failures of the service's own, in a row, after which a worker leaves what is due to the next poll. */
const MAX_FAILURES = 3;

/**
 * Pushes receipts to their ERPs (completions §7) until none is due, several at once. Answers how many attempts were made.
 */
export async function pushReceipts(core: Core, connect: ConnectGateway, options: PushOptions = {}) {
  const { atOnce = 4 } = options;
  const push = pushesOf(core, connect, options);
  const attempts = await Promise.all(Array.from({ length: atOnce }, push));
  return attempts.reduce((total, one) => total + one, 0);
}

/**
 * One worker's pushes, until none is due that it may take: all workers share places as {@link sharedPlaces} says. What
 * fails is written down and is due again later, or waits for a person; what the service itself fails at is released at once, for
 * its ERP takes no other push meanwhile, and tried again soon. Answers how many attempts were made.
 */
export function pushesOf(core: Core, connect: ConnectGateway, options: PushOptions = {}): () => Promise<number> {
  const { leaseMs = 20_000, atOnce = 4, silentAfterMs = 15_000, stop = NEVER, giveUp = NEVER } = options;
  const places = { slots: atOnce, silentAfterMs };
  const underWay = new Set<Push>();
  // One claim after the other, for each looks at what the one before took.
  let claiming: Promise<unknown> = Promise.resolve();
  function claim(turn: Turn): Promise<Push | undefined> {
    const claimed = claiming.then(async () => {
      const { free, most, tenants } = sharedPlaces([...underWay], places);
      if (free === 0) return undefined;
      const byTenant = Map.groupBy(tenants, (tenantId) => tenantId);
      const except = [...byTenant].filter(([, own]) => own.length >= most).map(([tenantId]) => tenantId);
      const claim = await claimPush(core, leaseMs, { turn, except });
      if (claim === undefined) return undefined;
      const push = { claim, tenantId: claim.tenant_id, wait: erpWait() };
      underWay.add(push);
      makePlace([...underWay], places);
      return push;
    });
    claiming = claimed.catch(() => undefined);
    return claimed;
  }

  async function attempt(push: Push) {
    const told: Job = { job: "push_receipt", kind: "piece", outcome: "ok" };
    await jobs
      .during(told, async () => {
        told.outcome = await work(core, waitingUnder(push.wait, connect), push.claim, { leaseMs, giveUp });
      })
      .finally(() => underWay.delete(push));
  }

  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: AbortSignal.any([stop, giveUp]) }).catch(() => undefined);

  return async () => {
    let attempts = 0;
    const turn: Turn = { after: null };
    for (let failures = 0; !stop.aborted && !giveUp.aborted; ) {
      let push: Push | undefined;
      try {
        push = await claim(turn);
        if (push === undefined) return attempts;
        attempts += 1;
        await attempt(push);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (push === undefined && failures >= MAX_FAILURES) throw error;
        core.log.error({ ...(push && fieldsOf(push.claim)), err: error }, "receipt.push.interrupted");
        if (push !== undefined) await release(core, push.claim);
        if (failures >= MAX_FAILURES) return attempts;
        await pause(RETRY.push.pausesMs[0] + 50);
      }
    }
    return attempts;
  };
}

const NEVER = new AbortController().signal;

/** Never rejects. */
async function release(core: Core, push: ClaimedPush) {
  for (const pause of RELEASE_PAUSES_MS) {
    if (pause > 0) await sleep(pause);
    try {
      await releasePush(core, push.claim_id);
      return;
    } catch (error) {
      core.log.warn({ ...fieldsOf(push), err: error }, "receipt.push.release_failed");
    }
  }
}

/** Answers the receipt's outcome. */
async function work(
  core: Core,
  connect: ConnectGateway,
  push: ClaimedPush,
  { leaseMs, giveUp }: { leaseMs: number; giveUp: AbortSignal },
) {
  if (giveUp.aborted) {
    await endClaim(core, "payments", push);
    return "interrupted";
  }
  const begun = await beginPush(core, push.tenant_id, push);
  if (begun === null) return "lost";
  const lease = {
    leaseMs,
    renew: () => renewClaim(core, "payments", push, leaseMs),
    failed: (error: unknown) => core.log.warn({ ...fieldsOf(push), err: error }, "receipt.push.lease.not_renewed"),
  };
  return whileLeased(lease, async (lost) => {
    const outcome = await outcomeOf(core, connect, push, begun, AbortSignal.any([giveUp, lost]));
    if (outcome === null) {
      // The next worker to claim the push looks for the receipt.
      await endClaim(core, "payments", push);
      return "interrupted";
    }
    if (!(await recordPushOutcome(core, push.tenant_id, { push, begun, outcome }))) return "lost";
    tell(core, push, outcome);
    return outcome.status;
  });
}

/** Null when it was given up. */
async function outcomeOf(
  core: Core,
  connect: ConnectGateway,
  push: ClaimedPush,
  begun: BegunPush,
  signal: AbortSignal,
): Promise<PushOutcome | null> {
  let { mayHaveArrived } = begun;
  try {
    const gateway = connect(begun.provider, erpSettings(core, begun));
    mayHaveArrived = true;
    return await attemptPush(gateway, begun, { signal });
  } catch (error) {
    if (signal.aborted) return null;
    core.log.error({ ...fieldsOf(push), err: error }, "receipt.push.error");
    const unexpected = error instanceof ErpError ? error : new ErpError("erp_rejected", { code: "unexpected" });
    return outcomeOfError({ ...begun, mayHaveArrived }, unexpected);
  }
}

/** The ERP's words stand in the log whole. */
function tell(core: Core, push: ClaimedPush, { status, error, erpMessage, contact, retry }: PushOutcome) {
  const fields = { ...fieldsOf(push), status, contact };
  if (error === null) core.log.info(fields, "receipt.push.succeeded");
  else core.log.warn({ ...fields, reason: reasonInWords(error), erpMessage, retry }, "receipt.push.failed");
}

function fieldsOf({ tenant_id: tenantId, payment_id: paymentId }: ClaimedPush) {
  return { tenantId, paymentId };
}
