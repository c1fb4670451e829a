import type { Transaction } from "../../store/store.ts";
import type { CustomerRow } from "../../store/tables/invoices.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import type { DeliveredInvoice } from "../invoices/delivered-invoice.ts";
import { differs } from "../shared/differs.ts";
import { searchColumns } from "../shared/text.ts";
import { NO_CUSTOMER } from "./customer-key.ts";
import { lockCustomers, writeCustomers } from "./delivery-queries.ts";

/**
 * Writes the customers of new and changed invoices, and answers them by their key. If invoices of one customer differ, the
 * last one counts; unchanged invoices do not count, so that two that differ do not overwrite each other at every pull.
 */
export async function deliverCustomers(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { tenantId, connectionId }: { tenantId: string; connectionId: string },
  changed: readonly DeliveredInvoice[],
): Promise<Map<string, CustomerRow>> {
  const latest = new Map<string, DeliveredInvoice>();
  for (const delivered of changed) latest.set(delivered.customerKey, delivered);
  const customers = await lockCustomers(tx, tenantId, connectionId, [...latest.keys()]);
  const toWrite: CustomerRow[] = [];
  for (const [customerKey, { columns }] of latest) {
    const stored = customers.get(customerKey);
    // Invoices without a customer share one row, but each may have a name of its own.
    const name = customerKey === NO_CUSTOMER ? null : columns.customer_name;
    const row: CustomerRow = {
      tenant_id: tenantId,
      customer_id: stored?.customer_id ?? core.newId(),
      connection_id: connectionId,
      erp_customer_id: customerKey,
      number: columns.customer_number,
      name,
      contact_name: columns.contact_name,
      email: columns.customer_email,
      email_override: stored?.email_override ?? null,
      ...searchColumns(name, columns.customer_number),
      created_at: stored?.created_at ?? nowOf(core),
    };
    customers.set(customerKey, row);
    if (stored === undefined || differs(stored, row)) toWrite.push(row);
  }
  await writeCustomers(tx, toWrite);
  return customers;
}
