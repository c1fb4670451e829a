import type { Core } from "../core/gate/dependencies.ts";
import { nowOf } from "../core/gate/dependencies.ts";
import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../core/gate/idempotency.ts";
import { deleteExpired } from "../store/expiry.ts";
import { deleteIdempotencyRecords } from "../store/idempotency.ts";
import { deleteUnusedClients } from "../store/identity/oidc-artifacts.ts";

const WINDOWS_KEPT_MS = 60 * 60_000;
/** Wrong passwords are forgotten after a day, addresses that people signed in from after 90 (auth/sign-in.ts). */
const GUESSES_KEPT_MS = 24 * 60 * 60_000;
const ADDRESSES_KEPT_MS = 90 * GUESSES_KEPT_MS;
/** OAuth clients that registered themselves and that nobody ever approved. */
const UNUSED_CLIENTS_KEPT_MS = 24 * 60 * 60_000;

/** Removes what nobody can use any more, and gives the store its maintenance. */
export async function housekeep(core: Core): Promise<void> {
  const ago = (milliseconds: number): string => new Date(core.clock.now().getTime() - milliseconds).toISOString();
  await core.store.system(async (tx) => {
    await deleteExpired(tx, {
      now: nowOf(core),
      windowsBefore: ago(WINDOWS_KEPT_MS),
      guessesBefore: ago(GUESSES_KEPT_MS),
      addressesBefore: ago(ADDRESSES_KEPT_MS),
    });
    await deleteIdempotencyRecords(tx, ago(IDEMPOTENCY_KEY_LIFETIME_MS));
    await deleteUnusedClients(tx, ago(UNUSED_CLIENTS_KEPT_MS));
  });
  await core.store.maintain();
}
