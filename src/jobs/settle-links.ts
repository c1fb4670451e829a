import { type Core, nowOf } from "../core/core.ts";
import { ServiceError } from "../core/error.ts";
import { finishReservation, giveUpReservation } from "../core/payment-links/finish-reservation.ts";
import { UnclearMint } from "../core/payment-links/mint-links.ts";
import { claimUnsettled, type UnsettledLink } from "../core/payment-links/unsettled-queries.ts";
import { withdrawAtProvider } from "../core/payment-links/withdraw-links.ts";

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
    const leaseUntil = new Date(core.clock.now().getTime() + LEASE_MS).toISOString();
    const claim = { now: nowOf(core), leaseUntil, limit: AT_ONCE };
    const links = await core.store.system((tx) => claimUnsettled(tx, claim));
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

/** Never rejects: what is left hanging once more is taken up when its lease has ended. */
async function settled(core: Core, link: UnsettledLink, work: () => Promise<void>): Promise<void> {
  const fields = { tenantId: link.tenant_id, reservationId: link.reservation_id };
  try {
    await work();
  } catch (error) {
    const isExpected = error instanceof ServiceError;
    const outcome = error instanceof UnclearMint || !isExpected ? "is not settled yet" : "came to nothing";
    core.log[isExpected ? "warn" : "error"]({ ...fields, err: error }, `a reservation of links ${outcome}`);
  }
}
