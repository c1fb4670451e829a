import type { Core } from "../core/gate/dependencies.ts";
import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../core/gate/idempotency.ts";
import { allTenantsStep } from "../core/gate/work-step.ts";
import { abandonEveryPush } from "../core/payments/receipts/push-receipt.ts";
import { later } from "../core/shared/retry.ts";
import { interruptEveryRun } from "../core/sync-runs/interrupt-runs.ts";
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
  await deleteUseless(core);
  await core.store.maintain();
}

const deleteUseless = allTenantsStep(async ({ tx, core, now }) => {
  const ago = (milliseconds: number): string => later(core, -milliseconds);
  await deleteExpired(tx, {
    now,
    windowsBefore: ago(WINDOWS_KEPT_MS),
    guessesBefore: ago(GUESSES_KEPT_MS),
    addressesBefore: ago(ADDRESSES_KEPT_MS),
  });
  await deleteIdempotencyRecords(tx, ago(IDEMPOTENCY_KEY_LIFETIME_MS));
  await deleteUnusedClients(tx, ago(UNUSED_CLIENTS_KEPT_MS));
});

/** Ends the pulls and pushes of a process that is gone. Only where this process is the only one, as on the embedded store. */
export async function endLeftovers(core: Core): Promise<void> {
  await interruptEveryRun(core);
  await abandonEveryPush(core);
}
