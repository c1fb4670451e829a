import { sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";

/** What an audited object is about, now. */
export interface ObjectRow {
  /** Of the entry: the object's id, or that of the batch it was in. */
  object_id: string;
  /** What people call it where it has to do with no invoice. */
  name: string | null;
  invoice_id: string | null;
  invoice_number: string | null;
  customer_name: string | null;
  /** Major units; of an item for people minor ones stand in `amount_minor`. */
  amount: string | null;
  amount_minor: string | null;
  currency: string | null;
  receipt_number: string | null;
}

/** Objects that have a name: their kind, their table, their key, and their name in SQL. */
const NAMES = [
  ["members", "members", "member_id", "coalesce(object.name, object.email)"],
  ["keys", "api_keys", "key_id", "object.name"],
  ["assistants", "assistant_connections", "connection_id", "object.client_name"],
  ["erps", "erp_connections", "connection_id", "object.name"],
  ["integrations", "payment_integrations", "payment_integration_id", "object.provider"],
  ["invitations", "invitations", "invitation_id", "object.email"],
  ["customers", "customers", "customer_id", "object.name"],
  ["workflows", "workflows", "workflow_id", "object.name"],
] as const;
/** Kinds of objects: those that have to do with an invoice, links also by the reservation that made them; and named ones. */
export type ObjectKind =
  | "payments"
  | "links"
  | "linkBatches"
  | "invoices"
  | "items"
  | "tasks"
  | (typeof NAMES)[number][0];

/** Objects of a workspace by their ids, in one statement. */
export async function selectObjects(tx: Transaction, tenantId: string, idsOf: (kind: ObjectKind) => readonly string[]) {
  const among = (kind: ObjectKind) => anyOf(idsOf(kind), "uuid");
  const invoiceOf = (table: string) => sql`left join invoices as invoice
    on invoice.tenant_id = ${sql.ref(`${table}.tenant_id`)} and invoice.invoice_id = ${sql.ref(`${table}.invoice_id`)}`;
  const invoice = sql`null::text as name, invoice.invoice_id, invoice.invoice_number, invoice.customer_name`;
  const link = sql`${invoice}, link.amount, null::bigint as amount_minor, invoice.currency, null::text as receipt_number
    from payment_links as link ${invoiceOf("link")} where link.tenant_id = ${tenantId}`;
  const named = NAMES.map(
    ([kind, table, id, name]) => sql`union all
    select ${sql.ref(`object.${id}`)}, ${sql.raw(name)}, null, null, null, null, null, null, null
    from ${sql.table(table)} as object
    where object.tenant_id = ${tenantId} and ${sql.ref(`object.${id}`)} = ${among(kind)}`,
  );
  const { rows } = await sql<ObjectRow>`
    select payment.payment_id as object_id, ${invoice}, payment.amount, null::bigint as amount_minor, payment.currency,
      payment.erp_receipt_number as receipt_number
    from payments as payment ${invoiceOf("payment")}
    where payment.tenant_id = ${tenantId} and payment.payment_id = ${among("payments")}
    union all
    select link.payment_link_id, ${link} and link.payment_link_id = ${among("links")}
    union all
    select link.reservation_id, ${link} and link.reservation_id = ${among("linkBatches")}
    union all
    select invoice.invoice_id, ${invoice}, invoice.total_amount, null, invoice.currency, null
    from invoices as invoice
    where invoice.tenant_id = ${tenantId} and invoice.invoice_id = ${among("invoices")}
    union all
    select item.attention_item_id, ${invoice}, null, item.amount_minor, item.currency, null
    from attention_items as item ${invoiceOf("item")}
    where item.tenant_id = ${tenantId} and item.attention_item_id = ${among("items")}
    union all
    select task.task_id, ${invoice}, null, null, null, null
    from tasks as task ${invoiceOf("task")}
    where task.tenant_id = ${tenantId} and task.task_id = ${among("tasks")}
    ${sql.join(named, sql` `)}`.execute(tx);
  return rows;
}
