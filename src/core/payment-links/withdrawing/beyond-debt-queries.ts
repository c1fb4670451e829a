import { sql } from "kysely";
import { anyOf } from "../../../store/recordset.ts";
import type { Transaction } from "../../../store/store.ts";
import { sameTenant } from "../../kernel/same-tenant.ts";

/** Reasons of the ERP's for which nothing may be asked any more (completions §12). */
export const ENDS_LINKS = ["retired", "removed", "closed", "excluded", "disputed", "nothing_outstanding"] as const;

/** An active link that nobody has paid, and what its installment owes. */
export type ActiveLink = Awaited<ReturnType<typeof lockActiveLinksOf>>[number];

/** The active links of some invoices, which are locked, oldest first. */
export function lockActiveLinksOf(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  return tx
    .selectFrom("payment_links as link")
    .innerJoin("installments as installment", sameTenant("installment", "link", "installment_id"))
    .innerJoin("invoices as invoice", sameTenant("invoice", "link", "invoice_id"))
    .leftJoin("link_emails as email", sameTenant("email", "link", "payment_link_id"))
    .select([
      "link.payment_link_id",
      "link.invoice_id",
      "link.installment_id",
      "link.amount_minor",
      "link.currency",
      "invoice.currency as owed_currency",
      "email.status as email_status",
      "installment.collection_outstanding",
      "installment.not_collectible_reason",
    ])
    .where("link.tenant_id", "=", tenantId)
    .where("link.invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .where((column) => column.and({ "link.state": "active", "link.paid_at": null }))
    .orderBy("link.created_at")
    .orderBy("link.payment_link_id")
    .forUpdate("link")
    .execute();
}

/** Which of some invoices have active links that may ask for too much, as their figures stand (completions §12). */
export async function invoicesBeyondDebt(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  if (invoiceIds.length === 0) return [];
  const { rows } = await sql<{ invoice_id: string }>`
    select distinct link.invoice_id from payment_links as link
    join installments as installment
      on installment.tenant_id = ${tenantId} and installment.installment_id = link.installment_id
    join invoices as invoice on invoice.tenant_id = ${tenantId} and invoice.invoice_id = link.invoice_id
    where link.tenant_id = ${tenantId} and link.invoice_id = ${anyOf(invoiceIds, "uuid")}
      and link.state = 'active' and link.paid_at is null
    group by link.invoice_id, link.installment_id, installment.collection_outstanding, installment.not_collectible_reason
    having sum(link.amount) > installment.collection_outstanding
      or bool_or(link.currency is distinct from invoice.currency)
      or installment.not_collectible_reason in (${sql.join(ENDS_LINKS.map((reason) => sql.lit(reason)))})`.execute(tx);
  return rows.map((row) => row.invoice_id);
}
