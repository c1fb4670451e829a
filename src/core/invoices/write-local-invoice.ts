import type { InstallmentRow, InvoiceRow } from "../../store/tables/invoices.ts";
import { lockTenantFigures } from "../collection/collection-queries.ts";
import type { Manager, RunContext } from "../gate/operation.ts";
import { businessDate } from "../kernel/calendar.ts";
import { orNotFound, ServiceError } from "../kernel/error.ts";
import { searchColumns } from "../kernel/text.ts";
import { toConfirm, validationFailed } from "../kernel/validation.ts";
import { timezoneOf } from "../workspace/workspace-queries.ts";
import { writeInstallments, writeInvoices } from "./delivery/deliver-queries.ts";
import { amountFaults, doubtfulDates, type LocalInvoice } from "./local-invoice.ts";
import { invoicesOfNumber, lockInvoice } from "./local-invoice-queries.ts";
import { recomputeInvoices } from "./recompute.ts";

type Context = RunContext<Manager>;

/**
 * An invoice of the service's own, locked, that is not void. Nothing else changes figures of the workspace meanwhile. Throws `not_found`, and
 * `conflict` for one of an ERP's.
 */
export async function lockLocalInvoice(context: Context, invoiceId: string) {
  const { tx, actor } = context;
  await lockTenantFigures(tx, actor.tenantId);
  const invoice = orNotFound(await lockInvoice(tx, actor.tenantId, invoiceId), "invoice");
  if (invoice.origin === "erp") throw new ServiceError("conflict", "The ERP has this invoice: it is changed there.");
  return invoice;
}

/** Throws `conflict` for a void invoice, and where it is no longer as the caller was shown it. */
export function assertOpenAsShown(
  { voided_at: voidedAt, updated_at: updatedAt }: { readonly voided_at: string | null; readonly updated_at: string },
  version: string | undefined,
) {
  if (voidedAt !== null) throw new ServiceError("conflict", "The invoice is void.");
  if (version !== undefined && version !== updatedAt)
    throw new ServiceError("conflict", "The invoice was changed meanwhile. Open it again and see how.");
}

/**
 * Throws `validation_failed` for what an invoice of the service's own cannot be, and unless it is `confirmed` for what is doubtful:
 * a number that the ERP has, a due date long ago or before the invoice date. The caller holds the workspace's figures.
 */
export async function assertAcceptable(
  { tx, actor: { tenantId }, core }: Context,
  invoice: LocalInvoice,
  { invoiceId, confirmed }: { invoiceId: string | null; confirmed: boolean },
) {
  const others = await invoicesOfNumber(tx, tenantId, invoice.number, invoiceId);
  const faults = amountFaults(invoice);
  if (others.local !== undefined)
    faults.push({ field: "number", message: `is that of another invoice made here, ${others.local}` });
  if (faults.length > 0) throw validationFailed(faults);
  const today = businessDate(core.clock.now(), await timezoneOf(tx, tenantId));
  const doubts = doubtfulDates(invoice, today);
  if (others.erp !== undefined) doubts.unshift(`the ERP has an invoice with this number, ${others.erp}`);
  if (doubts.length === 0 || confirmed) return;
  throw toConfirm("confirmed", doubts.join(", and "));
}

/**
 * Writes an invoice of the service's own with its installments, which take the places of `stored` ones, and all that follows from them.
 * Without any it is one of its own, because nothing else can be collected (completions §9). Without a due date it has the last
 * installment's.
 */
export async function writeLocalInvoice(
  { tx, actor: { tenantId }, core, now }: Context,
  { invoiceId, createdAt }: { invoiceId: string; createdAt: string },
  given: LocalInvoice,
  stored: readonly InstallmentRow[],
) {
  const { dueDate: due, amount: whole } = given;
  const installments = given.installments.length > 0 ? given.installments : [{ dueDate: due, amount: whole }];
  const parts = installments.map(({ dueDate, amount }, index): InstallmentRow => {
    const own = stored[index] ?? { ...NEW_INSTALLMENT, installment_id: core.newId(), created_at: now };
    const ids = { tenant_id: tenantId, invoice_id: invoiceId };
    return { ...own, ...ids, sequence_number: index + 1, due_date: dueDate, original_amount: amount };
  });
  const lastDue =
    parts
      .flatMap((part) => part.due_date ?? [])
      .sort()
      .at(-1) ?? null;
  const removed = stored.slice(parts.length).map((row) => ({ ...row, removed_at: now }));
  await writeInvoices(tx, [
    {
      ...NEW_INVOICE,
      ...searchColumns(given.customerName, null, given.number),
      tenant_id: tenantId,
      invoice_id: invoiceId,
      invoice_number: given.number,
      currency: given.currency,
      total_amount: given.amount,
      invoice_date: given.invoiceDate,
      due_date: given.dueDate ?? lastDue,
      customer_name: given.customerName,
      customer_email: given.customerEmail,
      has_installments: true,
      created_at: createdAt,
      updated_at: now,
    },
  ]);
  await writeInstallments(tx, [...parts, ...removed]);
  await recomputeInvoices(tx, core, tenantId, [invoiceId]);
  return parts.map((row) => row.installment_id);
}

/** An installment of no ERP's, before its figures are worked out. */
const NEW_INSTALLMENT = {
  erp_installment_id: null,
  erp_outstanding: null,
  closed: false,
  closed_on: null,
  disputed: false,
  excluded: false,
  removed_at: null,
  collection_outstanding: "0",
  collectible: false,
  not_collectible_reason: "nothing_outstanding",
  withdrawn_by_person_at: null,
  withdrawn_by_person_amount: null,
} as const;

/** The same of an invoice. */
const NEW_INVOICE = {
  origin: "local",
  connection_id: null,
  erp_invoice_id: null,
  erp_invoice_open_balance: null,
  payment_terms: null,
  business_unit: null,
  finalised: true,
  customer_id: null,
  customer_number: null,
  customer_site: null,
  contact_name: null,
  content_hash: null,
  last_synced_at: null,
  missing_since: null,
  retired_at: null,
  collection_status: "inactive",
  collection_outstanding: "0",
  amount_collected: "0",
  collection_due_date: null,
  not_collectible_reason: null,
  erp_push_state: null,
  has_held_payment: false,
} as const satisfies Partial<InvoiceRow>;
