import { PaymentProviderError } from "../../../gateways/payments/error.ts";
import type { PaymentEvent, UnreadableEvent } from "../../../gateways/payments/events.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import { type Core, nowOf } from "../../gate/core.ts";
import { ServiceError } from "../../gate/error.ts";
import {
  type ClaimedReading,
  claimReading,
  makeReadingsDue,
  updateClaimedReading,
} from "../../payment-integrations/event-reading-queries.ts";
import { gatewayOf, isSameAccount, livemodeOf } from "../../payment-integrations/gateway-access.ts";
import { integrationsOf } from "../../payment-integrations/integration-queries.ts";
import { recordProviderEvent } from "./record-provider-event.ts";
import { type Voucher, voucherOf } from "./vouching.ts";

const MINUTE_MS = 60_000;
const READ_EVERY_MS = 15 * MINUTE_MS;
/** The provider did not answer, or the store could not take something in. */
const RETRY_MS = MINUTE_MS;
/** The key may not read events: a person has to act. */
const REFUSED_RETRY_MS = 60 * MINUTE_MS;
/** An event may be shown some minutes after it happened: the last ones are read again. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** As long as Stripe keeps events. */
const KEPT_MS = 30 * 24 * 60 * MINUTE_MS;
/** Events taken in between two looks at the lease, and at how far the list was read. */
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
  /** One workspace's alone. */
  readonly tenantId?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Has events read from now on: of one workspace, or of all, as after a start (completions §12). */
export async function requestEventReading(
  core: Core,
  options: { readonly tenantId?: string; readonly unlease?: boolean } = {},
): Promise<void> {
  await core.store.system((tx) => makeReadingsDue(tx, { now: nowOf(core), ...options }));
}

/**
 * Reads a provider's list of events on from where it was read to, and takes in what notifications may have missed; null when
 * none is due. The position moves only past what was taken in. Never rejects for what the provider does: it is due again
 * later, and its lease is released at once.
 */
export async function readDueEvents(
  core: Core,
  { leaseMs, tenantId, signal }: ReadingOptions,
): Promise<Reading | null> {
  const now = nowOf(core);
  const leaseUntil = later(core, leaseMs);
  // No pause or lease is longer than that of a refused key.
  const farthest = later(core, REFUSED_RETRY_MS);
  const due = { now, leaseUntil, farthest, tenantId: tenantId ?? null };
  const claim = await core.store.system((tx) => claimReading(tx, due));
  if (claim === null) return null;
  const { paymentIntegrationId } = claim;
  const reading: Reading = { paymentIntegrationId, taken: 0, skipped: 0, problem: null };
  let retryIn = RETRY_MS;
  try {
    retryIn = await read(core, claim, reading, { leaseMs, signal });
  } catch (error) {
    reading.problem = "Not everything could be taken in.";
    if (signal?.aborted) retryIn = 0;
    else if (error instanceof LostClaim) return reading;
    else core.log.error({ tenantId: claim.tenantId, paymentIntegrationId, err: error }, "payment.events.failed");
  }
  const done = { events_lease_expires_at: null, events_due_at: later(core, retryIn), events_problem: reading.problem };
  await core.store.write(claim.tenantId, (tx) => updateClaimedReading(tx, claim, done));
  return reading;
}

/** Answers in how many milliseconds the list is read again. */
async function read(
  core: Core,
  claim: ClaimedReading,
  reading: Reading,
  { leaseMs, signal }: { leaseMs: number; signal: AbortSignal | undefined },
): Promise<number> {
  const { tenantId, paymentIntegrationId } = claim;
  const integrations = await core.store.read(tenantId, (tx) => integrationsOf(tx, tenantId));
  const own = integrations.find((row) => row.payment_integration_id === paymentIntegrationId);
  const gateway = own === undefined ? null : gatewayOf(core, own);
  if (own === undefined || gateway === null) {
    reading.problem = "The service has no way to this provider here.";
    return REFUSED_RETRY_MS;
  }
  const livemode = livemodeOf(core, own);
  const vouchers = vouchersOf(core, { ...own, livemode }, integrations);
  let readTo = own.events_read_to;
  const progress = async (): Promise<void> => {
    const renewed = later(core, leaseMs);
    const set = { events_read_to: readTo, events_lease_expires_at: renewed, livemode };
    if (!(await core.store.write(tenantId, (tx) => updateClaimedReading(tx, claim, set)))) throw new LostClaim();
    claim.leaseUntil = renewed;
  };
  try {
    for await (const event of gateway.readEvents({ since: sinceOf(core, own), signal })) {
      await takeIn(core, event, { tenantId, vouchers, reading });
      readTo = readTo === null || event.occurredAt > readTo ? event.occurredAt : readTo;
      if ((reading.taken + reading.skipped) % PROGRESS_EVERY === 0) await progress();
    }
    await progress();
    return READ_EVERY_MS;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    await progress();
    reading.problem = error.publicMessage;
    core.log.warn({ tenantId, paymentIntegrationId, err: error }, "payment.events.unreadable");
    return error.kind === "unreachable" ? RETRY_MS : REFUSED_RETRY_MS;
  }
}

/** Somebody else reads the list now, or it was disconnected. */
class LostClaim extends Error {
  override readonly name = "LostClaim";
}

/** What the account's key reads counts for all its integrations, disconnected ones too, that were not forgotten. */
function vouchersOf(
  core: Core,
  own: PaymentIntegrationRow,
  integrations: readonly PaymentIntegrationRow[],
): [Voucher, ...Voucher[]] {
  const others = integrations.filter(
    (row) =>
      row.payment_integration_id !== own.payment_integration_id && row.forgotten_at === null && isSameAccount(own, row),
  );
  return [voucherOf(core, own), ...others.map((row) => voucherOf(core, row))];
}

function sinceOf(core: Core, { events_read_to, created_at }: PaymentIntegrationRow): string {
  const from = Date.parse(events_read_to ?? created_at) - OVERLAP_MS;
  return new Date(Math.max(from, core.clock.now().getTime() - KEPT_MS)).toISOString();
}

/** An event that cannot be taken in, ever, is logged and passed over; rejects where trying again may help. */
async function takeIn(
  core: Core,
  event: PaymentEvent | UnreadableEvent,
  { tenantId, vouchers, reading }: { tenantId: string; vouchers: [Voucher, ...Voucher[]]; reading: Reading },
): Promise<void> {
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
function isLasting(error: unknown): boolean {
  if (error instanceof ServiceError || error instanceof RangeError) return true;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^2[23]/.test(code);
}

function later(core: Core, milliseconds: number): string {
  return new Date(core.clock.now().getTime() + milliseconds).toISOString();
}
