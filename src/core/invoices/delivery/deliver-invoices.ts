import type { BillingContact, ErpInvoice } from "../../../gateways/erp/gateway.ts";
import type { Transaction } from "../../../store/store.ts";
import type { SyncRunRow } from "../../../store/tables/erp.ts";
import type { CustomerRow } from "../../../store/tables/invoices.ts";
import {
  installmentsOf,
  lockChargeableCurrencies,
  lockInvoices,
  paymentsOf,
} from "../../collection/collection-queries.ts";
import { queueInvoices } from "../../collection/to-examine-queries.ts";
import { type Core, nowOf, type Stamping } from "../../gate/dependencies.ts";
import { differs } from "../../kernel/differs.ts";
import { searchColumns } from "../../kernel/text.ts";
import { invoicesBeyondDebt } from "../../payment-links/withdrawing/beyond-debt-queries.ts";
import { reviewActiveLinks } from "../../payment-links/withdrawing/review-active-links.ts";
import { endTasks } from "../../tasks/state-queries.ts";
import { byInvoice, recomputeInvoices } from "../recompute.ts";
import { invoicesToReflect, reflectPayments } from "../reflected-payment-queries.ts";
import {
  knownInvoices,
  lockCustomers,
  namesOnOthers,
  writeCustomers,
  writeInstallments,
  writeInvoices,
} from "./deliver-queries.ts";
import { type ArrivedInvoice, deliveredInvoice, NO_CUSTOMER, rowsOf } from "./delivered-invoice.ts";
import { markFound } from "./missing-queries.ts";
import { raisePayments } from "./raise-payments.ts";

/** Invoices that a run read from its ERP. */
export interface Delivery {
  /** The greatest stored ERP id when the run began: only it adds some, so invoices above are new. Null without any. */
  readonly storedThrough: string | null;
  /** Whether the connection stores contacts' names. */
  readonly contactNames: boolean;
  readonly invoices: readonly ErpInvoice[];
  /** By ERP customer id. */
  readonly contacts: ReadonlyMap<string, BillingContact>;
}

/** A run, as what it delivers is written. */
type DeliveringRun = Pick<SyncRunRow, "tenant_id" | "connection_id" | "started_at">;

/**
 * Writes what an ERP delivered, in the transaction of a page: new and changed invoices with their customers, installments
 * and figures, in a few statements; an unchanged one costs no write (completions §6–7). An invoice that was retired or
 * missing is back. Changed invoices are queued for the workflows.
 */
export async function deliverInvoices(tx: Transaction, core: Stamping, run: DeliveringRun, delivery: Delivery) {
  const { tenant_id: tenantId, started_at: startedAt } = run;
  const now = nowOf(core);
  const chargeable = await lockChargeableCurrencies(tx, tenantId);
  const arrivals = await arrivalsOf(tx, core, run, delivery);
  const changed = arrivals.filter(hasChanged);
  const isKnown = ({ known }: ArrivedInvoice) => known !== undefined;
  const storedIds = idsOf(changed.filter(isKnown));

  const customers = await deliverCustomers(tx, core, run, changed);
  const knownIds = idsOf(arrivals.filter(isKnown));
  const toReflect = await invoicesToReflect(tx, tenantId, knownIds, startedAt);
  const beyondDebt = await invoicesBeyondDebt(tx, tenantId, knownIds);
  await lockInvoices(tx, tenantId, [...storedIds, ...toReflect, ...beyondDebt]);
  const reflected = await reflectPayments(tx, tenantId, toReflect, { startedAt, now });
  const installments = byInvoice(await installmentsOf(tx, tenantId, storedIds));
  const payments = byInvoice(await paymentsOf(tx, tenantId, storedIds));

  const rows = changed.map((arrival) => {
    const customer = customers.get(arrival.delivered.customerKey);
    if (customer === undefined) throw new Error("every delivered invoice has a customer");
    return rowsOf(arrival, {
      now,
      newId: core.newId,
      customer,
      installments: installments.get(arrival.invoiceId) ?? [],
      payments: payments.get(arrival.invoiceId) ?? [],
      chargeable,
    });
  });
  const toWrite = rows.map(({ invoice }) => invoice);
  await writeInvoices(tx, toWrite);
  const parts = rows.flatMap((row) => row.installments);
  await writeInstallments(tx, parts);
  for (const arrival of changed)
    if (payments.has(arrival.invoiceId) && isForOther(arrival))
      await raisePayments(tx, core, tenantId, arrival.invoiceId);
  await reviewActiveLinks(tx, core, tenantId, storedIds);
  const stored = new Set(storedIds);
  const taskless = rows
    .flatMap((row) => (row.needsNoTask ? [row.invoice.invoice_id] : []))
    .filter((id) => stored.has(id));
  await endTasks(tx, tenantId, taskless);
  await markFound(tx, tenantId, idsOf(arrivals.filter((arrival) => !hasChanged(arrival) && wasMissing(arrival))), now);
  const moved = [...reflected, ...beyondDebt].filter((invoiceId) => !stored.has(invoiceId));
  await recomputeInvoices(tx, core, tenantId, moved);
  await queueInvoices(tx, core, tenantId, idsOf(changed));
  return { created: changed.length - storedIds.length, updated: storedIds.length };
}

