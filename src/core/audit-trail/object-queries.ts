import { sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";

/** What an audited object is about, as it stands now. */
export interface ObjectRow {
  /** Of the entry: the object's id, or that of the batch it was in. */
  object_id: string;
  invoice_number: string | null;
  customer_name: string | null;
  /** Major units; of an item for people minor ones stand in `amount_minor`. */
  amount: string | null;
  amount_minor: string | null;
  currency: string | null;
  receipt_number: string | null;
}

/** Ids by the kind of object. */
export interface ObjectIds {
  readonly payments: readonly string[];
  readonly links: readonly string[];
  /** Reservations that links were made by together. */
  readonly linkBatches: readonly string[];
  readonly invoices: readonly string[];
  readonly items: readonly string[];
}

/** Payments, links, invoices and items for people of a workspace by their ids, in one statement. */
export async function selectObjects(tx: Transaction, tenantId: string, ids: ObjectIds): Promise<ObjectRow[]> {
  const invoiceOf = (table: string) => sql`left join invoices as invoice
    on invoice.tenant_id = ${sql.ref(`${table}.tenant_id`)} and invoice.invoice_id = ${sql.ref(`${table}.invoice_id`)}`;
  const invoice = sql`invoice.invoice_number, invoice.customer_name`;
  const link = sql`${invoice}, link.amount, null::bigint as amount_minor, invoice.currency, null::text as receipt_number
    from payment_links as link ${invoiceOf("link")} where link.tenant_id = ${tenantId}`;
  const { rows } = await sql<ObjectRow>`
    select payment.payment_id as object_id, ${invoice}, payment.amount, null::bigint as amount_minor, payment.currency,
      payment.erp_receipt_number as receipt_number
    from payments as payment ${invoiceOf("payment")}
    where payment.tenant_id = ${tenantId} and payment.payment_id = ${anyOf(ids.payments, "uuid")}
    union all
    select link.payment_link_id, ${link} and link.payment_link_id = ${anyOf(ids.links, "uuid")}
    union all
    select link.reservation_id, ${link} and link.reservation_id = ${anyOf(ids.linkBatches, "uuid")}
    union all
    select invoice.invoice_id, ${invoice}, invoice.total_amount, null, invoice.currency, null
    from invoices as invoice
    where invoice.tenant_id = ${tenantId} and invoice.invoice_id = ${anyOf(ids.invoices, "uuid")}
    union all
    select item.attention_item_id, ${invoice}, null, item.amount_minor, item.currency, null
    from attention_items as item ${invoiceOf("item")}
    where item.tenant_id = ${tenantId} and item.attention_item_id = ${anyOf(ids.items, "uuid")}`.execute(tx);
  return rows;
}
