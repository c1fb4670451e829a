import { sql } from "kysely";
import { touchCustomers } from "../../../store/aging/rollup.ts";
import { allBut, anyOf, assignments, type Columns, names, recordset } from "../../../store/recordset.ts";
import type { Transaction } from "../../../store/store.ts";
import type { CustomerRow, InvoiceRow } from "../../../store/tables/invoices.ts";

/** How an invoice names its customer. */
type NamesOnInvoice = Pick<InvoiceRow, "customer_name" | "customer_number">;

const CUSTOMER = {
  tenant_id: "uuid",
  customer_id: "uuid",
  connection_id: "uuid",
  erp_customer_id: "text",
  numbers: "text",
  name: "text",
  contact_name: "text",
  email: "text",
  email_override: "text",
  search_text: "text",
  sort_name: "text",
  created_at: "timestamptz",
} as const satisfies Columns<CustomerRow>;

const CUSTOMER_CHANGES = allBut(CUSTOMER, [
  "tenant_id",
  "customer_id",
  "connection_id",
  "erp_customer_id",
  "email_override",
  "created_at",
]);

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
    .where((column) => column.and({ tenant_id: tenantId, connection_id: connectionId }))
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
export async function writeCustomers(tx: Transaction, customers: readonly CustomerRow[]): Promise<void> {
  if (customers.length === 0) return;
  touchCustomers(
    tx,
    customers.map((customer) => customer.customer_id),
  );
  await sql`insert into customers (${names(CUSTOMER)})
    select ${names(CUSTOMER, "delivered")} from ${recordset("delivered", customers, CUSTOMER)}
    on conflict (tenant_id, customer_id) do update set ${assignments(CUSTOMER_CHANGES, "excluded")}`.execute(tx);
}
