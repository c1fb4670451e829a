import type { Transaction } from "./store.ts";

/** Deletes counters of windows long over, expired sessions and protocol state. For a system transaction. */
export async function deleteExpired(
  tx: Transaction,
  {
    now,
    windowsBefore,
    ...before
  }: { now: string; windowsBefore: string; guessesBefore: string; addressesBefore: string },
): Promise<void> {
  await tx.deleteFrom("rate_windows").where("window_start", "<", windowsBefore).execute();
  await tx.deleteFrom("attempt_windows").where("window_start", "<", windowsBefore).execute();
  await tx.deleteFrom("sign_in_failures").where("last_at", "<", before.guessesBefore).execute();
  await tx.deleteFrom("sign_in_addresses").where("last_at", "<", before.addressesBefore).execute();
  await tx.deleteFrom("web_sessions").where("expires_at", "<", now).execute();
  await tx.deleteFrom("oidc_artifacts").where("expires_at", "<", now).execute();
}
