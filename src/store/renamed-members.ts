import { sql } from "kysely";
import { lockStamp } from "./aging/rollup.ts";
import { stampNamed } from "./change-stamps.ts";
import { type Shards, tenantsWith } from "./shards.ts";
import type { Transaction } from "./tables/index.ts";

/** A member whose name or membership a transaction changed, which links and tasks show. */
interface Renamed {
  readonly tenantId: string;
  readonly memberId: string;
  readonly at: string;
}

const renamedBy = new WeakMap<Transaction, Set<string>>();

/** Notes the workspaces in whose members a transaction of the directory changes what is shown. */
export function notingRenamed<T>(tx: Transaction, tenants: Set<string>, work: (tx: Transaction) => Promise<T>) {
  renamedBy.set(tx, tenants);
  return work(tx);
}

/**
 * Leaves a member to be stamped later ({@link stampRenamed}): the roll-up's lock may be held for minutes, and to remove somebody
 * waits for nobody. A row of its own each time, which nobody else has locked.
 */
export async function touchMember(tx: Transaction, { tenantId, memberId, at }: Renamed) {
  renamedBy.get(tx)?.add(tenantId);
  await tx.insertInto("renamed_members").values({ tenant_id: tenantId, member_id: memberId, renamed_at: at }).execute();
}

/** Stamps what shows the members of a workspace that were changed, in a transaction of its own. */
export async function stampRenamed(tx: Transaction, tenantId: string): Promise<void> {
  const latest = await tx
    .selectFrom("renamed_members")
    .select((row) => row.fn.max("renamed_at").as("at"))
    .where("tenant_id", "=", tenantId)
    .executeTakeFirst();
  if (!latest?.at) return;
  const { stamped_at: at } = await lockStamp(tx, tenantId, latest.at);
  const renamed = await tx
    .deleteFrom("renamed_members")
    .where("tenant_id", "=", tenantId)
    .returning("member_id")
    .execute();
  for (const id of new Set(renamed.map((row) => row.member_id))) await stampNamed(tx, tenantId, id, at);
}

/** Workspaces with something left to stamp, such as by a process that is gone. */
export const tenantsWithRenamed = (tx: Transaction, shards: Shards) =>
  tenantsWith(tx, shards, "renamed_members", sql`true`);
