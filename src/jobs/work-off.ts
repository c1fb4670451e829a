import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { WORKFLOW_WORK } from "../core/collection/to-examine-queries.ts";
import { type ClaimOptions, claimWork, retrySoon, type Turn } from "../core/gate/claims.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { operation, SETTINGS_CHANGE } from "../core/gate/operation.ts";
import { ServiceError } from "../core/kernel/error.ts";
import {
  finishReservation,
  giveUpReservation,
  releaseReservation,
} from "../core/payment-links/issuing/finish-reservation.ts";
import { UnclearMint } from "../core/payment-links/issuing/mint-links.ts";
import { type StoredLink, UNSETTLED_LINKS } from "../core/payment-links/link-queries.ts";
import { withdrawAtProvider } from "../core/payment-links/withdrawing/withdraw-links.ts";
import { type Reading, readClaimedEvents, requestEventReading } from "../core/payments/events/read-events.ts";
import { EVENT_READINGS } from "../core/provider-access/integration-queries.ts";
import { workOnInvoice } from "../core/workflows/mint-generated-links.ts";

/** How the next pieces of work are claimed: `turn` is the same each time. */
export type NextClaim = Required<Pick<ClaimOptions, "limit" | "turn" | "except">>;

/** Work of one kind, as a job does it. */
interface WorkToDo<Row> {
  /** What the log calls it. */
  readonly event: string;
  /** Pieces at once. */
  readonly atOnce: number;
  /** Claims nothing more. */
  readonly stop?: AbortSignal | undefined;
  claim(next: NextClaim): Promise<readonly Row[]>;
  work(row: Row): Promise<unknown>;
  /** Gives the lease back after an attempt that failed unexpectedly. */
  retry(row: Row): Promise<unknown>;
  fieldsOf(row: Row): object;
  /** How long one that takes long is waited for before others are looked for; milliseconds. */
  readonly lookAgainMs?: number;
}

/**
 * Claims work and does it, several pieces at once, until nothing is due or `stop` says so. A workspace has no more under way than
 * there is room left, so that one whose pieces take long holds up no other's. What fails unexpectedly is tried again soon; where even
 * its lease cannot be given back, that runs out by itself. Answers how much was claimed.
 */
export async function workOff<Row extends { tenant_id: string }>({ log }: Pick<Core, "log">, todo: WorkToDo<Row>) {
  const { event, claim, work, retry, fieldsOf, stop } = todo;
  const one = (row: Row) =>
    work(row).catch(async (error: unknown) => {
      log[error instanceof ServiceError ? "warn" : "error"]({ ...fieldsOf(row), err: error }, `${event}.failed`);
      await retry(row).catch((failure: unknown) =>
        log.error({ ...fieldsOf(row), err: failure }, `${event}.not_released`),
      );
    });
  const turn: Turn = { after: null };
  const underWay = new Map<Promise<unknown>, string>();
  const next = async () => {
    const room = todo.atOnce - underWay.size;
    if (room === 0 || stop?.aborted === true) return [];
    const byTenant = Map.groupBy(underWay.values(), (tenantId) => tenantId);
    const except = [...byTenant].filter(([, own]) => own.length >= room).map(([tenantId]) => tenantId);
    return claim({ turn, except, limit: Math.ceil(room / 2) });
  };
  let [done, ended] = [0, 0];
  for (;;) {
    const endedBefore = ended;
    const claimed = await next().catch(async (error: unknown) => {
      await Promise.all(underWay.keys());
      throw error;
    });
    for (const row of claimed) {
      const working = one(row).finally(() => {
        underWay.delete(working);
        ended += 1;
      });
      underWay.set(working, row.tenant_id);
    }
    done += claimed.length;
    // What ended meanwhile has left room, and may have been left out for it.
    if (claimed.length > 0 || ended > endedBefore) continue;
    if (underWay.size === 0) return done;
    await soonest(underWay.keys(), todo.lookAgainMs ?? LOOK_AGAIN_MS);
  }
}

/** Where a piece takes long, others may be due before it ends. */
const LOOK_AGAIN_MS = 5_000;