const idsOf = (arrivals: readonly ArrivedInvoice[]) => arrivals.map(({ invoiceId }) => invoiceId);

/** The delivered invoices, each with what is stored of it. */
async function arrivalsOf(
  tx: Transaction,
  core: Pick<Core, "newId">,
  { tenant_id, connection_id }: DeliveringRun,
  { invoices, storedThrough, contacts, contactNames }: Delivery,
): Promise<ArrivedInvoice[]> {
  const erpIds = invoices
    .map((invoice) => invoice.erpInvoiceId)
    .filter((id) => storedThrough !== null && BigInt(id) <= BigInt(storedThrough));
  const stored = await knownInvoices(tx, tenant_id, connection_id, erpIds);
  return invoices.map((invoice) => {
    const contact = contacts.get(invoice.customer.erpCustomerId ?? "");
    const known = stored.get(invoice.erpInvoiceId);
    const delivered = deliveredInvoice(invoice, contact, { contactNames });
    return { delivered, known, invoiceId: known?.invoice_id ?? core.newId() };
  });
}

function hasChanged({ delivered, known }: ArrivedInvoice) {
  return known === undefined || known.retired_at !== null || known.content_hash !== delivered.contentHash;
}

/** Whether a known invoice is for another amount than before; nothing was owed on one that the ERP had no longer. */
function isForOther({ delivered: { columns }, known }: ArrivedInvoice) {
  if (known === undefined) return false;
  return (
    known.retired_at !== null || known.currency !== columns.currency || known.total_amount !== columns.total_amount
  );
}

function wasMissing({ known }: ArrivedInvoice) {
  return known !== undefined && known.missing_since !== null;
}

/** Of one customer, the last seen: an ERP that gives each invoice another must not make a row without end. */
const MOST_NAMES = 200;

/** The lines kept of a customer, and those that are new. */
function linesOf(kept: string | null | undefined, more: readonly (string | null)[]) {
  return [...new Set([...(kept?.split("\n") ?? []), ...more].flatMap((line) => line || []))].slice(-MOST_NAMES);
}

/**
 * Writes the customers of new and changed invoices, and answers them by their key. If invoices of one customer differ, the
 * last one counts; unchanged invoices do not count, so that two that differ do not overwrite each other at every pull. Of account
 * numbers a customer has all, and is found by each of them and by each of its names (completions §13).
 */
async function deliverCustomers(
  tx: Transaction,
  core: Stamping,
  { tenant_id, connection_id }: DeliveringRun,
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
  const customers = await lockCustomers(tx, tenant_id, connection_id, [...new Set([...arrivals.keys(), ...leaving])]);
  const lost = new Set(leaving.map((key) => customers.get(key)?.customer_id ?? ""));
  const left = await namesOnOthers(
    tx,
    tenant_id,
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
      tenant_id,
      customer_id: id,
      connection_id,
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
