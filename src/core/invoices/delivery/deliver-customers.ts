import type { Transaction } from "../../../store/store.ts";
import type { CustomerRow } from "../../../store/tables/invoices.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { differs } from "../../kernel/differs.ts";
import { searchColumns } from "../../kernel/text.ts";
import { NO_CUSTOMER } from "./customer-key.ts";
import { lockCustomers, namesOnOthers, writeCustomers } from "./customer-queries.ts";
import type { ArrivedInvoice } from "./delivered-rows.ts";

/** Of one customer, the last seen: an ERP that gives each invoice another must not make a row without end. */
const MOST_NAMES = 200;

/** The lines kept of a customer, and those that are new. */
function linesOf(kept: string | null | undefined, more: readonly (string | null)[]): string[] {
  return [...new Set([...(kept?.split("\n") ?? []), ...more].flatMap((line) => line || []))].slice(-MOST_NAMES);
}

/**
 * Writes the customers of new and changed invoices, and answers them by their key. If invoices of one customer differ, the
 * last one counts; unchanged invoices do not count, so that two that differ do not overwrite each other at every pull. Of account
 * numbers a customer has all, and is found by each of them and by each of its names (completions §13).
 */
export async function deliverCustomers(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { tenantId, connectionId }: { tenantId: string; connectionId: string },
  changed: readonly ArrivedInvoice[],
): Promise<Map<string, CustomerRow>> {
  const arrivals = Map.groupBy(changed, ({ delivered }) => delivered.customerKey);
  const leaving = changed.flatMap(({ known, delivered: { customerKey, columns } }) => {
    const { customer_number, customer_name } = columns;
    const stays =
      known?.customer_key === customerKey &&
      known.customer_number === customer_number &&
      known.customer_name === customer_name;
    return stays || known?.customer_key === NO_CUSTOMER ? [] : (known?.customer_key ?? []);
  });
  const customers = await lockCustomers(tx, tenantId, connectionId, [...new Set([...arrivals.keys(), ...leaving])]);
  const lost = new Set(leaving.map((key) => customers.get(key)?.customer_id ?? ""));
  const left = await namesOnOthers(
    tx,
    tenantId,
    [...lost],
    changed.map(({ invoiceId }) => invoiceId),
  );
  const toWrite: CustomerRow[] = [];
  for (const customerKey of new Set([...customers.keys(), ...arrivals.keys()])) {
    const own = (arrivals.get(customerKey) ?? []).map(({ delivered }) => delivered.columns);
    const stored = customers.get(customerKey);
    const id = stored?.customer_id ?? core.newId();
    const kept = lost.has(id) ? undefined : stored;
    const said = [...(left.get(id) ?? []), ...own];
    const numbers = linesOf(
      kept?.numbers,
      said.map((one) => one.customer_number),
    );
    // Invoices without a customer share one row, but each may have a name of its own.
    const named = customerKey === NO_CUSTOMER ? [] : said.map((one) => one.customer_name);
    const name = named.findLast((one) => one !== null) ?? kept?.name ?? null;
    const latest = own.at(-1) ?? { contact_name: stored?.contact_name ?? null, customer_email: stored?.email ?? null };
    const row: CustomerRow = {
      tenant_id: tenantId,
      customer_id: id,
      connection_id: connectionId,
      erp_customer_id: customerKey,
      numbers: numbers.length === 0 ? null : numbers.join("\n"),
      name,
      contact_name: latest.contact_name,
      email: latest.customer_email,
      email_override: stored?.email_override ?? null,
      ...searchColumns(name, ...numbers, ...linesOf(kept?.search_text, named)),
      created_at: stored?.created_at ?? nowOf(core),
    };
    customers.set(customerKey, row);
    if (stored === undefined || differs(stored, row)) toWrite.push(row);
  }
  await writeCustomers(tx, toWrite);
  return customers;
}
