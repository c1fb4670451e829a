import type { Transaction } from "../../../store/store.ts";
import { committed } from "../../gate/committed.ts";
import type { Core } from "../../gate/dependencies.ts";
import { ServiceError } from "../../gate/error.ts";
import { RETRY, retryAt } from "../../shared/retry.ts";
import { retryReservation } from "../withdrawing/unsettled-queries.ts";
import { withdrawAtProvider } from "../withdrawing/withdraw-links.ts";
import { type MintOutcome, mintReservation } from "./mint-links.ts";
import { confirmReservation, withdrawReservation } from "./settle-reservation.ts";

/**
 * Finishes what a reservation began, where nobody waits for it: its links are made at the provider and confirmed, or
 * withdrawn; both again change nothing. Throws UnclearMint while nobody can tell, and ServiceError once it came to nothing.
 */
export async function finishReservation(core: Core, tenantId: string, reservationId: string): Promise<void> {
  const outcome = await mintReservation(core, tenantId, reservationId, { again: true });
  try {
    const confirm = (tx: Transaction): Promise<void> =>
      confirmReservation(tx, core, { tenantId, reservationId, outcome });
    await committed(() => core.store.write(tenantId, confirm));
  } catch (error) {
    if (error instanceof ServiceError) await giveUpReservation(core, { tenantId, reservationId, outcome });
    throw error;
  }
}

/** Withdraws a reservation, at the provider too as far as it can be told now. */
export async function giveUpReservation(
  core: Core,
  reservation: { tenantId: string; reservationId: string; outcome: MintOutcome | null },
): Promise<void> {
  const { tenantId } = reservation;
  const withdraw = (tx: Transaction): Promise<string[]> => withdrawReservation(tx, core, reservation);
  const due = await committed(() => core.store.write(tenantId, withdraw));
  await withdrawAtProvider(core, tenantId, due);
}

/**
 * Gives the lease on a reservation back after an attempt that failed unexpectedly: another worker finishes it soon. Never
 * rejects: where even this fails, the lease runs out by itself.
 */
export async function releaseReservation(
  core: Core,
  { tenantId, reservationId, attempts }: { tenantId: string; reservationId: string; attempts: number },
): Promise<void> {
  const at = retryAt(core, RETRY.unexpected, attempts);
  const release = (tx: Transaction): Promise<void> => retryReservation(tx, tenantId, { reservationId, at });
  await committed(() => core.store.write(tenantId, release)).catch((error: unknown) =>
    core.log.warn({ tenantId, reservationId, err: error }, "payment_link.lease.not_released"),
  );
}
