import type { Core } from "../core.ts";
import { ServiceError } from "../error.ts";
import { type MintOutcome, mintReservation } from "./mint-links.ts";
import { confirmReservation, withdrawReservation } from "./settle-reservation.ts";
import { withdrawAtProvider } from "./withdraw-links.ts";

/**
 * Finishes what a reservation began, where nobody waits for it: its links are made at the provider and confirmed, or
 * withdrawn; both again change nothing. Throws UnclearMint while nobody can tell, and ServiceError once it came to nothing.
 */
export async function finishReservation(core: Core, tenantId: string, reservationId: string): Promise<void> {
  const outcome = await mintReservation(core, tenantId, reservationId, { again: true });
  try {
    await core.store.write(tenantId, (tx) => confirmReservation(tx, core, { tenantId, reservationId, outcome }));
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
  const due = await core.store.write(tenantId, (tx) => withdrawReservation(tx, core, reservation));
  await withdrawAtProvider(core, tenantId, due);
}