/** Waits for the first of them, and at most `mostMs`. */
async function soonest(pieces: Iterable<Promise<unknown>>, mostMs: number) {
  const over = new AbortController();
  const pause = sleep(mostMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([...pieces, pause]);
  over.abort();
}

const LINKS_AT_ONCE = 50;
/** Longer than a provider takes to make a request's links, or not to answer; then another look is taken. */
const LINKS_LEASE_MS = 2 * 60_000;
/** A provider may forget a key a day after it was first used: from then on, asking again could make a second link. */
const GIVE_UP_MS = 20 * 60 * 60_000;

/**
 * Finishes what was left hanging between the store and a payment provider: links that were reserved and never heard of
 * again are made and confirmed, or withdrawn; withdrawn ones are withdrawn at the provider. Answers how many links were
 * looked at. Several processes share the work.
 */
export function finishLinks(core: Core, stop?: AbortSignal) {
  return workOff(core, {
    event: "payment_link.settling",
    atOnce: LINKS_AT_ONCE,
    stop,
    claim: async (next) => onceEach(await claimWork(core, UNSETTLED_LINKS, { ...next, leaseMs: LINKS_LEASE_MS })),
    work: (link) => finish(core, link),
    retry: (link) =>
      isReserved(link)
        ? releaseReservation(core, { ...idsOf(link), attempts: link.attempts })
        : retrySoon(core, "payment_links", link),
    fieldsOf: idsOf,
  });
}

const isReserved = (link: StoredLink) => link.state === "reserved";
const idsOf = ({ tenant_id: tenantId, reservation_id: reservationId }: StoredLink) => ({ tenantId, reservationId });

/** Reserved links of one request are finished together. */
function onceEach(links: readonly StoredLink[]) {
  return [
    ...new Map(links.map((link) => [isReserved(link) ? link.reservation_id : link.payment_link_id, link])).values(),
  ];
}

/** Rejects where it is left hanging once more. */
async function finish(core: Core, link: StoredLink) {
  const { tenantId, reservationId } = idsOf(link);
  if (!isReserved(link)) return withdrawAtProvider(core, tenantId, [link.payment_link_id]);
  const isTooOld = Date.parse(link.created_at) <= core.clock.now().getTime() - GIVE_UP_MS;
  if (isTooOld) return giveUpReservation(core, tenantId, { reservationId, outcome: null });
  await finishReservation(core, tenantId, reservationId).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error instanceof UnclearMint) throw error;
    core.log.warn({ tenantId, reservationId, err: error }, "payment_link.reservation.released");
  });
}

const INVOICES_AT_ONCE = 16;
/** Longer than it takes to make one invoice's links, however slow the provider is. */
const INVOICES_LEASE_MS = 10 * 60_000;

/**
 * Runs the workflows for every invoice that is queued (completions §7), several at once, until none is due or `stop`
 * says so. What fails is tried again soon, less and less often. Answers how many invoices were worked on.
 */
export function runWorkflows(core: Core, stop?: AbortSignal) {
  return workOff(core, {
    event: "workflow.invoice",
    atOnce: INVOICES_AT_ONCE,
    stop,
    claim: (next) => claimWork(core, WORKFLOW_WORK, { ...next, leaseMs: INVOICES_LEASE_MS }),
    work: (work) => workOnInvoice(core, work, stop),
    retry: (work) => retrySoon(core, "workflow_work", work),
    fieldsOf: ({ tenant_id: tenantId, invoice_id: invoiceId }) => ({ tenantId, invoiceId }),
  });
}

const LISTS_AT_ONCE = 4;
/** Longer than it takes to read a page of events and take one in, however slow the provider is. */
const EVENTS_LEASE_MS = 2 * 60_000;

interface ReadOptions {
  /** One workspace's only. */
  readonly tenantId?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the lists of events that are due on from where they were read to (completions §12), some at once, until none is
 * or `signal` says stop. Several processes share the work.
 */
export async function readProviderEvents(core: Core, { tenantId, signal }: ReadOptions = {}) {
  const readings: Reading[] = [];
  await workOff(core, {
    event: "payment.events",
    atOnce: LISTS_AT_ONCE,
    stop: signal,
    claim: (next) => claimWork(core, EVENT_READINGS, { ...next, leaseMs: EVENTS_LEASE_MS, tenantId }),
    work: async (claim) => readings.push(await readClaimedEvents(core, claim, { leaseMs: EVENTS_LEASE_MS, signal })),
    retry: (claim) => retrySoon(core, "payment_integrations", claim),
    fieldsOf: ({ tenant_id, payment_integration_id: paymentIntegrationId }) => ({
      tenantId: tenant_id,
      paymentIntegrationId,
    }),
  });
  return readings;
}

/** The same for one workspace, whose lists are read now. */
export const readProviderEventsNow = operation({
  id: "readProviderEventsNow",
  summary: "Read the providers' lists of events now, as the service does every 15 minutes",
  ...SETTINGS_CHANGE,
  callers: ["operator"],
  sideEffects: "Payments that the service was not told of are recorded.",
  input: z.strictObject({}),
  output: z.custom<readonly Reading[]>(),
  async prepare({ core, actor: { tenantId }, signal }) {
    await requestEventReading(core, { tenantId });
    return readProviderEvents(core, { tenantId, signal });
  },
  async run({ audit }, _, readings) {
    audit(null);
    return readings;
  },
});
