import { type PaymentEvent, PaymentProviderError, type UnreadableEvent } from "../../../gateways/payments/gateway.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import { changeClaimed, endClaim } from "../../gate/claims.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { later, POLL_AGAIN, RETRY, type RetryPolicy, retryAt } from "../../gate/retry.ts";
import { workStep } from "../../gate/work-step.ts";
import { ServiceError } from "../../kernel/error.ts";
import { gatewayOf, isSameAccount } from "../../provider-access/gateway-access.ts";
import { allOfAccount, makeReadingsDue, tenantsWithEvents } from "../../provider-access/integration-queries.ts";
import { recordProviderEvent } from "./record-provider-event.ts";
import { type Voucher, voucherOf } from "./vouching.ts";

const MINUTE_MS = 60_000;
/** An event may be shown some minutes after it happened: the last ones are read again. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** As long as Stripe keeps events. */
const KEPT_MS = 30 * 24 * 60 * MINUTE_MS;
/** Events taken in between two renewals of the lease, which also store how far the list was read. */
const PROGRESS_EVERY = 25;

/** What one reading of a list of events came to. */
export interface Reading {
  readonly paymentIntegrationId: string;
  /** Events that were understood and taken in, known ones too. */
  taken: number;
  /** Events that were logged and passed over. */
  skipped: number;
  /** Why the list was not read to its end; null when it was. */
  problem: string | null;
}

interface ReadingOptions {
  readonly leaseMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface EventRequest {
  readonly tenantId?: string;
  readonly unlease?: boolean;
}

/** Has events read from now on: of one workspace, or of all, as after a start (completions §12). */
export const requestEventReading = workStep({
  name: "requestEventReading",
  find: async ({ tx, shards }, { tenantId }: EventRequest = {}) =>
    tenantId === undefined ? tenantsWithEvents(tx, shards) : [tenantId],
  run: ({ tx, now, tenantId }, { unlease = false }: EventRequest = {}) =>
    makeReadingsDue(tx, { now, tenantId, unlease }),
});

/**
 * Reads a claimed provider's list of events on from where it was read to, and takes in what notifications may have missed.
 * The position moves only past what was taken in. Never rejects for what the provider does: it is due again later, and its
 * lease is released at once.
 */
export async function readClaimedEvents(core: Core, claim: PaymentIntegrationRow, options: ReadingOptions) {
  const { tenant_id: tenantId, payment_integration_id: paymentIntegrationId } = claim;
  const reading: Reading = { paymentIntegrationId, taken: 0, skipped: 0, problem: null };
  let again: string;
  try {
    again = retryAt(core, await read(core, claim, reading, options));
  } catch (error) {
    reading.problem = "Not everything could be taken in.";
    again = options.signal?.aborted ? nowOf(core) : retryAt(core, RETRY.unreachable);
    if (error instanceof LostClaim) return reading;
    if (!options.signal?.aborted)
      core.log.error({ tenantId, paymentIntegrationId, err: error }, "payment.events.failed");
  }
  const done = { next_attempt_at: again, events_problem: reading.problem, attempts: 0 };
  await endClaim(core, "payment_integrations", claim, done);
  return reading;
}

const storedIntegrations = workStep({
  in: "workspace",
  run: ({ tx }, own: PaymentIntegrationRow) => allOfAccount(tx, own),
});

/** Answers when the list is read again. */
async function read(
  core: Core,
  claim: PaymentIntegrationRow,
  reading: Reading,
  { leaseMs, signal }: ReadingOptions,
): Promise<RetryPolicy> {
  const { tenant_id: tenantId, payment_integration_id: paymentIntegrationId } = claim;
  const gateway = gatewayOf(core, claim);
  if (gateway === null) {
    reading.problem = "The service has no way to this provider here.";
    return RETRY.refused;
  }
  const vouchers = vouchersOf(claim, await storedIntegrations(core, tenantId, claim));
  let readTo = claim.events_read_to;
  const progress = async () => {
    const change = { events_read_to: readTo, lease_expires_at: later(core, leaseMs) };
    if (!(await changeClaimed(core, "payment_integrations", claim, change))) throw new LostClaim();
  };
  try {
    const lost = new AbortController();
    const stop = AbortSignal.any([lost.signal, ...(signal === undefined ? [] : [signal])]);
    // The oldest page may be minutes away.
    const onPage = () => progress().catch((error: unknown) => lost.abort(error));
    for await (const event of gateway.readEvents({ since: sinceOf(core, claim), signal: stop, onPage })) {
      await takeIn(core, event, { tenantId, vouchers, reading });
      const { occurredAt } = event;
      // From one in the future no reading goes on: those before it would not be read.
      const isPast = occurredAt !== null && occurredAt <= later(core, OVERLAP_MS);
      if (isPast && occurredAt > (readTo ?? "")) readTo = occurredAt;
      if ((reading.taken + reading.skipped) % PROGRESS_EVERY === 0) await progress();
    }
    await progress();
    return POLL_AGAIN.events;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    await progress();
    reading.problem = error.publicMessage;
    core.log.warn({ tenantId, paymentIntegrationId, err: error }, "payment.events.unreadable");
    return error.kind === "unreachable" ? RETRY.unreachable : RETRY.refused;
  }
}

/** Somebody else reads the list now, or it was disconnected. */
class LostClaim extends Error {
  override readonly name = "LostClaim";
}

/** What the account's key reads counts for all its integrations, disconnected ones too, that were not forgotten. */
function vouchersOf(
  own: PaymentIntegrationRow,
  integrations: readonly PaymentIntegrationRow[],
): [Voucher, ...Voucher[]] {
  const others = integrations.filter(
    (row) =>
      row.payment_integration_id !== own.payment_integration_id && row.forgotten_at === null && isSameAccount(own, row),
  );
  return [voucherOf(own), ...others.map(voucherOf)];
}

function sinceOf(core: Core, { events_read_to, created_at }: PaymentIntegrationRow) {
  const from = Date.parse(events_read_to ?? created_at) - OVERLAP_MS;
  return new Date(Math.max(from, core.clock.now().getTime() - KEPT_MS)).toISOString();
}

/** An event that cannot be taken in, ever, is logged and passed over; rejects where trying again may help. */
async function takeIn(
  core: Core,
  event: PaymentEvent | UnreadableEvent,
  { tenantId, vouchers, reading }: { tenantId: string; vouchers: [Voucher, ...Voucher[]]; reading: Reading },
) {
  const fields = { tenantId, eventId: event.providerEventId };
  if (event.type === "unreadable") {
    reading.skipped += 1;
    return core.log.error({ ...fields, reason: event.reason }, "payment.event.unreadable");
  }
  try {
    await recordProviderEvent(core, tenantId, { event, vouchers });
    reading.taken += 1;
  } catch (error) {
    if (!isLasting(error)) throw error;
    reading.skipped += 1;
    core.log.error({ ...fields, err: error }, "payment.event.skipped");
  }
}

/** Of the store's errors those about the data itself: classes 22 and 23 of PostgreSQL. */
function isLasting(error: unknown) {
  if (error instanceof ServiceError || error instanceof RangeError) return true;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^2[23]/.test(code);
}
