import { sql } from "kysely";
import { type Shards, tenantsWith } from "./shards.ts";
import type { Transaction } from "./store.ts";

/** Which tenants have counters of windows long over. */
export function tenantsWithOldWindows(tx: Transaction, shards: Shards, before: string) {
  return tenantsWith(tx, shards, "rate_windows", sql`window_start < ${before}`);
}

/** Deletes those of a tenant. */
export async function deleteOldWindows(tx: Transaction, tenantId: string, before: string): Promise<void> {
  await tx.deleteFrom("rate_windows").where("tenant_id", "=", tenantId).where("window_start", "<", before).execute();
}

/** Deletes counters of windows long over, expired sessions and protocol state: what is in the directory. */
export async function deleteExpired(
  tx: Transaction,
  before: { now: string; windowsBefore: string; guessesBefore: string; addressesBefore: string },
): Promise<void> {
  await tx.deleteFrom("attempt_windows").where("window_start", "<", before.windowsBefore).execute();
  await tx.deleteFrom("sign_in_failures").where("last_at", "<", before.guessesBefore).execute();
  await tx.deleteFrom("sign_in_addresses").where("last_at", "<", before.addressesBefore).execute();
  await tx.deleteFrom("web_sessions").where("expires_at", "<", before.now).execute();
  await tx.deleteFrom("password_resets").where("expires_at", "<", before.windowsBefore).execute();
  await tx.deleteFrom("oidc_artifacts").where("expires_at", "<", before.now).execute();
}
