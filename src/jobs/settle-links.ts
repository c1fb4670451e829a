import { committed } from "../core/committed.ts";
import { type Core, nowOf } from "../core/core.ts";
import { ServiceError } from "../core/error.ts";
import { finishReservation, giveUpReservation, releaseReservation } from "../core/payment-links/finish-reservation.ts";
import { UnclearMint } from "../core/payment-links/mint-links.ts";
import { claimUnsettled, releaseWithdrawal, type UnsettledLink } from "../core/payment-links/unsettled-queries.ts";
import { withdrawAtProvider } from "../core/payment-links/withdraw-links.ts";
import { farthestOf, RETRY, retryAt } from "../core/retry.ts";

const AT_ONCE = 50;
/** Longer than a provider takes to make a request's links, or not to answer; then another look is taken. */
const LEASE_MS = 2 * 60_000;
/** A provider may forget a key a day after it was first used: from then on, asking again could make a second link. */
const GIVE_UP_MS = 20 * 60 * 60_000;

/**
 * Settles what was left hanging between the store and a payment provider: links that were reserved and never heard of
 * again are made and confirmed, or withdrawn; withdrawn ones are withdrawn at the provider. Answers how many links were
 * looked at. Several processes share the work.
 */
export async function settleLinks(core: Core, signal?: AbortSignal): Promise<number> {
  let done = 0;
  while (signal?.aborted !== true) {
    const after = (milliseconds: number) => new Date(core.clock.now().getTime() + milliseconds).toISOString();
    const claim = { now: nowOf(core), leaseUntil: after(LEASE_MS), farthest: farthestOf(nowOf(core)), limit: AT_ONCE };
    const links = await committed(() => core.store.system((tx) => claimUnsettled(tx, claim)));
    const reservations = new Map(links.filter(isReserved).map((link) => [link.reservation_id, link]));
    await Promise.all([
      ...[...reservations.values()].map((link) => settled(core, link, () => settleReservation(core, link))),
      ...links
        .filter((link) => !isReserved(link))
        .map((link) => settled(core, link, () => withdrawAtProvider(core, link.tenant_id, [link.payment_link_id]))),
    ]);
    done += links.length;
    if (links.length < AT_ONCE) break;
  }
  return done;
}

const isReserved = (link: UnsettledLink): boolean => link.state === "reserved";

async function settleReservation(core: Core, link: UnsettledLink): Promise<void> {
  const { tenant_id: tenantId, reservation_id: reservationId } = link;
  const isTooOld = Date.parse(link.created_at) <= core.clock.now().getTime() - GIVE_UP_MS;
  if (isTooOld) await giveUpReservation(core, { tenantId, reservationId, outcome: null });
  else await finishReservation(core, tenantId, reservationId);
}

/** Never rejects: what is left hanging once more is tried again soon, less and less often. */
async function settled(core: Core, link: UnsettledLink, work: () => Promise<void>): Promise<void> {
  const fields = { tenantId: link.tenant_id, reservationId: link.reservation_id };
  try {
    await work();
  } catch (error) {
    const isExpected = error instanceof ServiceError;
    const isOver = isExpected && !(error instanceof UnclearMint);
    if (!isOver) await giveBack(core, link);
    const event = isOver ? "payment_link.reservation.released" : "payment_link.settling.failed";
    core.log[isExpected ? "warn" : "error"]({ ...fields, err: error }, event);
  }
}

async function giveBack(core: Core, link: UnsettledLink): Promise<void> {
  const { tenant_id: tenantId, reservation_id: reservationId, payment_link_id: linkId, attempts } = link;
  if (isReserved(link)) return releaseReservation(core, { tenantId, reservationId, attempts });
  const at = retryAt(core, RETRY.unexpected, attempts);
  await core.store
    .write(tenantId, (tx) => releaseWithdrawal(tx, tenantId, { linkId, at }))
    .catch((error: unknown) => core.log.warn({ tenantId, linkId, err: error }, "payment_link.lease.not_released"));
}
