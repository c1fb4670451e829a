import type { BillingContact, ErpInvoice } from "../../gateways/erp/gateway.ts";
import type { Transaction } from "../../store/store.ts";
import type { CustomerRow, InstallmentRow } from "../../store/tables/invoices.ts";
import { type Core, nowOf } from "../gate/core.ts";
import { invoicesBeyondDebt } from "../payment-links/link-queries.ts";
import { withdrawBeyondDebt } from "../payment-links/withdrawing/withdraw-beyond-debt.ts";
import { customerText } from "../shared/text.ts";
import { endTasks } from "../tasks/state-queries.ts";
import { queueInvoices } from "../workflows/queue-queries.ts";
import { collectionFigures, needsNoTask } from "./collection.ts";
import { installmentsOf, lockChargeableCurrencies, lockInvoices, paymentsOf } from "./collection-queries.ts";
import {
  type InvoiceToWrite,
  invoicesToReflect,
  type KnownInvoice,
  knownInvoices,
  lockCustomers,
  markFound,
  reflectPayments,
  writeCustomers,
  writeInstallments,
  writeInvoices,
} from "./deliver-queries.ts";
import { type DeliveredInvoice, deliveredInvoice, NO_CUSTOMER } from "./delivered-invoice.ts";
import { mergeInstallments } from "./merge-installments.ts";
import { byInvoice, recomputeInvoices } from "./recompute.ts";

/** What a run read from its ERP in one go. */
export interface Delivery {
  tenantId: string;
  connectionId: string;
  /** When the run that read it began. */
  startedAt: string;
  /** The greatest ERP id there was then: what has a greater one is new. Null where there was none. */
  storedThrough: string | null;
  /** Whether the connection takes the names of contacts over. */
  contactNames: boolean;
  invoices: readonly ErpInvoice[];
  /** By ERP customer id. */
  contacts: ReadonlyMap<string, BillingContact>;
}

/** One delivered invoice beside what is stored of it. */
interface Arrival {
  delivered: DeliveredInvoice;
  known: KnownInvoice | undefined;
  invoiceId: string;
}

/**
 * Takes in what an ERP delivered, in the transaction of a page: new and changed invoices are written with their
 * customers, installments and figures, a few statements for all of them; an unchanged one costs no write
 * (completions §6–7). An invoice that was retired or missing is back. The workflows look at what is new or changed.
 */
