import { sql } from "kysely";
import { foundCurrencies } from "../../../store/aging/found-currencies.ts";
import { stampInvoices, touchCustomers, touchInvoices } from "../../../store/aging/rollup.ts";
import { anyOf, upsert } from "../../../store/recordset.ts";
import type { Transaction } from "../../../store/store.ts";
import type { CustomerRow, InstallmentRow, InvoiceRow } from "../../../store/tables/invoices.ts";

/** What has to be known of a stored invoice to tell whether a delivery changes it. */
export type KnownInvoice = Pick<InvoiceRow, "invoice_id" | "content_hash" | "missing_since" | "retired_at"> &
  Pick<
    InvoiceRow,
    "has_installments" | "created_at" | "customer_name" | "customer_number" | "currency" | "total_amount"
  > & {
    erp_invoice_id: string;
    /** Its customer's (`erpCustomerKey`). */
    customer_key: string | null;
  };

/** An invoice as a delivery writes it; what else its row holds stays. */
type InvoiceToWrite = Omit<InvoiceRow, "has_active_payment_link">;

/** The greatest ERP id of the invoices that a connection has; null where it has none. */
export async function greatestErpId(tx: Transaction, tenantId: string, connectionId: string) {
  const { rows } = await sql<{ greatest: string | null }>`
    select max(invoice.erp_invoice_id) as greatest from invoices as invoice
    where invoice.tenant_id = ${tenantId} and invoice.connection_id = ${connectionId}`.execute(tx);
  return rows[0]?.greatest ?? null;
}

/** How many invoices a workspace has, retired ones and its own too. */
export async function countInvoices(tx: Transaction, tenantId: string) {
  const { rows } = await sql<{ count: string }>`
    select count(*) from invoices as invoice where invoice.tenant_id = ${tenantId}`.execute(tx);
  return Number(rows[0]?.count);
}

/** The currencies of a workspace's invoices, retired ones left out. */
export async function currenciesOf(tx: Transaction, tenantId: string) {
  const { rows } = await sql<{ currency: string }>`
    with recursive ${foundCurrencies(sql`${tenantId}`)}
    select currency from found where currency is not null`.execute(tx);
  return rows.map(({ currency }) => currency);
}

/** Which of the ERP ids of a connection are stored, and as what. */
export async function knownInvoices(
  tx: Transaction,
  tenantId: string,
  connectionId: string,
  erpInvoiceIds: readonly string[],
): Promise<Map<string, KnownInvoice>> {
  if (erpInvoiceIds.length === 0) return new Map();
  const { rows } = await sql<KnownInvoice>`
    select invoice.invoice_id, invoice.erp_invoice_id, invoice.content_hash, invoice.missing_since,
      invoice.retired_at, invoice.has_installments, invoice.created_at, invoice.customer_name,
      invoice.customer_number, invoice.currency, invoice.total_amount, customer.erp_customer_id as customer_key
    from invoices as invoice left join customers as customer on customer.tenant_id = invoice.tenant_id
      and customer.customer_id = invoice.customer_id
    where invoice.tenant_id = ${tenantId} and invoice.connection_id = ${connectionId}
      and invoice.erp_invoice_id = ${anyOf(erpInvoiceIds, "bigint")}`.execute(tx);
  return new Map(rows.map((row) => [row.erp_invoice_id, row]));
}

export async function writeInvoices(tx: Transaction, invoices: readonly InvoiceToWrite[]) {
  if (invoices.length === 0) return;
  touchInvoices(
    tx,
    invoices.map((invoice) => invoice.invoice_id),
  );
  for (const { invoice_id, updated_at } of invoices) stampInvoices(tx, [invoice_id], updated_at);
  // It may come to be another customer's, as accounts are merged.
  const lasting = ["connection_id", "origin", "erp_invoice_id", "created_at", "has_active_payment_link"];
  const rows = invoices.map((invoice) => ({ ...invoice, has_active_payment_link: false }));
  await upsert("invoices", rows, { key: ["tenant_id", "invoice_id"], lasting }).execute(tx);
}

export async function writeInstallments(tx: Transaction, installments: readonly InstallmentRow[]) {
  if (installments.length === 0) return;
  touchInvoices(
    tx,
    installments.map((installment) => installment.invoice_id),
  );
  const lasting = ["invoice_id", "erp_installment_id", "created_at"];
  await upsert("installments", installments, { key: ["tenant_id", "installment_id"], lasting }).execute(tx);
}

/** How an invoice names its customer. */
type NamesOnInvoice = Pick<InvoiceRow, "customer_name" | "customer_number">;

/**
 * Customers of a connection by their stored ERP id, locked in order. The lock is weak enough for foreign-key checks of
 * invoices: a pull locks customers before invoices, others the other way round.
 */
export async function lockCustomers(
  tx: Transaction,
  tenantId: string,
  connectionId: string,
  customerKeys: readonly string[],
): Promise<Map<string, CustomerRow>> {
  if (customerKeys.length === 0) return new Map();
  const rows = await tx
    .selectFrom("customers")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("connection_id", "=", connectionId)
    .where("erp_customer_id", "in", [...customerKeys])
    .orderBy("customer_id")
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.erp_customer_id, row]));
}

/** Names and account numbers of customers on invoices other than some, by the customer's id, those of the oldest invoices first. */
export async function namesOnOthers(
  tx: Transaction,
  tenantId: string,
  customerIds: readonly string[],
  invoiceIds: readonly string[],
): Promise<Map<string, NamesOnInvoice[]>> {
  if (customerIds.length === 0) return new Map();
  const { rows } = await sql<NamesOnInvoice & { customer_id: string }>`
    select invoice.customer_id, invoice.customer_name, invoice.customer_number from invoices as invoice
    where invoice.tenant_id = ${tenantId} and invoice.customer_id = ${anyOf(customerIds, "uuid")}
      and invoice.invoice_id <> all(${`{${invoiceIds.join(",")}}`}::uuid[])
    group by 1, 2, 3 order by min(invoice.created_at), 2, 3`.execute(tx);
  return Map.groupBy(rows, (row) => row.customer_id);
}

/** Inserts customers, or overwrites what a delivery may change of them. */
export async function writeCustomers(tx: Transaction, customers: readonly CustomerRow[]) {
  if (customers.length === 0) return;
  touchCustomers(
    tx,
    customers.map((customer) => customer.customer_id),
  );
  const lasting = ["connection_id", "erp_customer_id", "email_override", "created_at"];
  await upsert("customers", customers, { key: ["tenant_id", "customer_id"], lasting }).execute(tx);
}
