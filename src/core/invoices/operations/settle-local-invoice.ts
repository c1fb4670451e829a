import { z } from "zod";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { businessDate } from "../../kernel/calendar.ts";
import { formatMoney, formatStored, money } from "../../kernel/money.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { lineOf, MoneyString, PlainDate, Uuid } from "../../kernel/wire-types.ts";
import { timezoneOf } from "../../workspace/workspace-queries.ts";
import { Amount, amountFaults, Version } from "../local-invoice.ts";
import { addSettled } from "../local-invoice-queries.ts";
import { recomputeInvoices } from "../recompute.ts";
import { assertOpenAsShown, lockLocalInvoice } from "../write-local-invoice.ts";

/** Money for an invoice that came another way: how much of its currency, on which day, and how it is known by. */
export const SettledInput = {
  amount: Amount.describe("exact amount, such as 1250.50"),
  date: PlainDate.describe("when it came"),
  reference: lineOf(200).describe("how it is known by"),
};

/**
 * Notes money for an invoice made in the service that came another way, such as a transfer: it lowers what is owed, and is not among what
 * was collected (completions §13). Throws `not_found`, `conflict`, `validation_failed`.
 */
export const settleLocalInvoice = operation({
  id: "settleLocalInvoice",
  summary: "Note money that came another way, such as a transfer",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "Payment links that ask for more than is owed then are withdrawn.",
  idempotency: true,
  input: z.strictObject({ invoiceId: Uuid.describe("the invoice"), version: Version, ...SettledInput }),
  output: z.strictObject({ id: Uuid, collection_outstanding: MoneyString }),
  async run(context, { invoiceId, version, amount, date, reference }) {
    const { tx, actor, core, now, audit } = context;
    const invoice = await lockLocalInvoice(context, invoiceId);
    assertOpenAsShown(invoice, version);
    const { currency, collection_outstanding: owed } = invoice;
    const left = money(owed).minus(money(amount));
    const faults = amountFaults({ currency: currency ?? "", amount, installments: [] });
    if (left.isNegative())
      faults.push({ field: "amount", message: `must be at most what is owed, ${formatStored(owed, currency)}` });
    if (date > businessDate(core.clock.now(), await timezoneOf(tx, actor.tenantId)))
      faults.push({ field: "date", message: "must not be in the future" });
    if (faults.length > 0) throw validationFailed(faults);
    await addSettled(tx, actor.tenantId, invoiceId, { amount: money(amount).toFixed(), date, reference }, now);
    await recomputeInvoices(tx, core, actor.tenantId, [invoiceId]);
    const details = { amount: formatMoney(money(amount), currency), date, reference };
    audit({ type: "invoice", id: invoiceId, details });
    return { id: invoiceId, collection_outstanding: formatMoney(left, currency) };
  },
});
