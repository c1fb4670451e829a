import type { Core } from "../core/core.ts";
import { attemptPush, outcomeOfError } from "../core/payments/push-attempt.ts";
import type { PushOutcome } from "../core/payments/push-outcome.ts";
import type { ClaimedPush } from "../core/payments/push-queries.ts";
import {
  abandonPush,
  type BegunPush,
  beginPush,
  claimPush,
  renewPush,
  settlePush,
} from "../core/payments/push-receipt.ts";
import { ErpError } from "../gateways/erp/gateway.ts";
import { type Job, jobs } from "../signals.ts";
import { committed } from "./committed.ts";
import type { ConnectGateway } from "./pull-invoices.ts";

interface PushOptions {
  /** How long a worker that says nothing is believed alive; milliseconds. */
  readonly leaseMs?: number;
  /** Pushes under way at once, each to another ERP. */
  readonly atOnce?: number;
  /** Takes up nothing more. */
  readonly stop?: AbortSignal;
  /** Gives up what is under way: whoever comes next looks for its receipts. */
  readonly giveUp?: AbortSignal;
}

/**
 * Pushes receipts to their ERPs (completions §7) until none is due. What fails is written down and is due again later, or
 * waits for a person. Answers how many attempts were made.
 */
export async function pushReceipts(core: Core, connect: ConnectGateway, options: PushOptions = {}): Promise<number> {
  const { leaseMs = 20_000, atOnce = 4, stop = NEVER, giveUp = NEVER } = options;
  async function inTurn(): Promise<number> {
    for (let attempts = 0; ; attempts += 1) {
      const push = stop.aborted || giveUp.aborted ? undefined : await claimPush(core, leaseMs);
      if (push === undefined) return attempts;
      const told: Job = { job: "push_receipt", kind: "piece", outcome: "ok" };
      const worked = jobs.during(told, async () => {
        told.outcome = await work(core, connect, push, { leaseMs, giveUp });
      });
      // The claim runs out by itself, and another worker looks for the receipt.
      await worked.catch((error: unknown) =>
        core.log.error({ ...fieldsOf(push), err: error }, "a push was left hanging"),
      );
    }
  }
  const attempts = await Promise.all(Array.from({ length: atOnce }, inTurn));
  return attempts.reduce((total, one) => total + one, 0);
}

const NEVER = new AbortController().signal;

interface Care {
  leaseMs: number;
  giveUp: AbortSignal;
}

/** Answers what became of the receipt. */
async function work(core: Core, connect: ConnectGateway, push: ClaimedPush, care: Care): Promise<string> {
  const { leaseMs, giveUp } = care;
  if (giveUp.aborted) {
    await abandonPush(core, push);
    return "interrupted";
  }
  const begun = await committed(() => beginPush(core, push), NEVER);
  if (begun === null) return "lost";
  const lost = new AbortController();
  const heartbeat = setInterval(() => {
    renewPush(core, push, leaseMs).then(
      (kept) => kept || lost.abort(),
      (error: unknown) => core.log.warn({ ...fieldsOf(push), err: error }, "a push's lease was not renewed"),
    );
  }, leaseMs / 3);
  try {
    const signal = AbortSignal.any([giveUp, lost.signal]);
    const outcome = await outcomeOf(core, connect, push, begun, signal);
    if (outcome === null) {
      await abandonPush(core, push);
      return "interrupted";
    }
    if (!(await committed(() => settlePush(core, push, begun, outcome), NEVER))) return "lost";
    tell(core, push, outcome);
    return outcome.status;
  } finally {
    clearInterval(heartbeat);
  }
}

/** Null when it was given up. */
async function outcomeOf(
  core: Core,
  connect: ConnectGateway,
  push: ClaimedPush,
  { receipt, connection }: BegunPush,
  signal: AbortSignal,
): Promise<PushOutcome | null> {
  let mayHaveArrived = receipt.mayHaveArrived;
  try {
    const { provider, base_url: baseUrl, username, credential, connection_id } = connection;
    const password = core.secrets.decrypt(credential, `erp_connections/${connection_id}`);
    const gateway = connect(provider, { baseUrl, username, password });
    mayHaveArrived = true;
    return await attemptPush(gateway, receipt, { signal });
  } catch (error) {
    if (signal.aborted) return null;
    core.log.error({ ...fieldsOf(push), err: error }, "a push failed unexpectedly");
    const unexpected = error instanceof ErpError ? error : new ErpError("erp_rejected", "Unexpected error.");
    return outcomeOfError({ ...receipt, mayHaveArrived }, unexpected);
  }
}

function tell(core: Core, push: ClaimedPush, { status, error, contact }: PushOutcome): void {
  const level = error === null ? "info" : "warn";
  core.log[level]({ ...fieldsOf(push), status, contact, reason: error }, "a receipt was pushed");
}

function fieldsOf({ tenant_id: tenantId, payment_id: paymentId }: ClaimedPush) {
  return { tenantId, paymentId };
}
