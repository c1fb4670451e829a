import type { Transaction } from "../../store/store.ts";
import { collectionFigures, type InstallmentFigures, type InvoiceFigures } from "../collection/collection-figures.ts";
import {
  installmentsOf,
  invoiceIdsAfter,
  lockChargeableCurrencies,
  lockInvoices,
  paymentsOf,
  writeFigures,
} from "../collection/collection-queries.ts";
import { queueInvoices } from "../collection/to-examine-queries.ts";
import type { Stamping } from "../gate/dependencies.ts";
import { differs } from "../kernel/differs.ts";
import { reviewActiveLinks } from "../payment-links/withdrawing/review-active-links.ts";
import { needsNoTask } from "../tasks/not-needed.ts";
import { endTasks } from "../tasks/state-queries.ts";

const BATCH = 500;

/**
 * Recomputes the collection figures of some invoices, in the transaction of the change, and writes those that differ
 * (completions §6). Withdraws links that ask for more than is owed (§12), ends tasks of invoices that are retired or owe nothing
 * (service.md §3.4), and queues changed ones for workflows. `keepLinks` until the ERP's new balance is read: before, too little seems owed.
 */
export async function recomputeInvoices(
  tx: Transaction,
  core: Stamping,
  tenantId: string,
  invoiceIds: readonly string[],
  { keepLinks = false }: { keepLinks?: boolean } = {},
) {
  if (invoiceIds.length === 0) return;
  const chargeable = await lockChargeableCurrencies(tx, tenantId);
  const ids = [...new Set(invoiceIds)].sort();
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    await recomputeBatch(tx, core, tenantId, batch, chargeable);
    if (!keepLinks) await reviewActiveLinks(tx, core, tenantId, batch);
  }
}

/** The same for every invoice of a tenant, as when an integration was connected or disconnected. */
export async function recomputeTenant(tx: Transaction, core: Stamping, tenantId: string) {
  const chargeable = await lockChargeableCurrencies(tx, tenantId);
  let last: string | null = null;
  for (;;) {
    const ids: string[] = await invoiceIdsAfter(tx, tenantId, last, BATCH);
    await recomputeBatch(tx, core, tenantId, ids, chargeable);
    await reviewActiveLinks(tx, core, tenantId, ids);
    last = ids.at(-1) ?? null;
    if (ids.length < BATCH) return;
  }
}

async function recomputeBatch(
  tx: Transaction,
  core: Stamping,
  tenantId: string,
  invoiceIds: readonly string[],
  chargeable: ReadonlySet<string>,
) {
  if (invoiceIds.length === 0) return;
  const invoices = await lockInvoices(tx, tenantId, invoiceIds);
  const installments = byInvoice(await installmentsOf(tx, tenantId, invoiceIds));
  const payments = byInvoice(await paymentsOf(tx, tenantId, invoiceIds));

  const changedInvoices: (InvoiceFigures & { invoice_id: string })[] = [];
  const changedInstallments: (InstallmentFigures & { installment_id: string; invoice_id: string })[] = [];
  const withoutDebt: string[] = [];
  const moved = new Set<string>();
  for (const invoice of invoices) {
    const { invoice_id } = invoice;
    const parts = installments.get(invoice_id) ?? [];
    const figures = collectionFigures(invoice, parts, payments.get(invoice_id) ?? [], chargeable);
    if (differs(invoice, figures.invoice)) {
      changedInvoices.push({ invoice_id, ...figures.invoice });
      moved.add(invoice_id);
    }
    figures.installments.forEach((figure, index) => {
      const part = parts[index];
      if (part === undefined || !differs(part, figure)) return;
      changedInstallments.push({ installment_id: part.installment_id, invoice_id, ...figure });
      moved.add(invoice_id);
    });
    if (needsNoTask(invoice, parts)) withoutDebt.push(invoice_id);
  }
  await writeFigures(tx, tenantId, changedInvoices, changedInstallments);
  await endTasks(tx, tenantId, withoutDebt);
  await queueInvoices(tx, core, tenantId, [...moved]);
}

/** Rows by the invoice they belong to, in their order. */
export function byInvoice<Row extends { invoice_id: string }>(rows: readonly Row[]) {
  return Map.groupBy(rows, (row) => row.invoice_id);
}
