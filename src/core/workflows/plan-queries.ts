import type { Transaction } from "../../store/store.ts";
import { sameTenant } from "../kernel/same-tenant.ts";
import { paidInOtherCurrency } from "./run-queries.ts";

/** Who gets a message: a customer, or nobody's customer, at an address. */
export interface Addressee {
  readonly customerId: string | null;
  readonly email: string;
}

/** Who would be mailed about an installment; undefined for an unknown one, or without an address. */
export async function addresseeOf(tx: Transaction, tenantId: string, installmentId: string) {
  const row = await tx
    .selectFrom("installments as installment")
    .innerJoin("invoices as invoice", sameTenant("invoice", "installment", "invoice_id"))
    .select(["invoice.customer_id", "invoice.customer_email"])
    .where((column) => column.and({ "installment.tenant_id": tenantId, "installment.installment_id": installmentId }))
    .executeTakeFirst();
  const email = row?.customer_email ?? null;
  return row === undefined || email === null ? undefined : { customerId: row.customer_id, email };
}

/** An invoice with what a plan needs. */
export type InvoiceToPlan = Awaited<ReturnType<typeof openInvoicesAfter>>[number];

/** Open invoices of a tenant, or of one addressee there, in the order of their ids, from after `after` on. */
export function openInvoicesAfter(
  tx: Transaction,
  tenantId: string,
  { after, limit, addressee }: { after: string | null; limit: number; addressee: Addressee | null },
) {
  let query = tx
    .selectFrom("invoices as invoice")
    .leftJoin("erp_connections as connection", sameTenant("connection", "invoice", "connection_id"))
    .leftJoin("customer_mailing as mailing", sameTenant("mailing", "invoice", "customer_id"))
    .select([
      paidInOtherCurrency(tenantId, "invoice"),
      "mailing.no_mail",
      "invoice.invoice_id",
      "invoice.invoice_number",
      "invoice.currency",
      "invoice.collection_status",
      "invoice.collection_outstanding",
      "invoice.total_amount",
      "invoice.customer_id",
      "invoice.customer_name",
      "invoice.customer_email",
      "connection.status as connection_status",
    ])
    .where((column) => column.and({ "invoice.tenant_id": tenantId, "invoice.collection_status": "open" }));
  if (after !== null) query = query.where("invoice.invoice_id", ">", after);
  if (addressee !== null)
    query = query
      .where("invoice.customer_id", "is not distinct from", addressee.customerId)
      .where("invoice.customer_email", "=", addressee.email);
  return query.orderBy("invoice.invoice_id").limit(limit).execute();
}
