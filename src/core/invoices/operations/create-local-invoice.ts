import { z } from "zod";
import type { InstallmentRow } from "../../../store/tables/invoices.ts";
import { SETTINGS_CHANGE } from "../../gate/actor.ts";
import type { ErrorDetail } from "../../gate/error.ts";
import { operation } from "../../gate/operation.ts";
import { minorDigits } from "../../shared/currencies.ts";
import { EmailAddress } from "../../shared/email-address.ts";
import { money, sum, ZERO } from "../../shared/money.ts";
import { cleanText, searchColumns } from "../../shared/text.ts";
import { validationFailed } from "../../shared/validation.ts";
import { PlainDate, Uuid } from "../../shared/wire-types.ts";
import { queueInvoices } from "../../workflows/queue-queries.ts";
import { collectionFigures } from "../collection-figures.ts";
import { lockChargeableCurrencies } from "../collection-queries.ts";
import { writeInstallments, writeInvoices } from "../deliver-queries.ts";

const AMOUNT = /^\d{1,30}(\.\d{1,20})?$/;
const Amount = z.string().refine((text) => AMOUNT.test(text) && money(text).greaterThan(ZERO), {
  error: "must be an exact decimal above zero, with at most 30 digits and 20 decimals",
});

const shownText = (maxLength: number) =>
  z
    .string()
    .transform((text) => cleanText(text, maxLength))
    .pipe(z.string("must not be empty"));

/** What people and operators say of an invoice of the service's own (contract: `invoice create`). */
export const LocalInvoiceInput = {
  number: shownText(100).nullable(),
  currency: z.string().refine((code) => minorDigits(code) !== undefined, "must be an ISO 4217 code in capitals"),
  amount: Amount,
  invoiceDate: PlainDate.nullable(),
  dueDate: PlainDate.nullable(),
  customerName: shownText(360).nullable(),
  customerEmail: EmailAddress.nullable(),
  installments: z.array(z.strictObject({ dueDate: PlainDate.nullable(), amount: Amount })).max(200),
};

const Input = z.strictObject({
  number: LocalInvoiceInput.number.default(null),
  currency: LocalInvoiceInput.currency,
  amount: LocalInvoiceInput.amount,
  invoiceDate: LocalInvoiceInput.invoiceDate.default(null),
  dueDate: LocalInvoiceInput.dueDate.default(null),
  customerName: LocalInvoiceInput.customerName.default(null),
  customerEmail: LocalInvoiceInput.customerEmail.default(null),
  installments: LocalInvoiceInput.installments.default([]),
});

/**
 * Makes an invoice that exists only in the service (service.md §2.3, origin `local`): without an ERP customer, with or
 * without installments. Answers its id and theirs, in the order given. Throws `validation_failed`.
 */
export const createLocalInvoice = operation({
  id: "createLocalInvoice",
  summary: "Create an invoice in the service",
  ...SETTINGS_CHANGE,
  sideEffects: "Workflows look at the invoice as at any other.",
  idempotency: true,
  input: Input,
  output: z.strictObject({ id: Uuid, installment_ids: z.array(Uuid) }),
  async run({ tx, actor: { tenantId }, core, now, audit }, given) {
    const faults = amountFaults(given);
    if (faults.length > 0) throw validationFailed(faults);
    const invoiceId = core.newId();
    const installments = given.installments.map(({ dueDate, amount }, index): InstallmentRow => {
      const ids = { tenant_id: tenantId, invoice_id: invoiceId, installment_id: core.newId() };
      const asked = { sequence_number: index + 1, due_date: dueDate, original_amount: amount };
      return { ...NEW_INSTALLMENT, ...ids, ...asked, collection_outstanding: amount, created_at: now };
    });
    const facts = {
      origin: "local" as const,
      finalised: true,
      retired_at: null,
      currency: given.currency,
      customer_email: given.customerEmail,
      total_amount: given.amount,
      erp_invoice_open_balance: null,
      has_installments: installments.length > 0,
    };
    const chargeable = await lockChargeableCurrencies(tx, tenantId);
    const figures = collectionFigures(facts, installments, [], chargeable);
    await writeInvoices(tx, [
      {
        ...facts,
        ...figures.invoice,
        ...searchColumns(given.customerName, null, given.number),
        tenant_id: tenantId,
        invoice_id: invoiceId,
        connection_id: null,
        erp_invoice_id: null,
        invoice_number: given.number,
        invoice_date: given.invoiceDate,
        due_date: given.dueDate,
        payment_terms: null,
        business_unit: null,
        customer_id: null,
        customer_number: null,
        customer_name: given.customerName,
        customer_site: null,
        contact_name: null,
        content_hash: null,
        last_synced_at: null,
        missing_since: null,
        created_at: now,
        updated_at: now,
      },
    ]);
    const rows = installments.map((row, index) => ({ ...row, ...figures.installments[index] }));
    await writeInstallments(tx, rows);
    await queueInvoices(tx, core, tenantId, [invoiceId]);
    audit({ type: "invoice", id: invoiceId });
    return { id: invoiceId, installment_ids: rows.map((row) => row.installment_id) };
  },
});

/** An installment of no ERP's, before its figures are worked out. */
const NEW_INSTALLMENT = {
  erp_installment_id: null,
  erp_outstanding: null,
  closed: false,
  closed_on: null,
  disputed: false,
  excluded: false,
  removed_at: null,
  collectible: false,
  not_collectible_reason: "nothing_outstanding",
  withdrawn_by_person_at: null,
  withdrawn_by_person_amount: null,
} as const;

/** The amounts of an invoice that is to be made, as they were typed. */
interface GivenAmounts {
  readonly currency: string;
  readonly amount: string;
  readonly installments: readonly { readonly amount: string }[];
}

/**
 * What is wrong with amounts beside their form, which the schema tells: money is in whole minor units (a cent, a yen, a fils), and
 * installments add up.
 */
export function amountFaults({ currency, amount, installments }: GivenAmounts): ErrorDetail[] {
  const digits = minorDigits(currency);
  const all = [
    { field: "amount", given: amount },
    ...installments.map((part, index) => ({ field: `installments[${index}].amount`, given: part.amount })),
  ].filter(({ given }) => AMOUNT.test(given));
  const message = `has more decimals than ${currency} has (${digits})`;
  const finer = all.filter(({ given }) => digits !== undefined && money(given).decimalPlaces() > digits);
  const faults = finer.map(({ field }) => ({ field, message }));
  if (installments.length === 0 || all.length <= installments.length) return faults;
  const [whole, ...parts] = all.map(({ given }) => money(given));
  if (whole === undefined || sum(parts).equals(whole)) return faults;
  return [...faults, { field: "installments", message: "must add up to the amount" }];
}
