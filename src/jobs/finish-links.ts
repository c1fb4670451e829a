import { claimWork, retrySoon } from "../core/gate/claims.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { ServiceError } from "../core/kernel/error.ts";
import {
  finishReservation,
  giveUpReservation,
  releaseReservation,
} from "../core/payment-links/issuing/finish-reservation.ts";
import { UnclearMint } from "../core/payment-links/issuing/mint-links.ts";
import { type StoredLink, UNSETTLED_LINKS } from "../core/payment-links/link-queries.ts";
import { withdrawAtProvider } from "../core/payment-links/withdrawing/withdraw-links.ts";
import { workOff } from "./work-off.ts";

const AT_ONCE = 50;
/** Longer than a provider takes to make a request's links, or not to answer; then another look is taken. */
const LEASE_MS = 2 * 60_000;
/** A provider may forget a key a day after it was first used: from then on, asking again could make a second link. */
const GIVE_UP_MS = 20 * 60 * 60_000;

/**
 * Finishes what was left hanging between the store and a payment provider: links that were reserved and never heard of
 * again are made and confirmed, or withdrawn; withdrawn ones are withdrawn at the provider. Answers how many links were
 * looked at. Several processes share the work.
 */
export function finishLinks(core: Core, stop?: AbortSignal): Promise<number> {
  return workOff(core, {
    event: "payment_link.settling",
    stop,
    claim: async (turn) =>
      onceEach(await claimWork(core, UNSETTLED_LINKS, { limit: AT_ONCE, leaseMs: LEASE_MS, turn })),
    work: (link) => finish(core, link),
    retry: (link) =>
      isReserved(link)
        ? releaseReservation(core, { ...idsOf(link), attempts: link.attempts })
        : retrySoon(core, "payment_links", link),
    fieldsOf: idsOf,
  });
}

const isReserved = (link: StoredLink): boolean => link.state === "reserved";
const idsOf = ({ tenant_id: tenantId, reservation_id: reservationId }: StoredLink) => ({ tenantId, reservationId });

/** Reserved links of one request are finished together. */
function onceEach(links: readonly StoredLink[]): StoredLink[] {
  return [
    ...new Map(links.map((link) => [isReserved(link) ? link.reservation_id : link.payment_link_id, link])).values(),
  ];
}

/** Rejects where it is left hanging once more. */
async function finish(core: Core, link: StoredLink): Promise<void> {
  const { tenantId, reservationId } = idsOf(link);
  if (!isReserved(link)) return withdrawAtProvider(core, tenantId, [link.payment_link_id]);
  const isTooOld = Date.parse(link.created_at) <= core.clock.now().getTime() - GIVE_UP_MS;
  if (isTooOld) return giveUpReservation(core, tenantId, { reservationId, outcome: null });
  await finishReservation(core, tenantId, reservationId).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error instanceof UnclearMint) throw error;
    core.log.warn({ tenantId, reservationId, err: error }, "payment_link.reservation.released");
  });
}
