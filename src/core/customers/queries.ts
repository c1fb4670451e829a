import { sql } from "kysely";
import { stampInvoices } from "../../store/aging/rollup.ts";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { CustomerRow } from "../../store/tables/invoices.ts";

/** A customer, locked, but not for the foreign keys of invoices; undefined when the tenant has no such customer. */
export function lockCustomer(tx: Transaction, tenantId: string, customerId: string): Promise<CustomerRow | undefined> {
  return tx
    .selectFrom("customers")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("customer_id", "=", customerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Sets a customer's own billing email, null for the ERP's. */
export async function setEmailOverride(tx: Transaction, tenantId: string, customerId: string, email: string | null) {
  await tx
    .updateTable("customers")
    .set({ email_override: email })
    .where("tenant_id", "=", tenantId)
    .where("customer_id", "=", customerId)
    .execute();
}

/** Ids of a customer's invoices whose billing email is not `email`, in order. */
export async function invoicesWithOtherEmail(
  tx: Transaction,
  tenantId: string,
  customerId: string,
  email: string | null,
) {
  const rows = await tx
    .selectFrom("invoices")
    .select("invoice_id")
    .where("tenant_id", "=", tenantId)
    .where("customer_id", "=", customerId)
    .where("customer_email", "is distinct from", email)
    .orderBy("invoice_id")
    .forUpdate()
    .execute();
  return rows.map((row) => row.invoice_id);
}

export async function setInvoicesEmail(
  tx: Transaction,
  tenantId: string,
  invoiceIds: readonly string[],
  email: string | null,
  at: string,
) {
  stampInvoices(tx, invoiceIds, at);
  await tx
    .updateTable("invoices")
    .set({ customer_email: email, updated_at: at })
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .execute();
}

/** All account numbers of a customer, to be shown. */
export const allNumbers = (column: string) => sql<string | null>`replace(${sql.ref(column)}, e'\\n', ', ')`;

const EMAIL = sql<string | null>`coalesce(email_override, email)`;

function namedCustomers(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("customers")
    .select(["customer_id as id", "name", allNumbers("numbers").as("number"), EMAIL.as("email")])
    .where("tenant_id", "=", tenantId)
    .orderBy("sort_name")
    .orderBy("customer_id");
}

/** Customers with these ids, by name. */
export function customersNamedBy(tx: Transaction, tenantId: string, ids: readonly string[]) {
  return namedCustomers(tx, tenantId).where("customer_id", "=", anyOf(ids, "uuid")).execute();
}

/** Customers whose name or number has a folded text in it, or whose email has it where it may be one, by name. */
export function customersFound(tx: Transaction, tenantId: string, { text, limit }: { text: string; limit: number }) {
  const searched = text.includes("@") ? sql`concat_ws(e'\\n', search_text, lower(${EMAIL}))` : sql`search_text`;
  return namedCustomers(tx, tenantId).where(sql<boolean>`strpos(${searched}, ${text}) > 0`).limit(limit).execute();
}
