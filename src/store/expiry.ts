import type { Transaction } from "./store.ts";

/**
 * Deletes counters of windows that are long over, and sessions and protocol state that has expired. Nothing that money
 * or access hangs on is among them. For a system transaction.
 */
export async function deleteExpired(
  tx: Transaction,
  { now, windowsBefore }: { now: string; windowsBefore: string },
): Promise<void> {
  await tx.deleteFrom("rate_windows").where("window_start", "<", windowsBefore).execute();
  await tx.deleteFrom("attempt_windows").where("window_start", "<", windowsBefore).execute();
  await tx.deleteFrom("web_sessions").where("expires_at", "<", now).execute();
  await tx.deleteFrom("oidc_artifacts").where("expires_at", "<", now).execute();
}
