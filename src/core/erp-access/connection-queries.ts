import { type InferResult, type RawBuilder, sql } from "kysely";
import { stampInvoices } from "../../store/aging/rollup.ts";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { MOST_ENDED } from "../gate/ended-access.ts";

export async function insertConnection(tx: Transaction, row: ErpConnectionRow) {
  await tx.insertInto("erp_connections").values(row).execute();
}

/** A connection, locked for a change. A connection is always locked before its run. */
export function lockConnection(tx: Transaction, tenantId: string, connectionId: string) {
  return connection(tx, tenantId, connectionId).forNoKeyUpdate().executeTakeFirst();
}

/** A connection of the tenant; undefined when missing. */
export function findConnection(tx: Transaction, tenantId: string, connectionId: string) {
  return connection(tx, tenantId, connectionId).executeTakeFirst();
}

/** A connection, locked against changes until the transaction ends. */
export function shareConnection(tx: Transaction, tenantId: string, connectionId: string) {
  return connection(tx, tenantId, connectionId).forShare().executeTakeFirst();
}

function connection(tx: Transaction, tenantId: string, connectionId: string) {
  return tx
    .selectFrom("erp_connections")
    .selectAll()
    .where((column) => column.and({ tenant_id: tenantId, connection_id: connectionId }));
}

/** Changes a connection the caller has locked. */
export async function updateConnection(
  tx: Transaction,
  connection: Pick<ErpConnectionRow, "tenant_id" | "connection_id">,
  change: Partial<ErpConnectionRow>,
) {
  await tx
    .updateTable("erp_connections")
    .set(change)
    .where((column) => column.and({ tenant_id: connection.tenant_id, connection_id: connection.connection_id }))
    .execute();
}

/** A tenant's connections that a condition holds of, oldest first. */
export function connectionsOf(tx: Transaction, tenantId: string, condition: RawBuilder<boolean>) {
  return tx
    .selectFrom("erp_connections as one")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where(condition)
    .orderBy("created_at")
    .orderBy("connection_id")
    .execute();
}

/** Pages show it: it is not disconnected, is the `named` one or of the {@link MOST_ENDED} others that were synced last. */
export const isListed = (tenantId: string, named: string | null = null) =>
  sql<boolean>`(status <> 'disconnected' or connection_id = ${named} or connection_id in (
    select connection_id from erp_connections where tenant_id = ${tenantId} and status = 'disconnected'
    order by last_successful_sync_at desc nulls last, created_at desc, connection_id limit ${MOST_ENDED}))`;

/** It may be the same ERP as another: it is not disconnected, or ever brought in an invoice. */
export const countsStill = sql<boolean>`(status <> 'disconnected' or exists (select from invoices as invoice
  where invoice.tenant_id = one.tenant_id and invoice.connection_id = one.connection_id))`;

/** Removes contacts' names from a connection's invoices and customers; the next pull reads each of them again. */
export async function forgetContactNames(
  tx: Transaction,
  { tenant_id, connection_id }: Pick<ErpConnectionRow, "tenant_id" | "connection_id">,
  at: string,
) {
  await sql`update customers as customer set contact_name = null
    where customer.tenant_id = ${tenant_id} and customer.connection_id = ${connection_id}
      and customer.contact_name is not null`.execute(tx);
  const { rows } = await sql<{ invoice_id: string }>`
    update invoices as invoice set contact_name = null, content_hash = null, updated_at = ${at}
    where invoice.tenant_id = ${tenant_id} and invoice.connection_id = ${connection_id}
      and invoice.contact_name is not null
    returning invoice.invoice_id`.execute(tx);
  const invoiceIds = rows.map((row) => row.invoice_id);
  stampInvoices(tx, invoiceIds, at);
}

/** The columns a caller may see. */
const ERP_CONNECTION_COLUMNS = [
  "connection_id",
  "name",
  "provider",
  "status",
  "last_sync_at",
  "last_successful_sync_at",
  "auto_sync_enabled",
  "auto_sync_interval_minutes",
  "pull_invoice_date_from",
  "payment_push_mode",
  "created_at",
] as const;

/** Of the invoices that a connection read last, how many tell its business units; and how many of these its name has. */
const [LATEST_INVOICES, UNITS_NAMED] = [1_000, 3];

/** All connections of the tenant, unordered, with what their names are made of: their place among them, and business units. */
export function visibleConnections(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("erp_connections")
    .select(ERP_CONNECTION_COLUMNS)
    .select([
      sql<number>`(select count(*)::integer from erp_connections as one where one.tenant_id = ${tenantId}
        and (one.created_at, one.connection_id) <= (erp_connections.created_at, erp_connections.connection_id))`.as(
        "place",
      ),
      sql<string[]>`array(
        select distinct business_unit from (
          select invoice.business_unit, invoice.erp_invoice_id from invoices as invoice
          where invoice.tenant_id = ${tenantId} and invoice.connection_id = erp_connections.connection_id and invoice.erp_invoice_id is not null
          order by invoice.erp_invoice_id desc limit ${LATEST_INVOICES}
        ) as latest where business_unit is not null order by business_unit limit ${UNITS_NAMED})`.as("units"),
    ])
    .where("tenant_id", "=", tenantId);
}

const PROVIDERS: Readonly<Record<ErpConnectionRow["provider"], string>> = { oracle_fusion: "Oracle Fusion" };

/** A connection as everybody sees it: its name has no host, which no answer carries (service.md §2.2). */
export function connectionOnWire({
  connection_id: id,
  name,
  place,
  units,
  ...shown
}: InferResult<ReturnType<typeof visibleConnections>>[number]) {
  const which = [PROVIDERS[shown.provider], ...(place > 1 ? [String(place)] : [])].join(" ");
  return { id, name: name ?? (units.length === 0 ? which : `${which} (${units.join(", ")})`), ...shown };
}

/** Condition on a connection: its id is one of these. */
const amongIds = (ids: readonly (string | null)[]) =>
  sql<boolean>`connection_id::text = any(${[...new Set(ids)]}::text[])`;

/** What some of the tenant's connections are called wherever people read of them, by their ids. */
export async function connectionNames(tx: Transaction, tenantId: string, ids: readonly (string | null)[]) {
  const rows = await visibleConnections(tx, tenantId).where(amongIds(ids)).execute();
  return new Map<string | null, string>(rows.map(connectionOnWire).map(({ id, name }) => [id, name]));
}
