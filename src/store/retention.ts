import { sql } from "kysely";
import type { Shards } from "./shards.ts";
import type { Transaction } from "./store.ts";

/** A later row of the same stands in for what is read of the latest. */
const hasLater = (table: string, same: readonly string[]) =>
  `exists (select from ${table} as later where later.tenant_id = old.tenant_id and later.started_at > old.started_at
    and ${same.map((name) => `later.${name} = old.${name}`).join(" and ")})`;

/** Tables whose old rows are deleted: their key, their age, and what else holds of rows that nothing is read from. */
const AGING = {
  sync_runs: {
    key: "sync_run_id",
    at: "started_at",
    unused: `old.finished_at is not null and not old.covers and old.retirement is null
      and ${hasLater("sync_runs", ["connection_id"])}`,
  },
  outgoing_mails: { key: "mail_id", at: "created_at", unused: "old.status <> 'queued'" },
  workflow_executions: {
    key: "workflow_execution_id",
    at: "started_at",
    unused: hasLater("workflow_executions", ["workflow_id", "invoice_id"]),
  },
  audit_entries: { key: "entry_id", at: "at", unused: "true" },
} as const;
export type AgingTable = keyof typeof AGING;

const isOld = (table: AgingTable, before: string) =>
  sql`${sql.ref(`old.${AGING[table].at}`)} < ${before} and ${sql.raw(AGING[table].unused)}`;

/** The tenants that have old rows in a table. */
export async function tenantsWithOld(
  tx: Transaction,
  shards: Shards,
  table: AgingTable,
  before: string,
): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    select tenants.tenant_id from tenants where ${shards.has(sql.ref("tenants.tenant_id"))} and exists (
      select from ${sql.table(table)} as old
      where old.tenant_id = tenants.tenant_id and ${isOld(table, before)})`.execute(tx);
  return rows.map((row) => row.tenant_id);
}

/** Deletes up to `limit` of a tenant, oldest first, which an array chooses once. Answers how many. */
export async function deleteOld(
  tx: Transaction,
  tenantId: string,
  { table, before, limit }: { table: AgingTable; before: string; limit: number },
): Promise<number> {
  const { key, at } = AGING[table];
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} as gone where gone.tenant_id = ${tenantId} and ${sql.ref(`gone.${key}`)} = any(array(
      select ${sql.ref(`old.${key}`)} from ${sql.table(table)} as old
      where old.tenant_id = ${tenantId} and ${isOld(table, before)}
      order by ${sql.ref(`old.${at}`)} limit ${limit}))`.execute(tx);
  return Number(numAffectedRows);
}