export async function deliverInvoices(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  delivery: Delivery,
): Promise<{ created: number; updated: number }> {
  const { tenantId, connectionId, startedAt } = delivery;
  const now = nowOf(core);
  const chargeable = await lockChargeableCurrencies(tx, tenantId);
  const erpIds = delivery.invoices
    .map((invoice) => invoice.erpInvoiceId)
    .filter((id) => delivery.storedThrough !== null && BigInt(id) <= BigInt(delivery.storedThrough));
  const known = await knownInvoices(tx, tenantId, connectionId, erpIds);
  const arrivals = delivery.invoices.map((invoice): Arrival => {
    const contact = delivery.contacts.get(invoice.customer.erpCustomerId ?? "");
    const delivered = deliveredInvoice(invoice, contact, { contactNames: delivery.contactNames });
    const stored = known.get(invoice.erpInvoiceId);
    return { delivered, known: stored, invoiceId: stored?.invoice_id ?? core.newId() };
  });
  const changed = arrivals.filter(hasChanged);
  const unchanged = arrivals.filter((arrival) => !hasChanged(arrival));
  const storedIds = changed.filter((arrival) => arrival.known !== undefined).map((arrival) => arrival.invoiceId);

  const customers = await deliverCustomers(tx, core, delivery, changed);
  const knownIds = [...known.values()].map((invoice) => invoice.invoice_id);
  const toReflect = await invoicesToReflect(tx, tenantId, knownIds, startedAt);
  const beyondDebt = await invoicesBeyondDebt(tx, tenantId, knownIds);
  await lockInvoices(tx, tenantId, [...storedIds, ...toReflect, ...beyondDebt]);
  const reflected = await reflectPayments(tx, tenantId, toReflect, { startedAt, now });
  const installments = byInvoice(await installmentsOf(tx, tenantId, storedIds));
  const payments = byInvoice(await paymentsOf(tx, tenantId, storedIds));

  const invoiceRows: InvoiceToWrite[] = [];
  const installmentRows: InstallmentRow[] = [];
  const withoutDebt: string[] = [];
  for (const arrival of changed) {
    const { delivered, known: stored, invoiceId } = arrival;
    const customer = customers.get(delivered.customerKey);
    if (customer === undefined) throw new Error("every delivered invoice has a customer");
    const identity = { tenantId, invoiceId, now, newId: core.newId };
    const merged = mergeInstallments(installments.get(invoiceId) ?? [], delivered.installments, identity);
    const facts = {
      origin: "erp" as const,
      ...delivered.columns,
      customer_email: customer.email_override ?? delivered.columns.customer_email,
      retired_at: null,
      has_installments: stored?.has_installments === true || merged.length > 0,
    };
    const parts = merged.map(({ row }) => row);
    const figures = collectionFigures(facts, parts, payments.get(invoiceId) ?? [], chargeable);
    invoiceRows.push({
      ...facts,
      ...figures.invoice,
      ...customerText(facts.customer_name, facts.customer_number),
      tenant_id: tenantId,
      invoice_id: invoiceId,
      connection_id: connectionId,
      erp_invoice_id: delivered.erpInvoiceId,
      customer_id: customer.customer_id,
      content_hash: delivered.contentHash,
      last_synced_at: now,
      missing_since: null,
      created_at: stored?.created_at ?? now,
      updated_at: now,
    });
    merged.forEach(({ row, stored: before }, index) => {
      const written = { ...row, ...figures.installments[index] };
      if (before === undefined || differs(before, written)) installmentRows.push(written);
    });
    if (stored !== undefined && needsNoTask(facts, parts)) withoutDebt.push(invoiceId);
  }
  await writeInvoices(tx, invoiceRows);
  await writeInstallments(tx, installmentRows);
  await withdrawBeyondDebt(tx, core, tenantId, storedIds);
  await endTasks(tx, tenantId, withoutDebt);
  await markFound(
    tx,
    tenantId,
    unchanged.filter(wasMissing).map(({ invoiceId }) => invoiceId),
    now,
  );
  const alreadyDone = new Set(storedIds);
  await recomputeInvoices(
    tx,
    core,
    tenantId,
    [...reflected, ...beyondDebt].filter((invoiceId) => !alreadyDone.has(invoiceId)),
  );
  await queueInvoices(
    tx,
    core,
    tenantId,
    changed.map(({ invoiceId }) => invoiceId),
  );
  return { created: changed.length - storedIds.length, updated: storedIds.length };
}

function hasChanged({ delivered, known }: Arrival): boolean {
  return known === undefined || known.retired_at !== null || known.content_hash !== delivered.contentHash;
}

function wasMissing({ known }: Arrival): boolean {
  return known !== undefined && known.missing_since !== null;
}

/**
 * Writes the customers of new and changed invoices, and answers them by their key. Of several deliveries of one
 * customer the last counts; invoices that did not change say nothing, so that two that differ never take turns.
 */
async function deliverCustomers(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { tenantId, connectionId }: Delivery,
  changed: readonly Arrival[],
): Promise<Map<string, CustomerRow>> {
  const latest = new Map<string, DeliveredInvoice>();
  for (const { delivered } of changed) latest.set(delivered.customerKey, delivered);
  const customers = await lockCustomers(tx, tenantId, connectionId, [...latest.keys()]);
  const toWrite: CustomerRow[] = [];
  for (const [customerKey, { columns }] of latest) {
    const stored = customers.get(customerKey);
    // Invoices that name no customer may each bear another name: it stays theirs.
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
      ...customerText(name, columns.customer_number),
      created_at: stored?.created_at ?? nowOf(core),
    };
    customers.set(customerKey, row);
    if (stored === undefined || differs(stored, row)) toWrite.push(row);
  }
  await writeCustomers(tx, toWrite);
  return customers;
}

function differs(stored: object, row: object): boolean {
  return Object.entries(row).some(([name, value]) => Reflect.get(stored, name) !== value);
}
