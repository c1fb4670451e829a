import { z } from "zod";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { ServiceError } from "../../kernel/error.ts";
import { money } from "../../kernel/money.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { AcceptDoubtful, type LocalInvoice, LocalInvoiceInput, Version } from "../local-invoice.ts";
import { liveInstallments } from "../local-invoice-queries.ts";
import { assertAcceptable, assertOpenAsShown, lockLocalInvoice, writeLocalInvoice } from "../write-local-invoice.ts";

/**
 * Changes what is given of an invoice made in the service, until something was collected on it (completions §13); installments that are given
 * replace all, and a single one follows the invoice's amount and due date. Throws `not_found`, `conflict`, `validation_failed`, for what
 * has to be confirmed too.
 */
export const editLocalInvoice = operation({
  id: "editLocalInvoice",
  summary: "Change an invoice made in the service, until something was collected",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "Payment links that ask for more than is owed then are withdrawn.",
  idempotency: true,
  input: z.strictObject({
    invoiceId: Uuid.describe("the invoice"),
    version: Version,
    ...z.strictObject(LocalInvoiceInput).partial().shape,
    confirmed: AcceptDoubtful,
  }),
  output: z.strictObject({ id: Uuid, installment_ids: z.array(Uuid) }),
  async run(context, { invoiceId, version, confirmed, ...changes }) {
    const { tx, actor, audit } = context;
    const stored = await lockLocalInvoice(context, invoiceId);
    assertOpenAsShown(stored, version);
    if (!money(stored.amount_collected).isZero())
      throw new ServiceError("conflict", "Something was collected on the invoice: it can no longer be edited.");
    const parts = await liveInstallments(tx, actor.tenantId, invoiceId);
    const before: LocalInvoice = {
      number: stored.invoice_number ?? "",
      currency: stored.currency ?? "",
      amount: stored.total_amount ?? "",
      invoiceDate: stored.invoice_date,
      dueDate: stored.due_date,
      customerName: stored.customer_name ?? "",
      customerEmail: stored.customer_email,
      installments: parts.map((part) => ({ dueDate: part.due_date, amount: part.original_amount ?? "" })),
    };
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const [only, ...more] = before.installments;
    const single = only === undefined || more.length > 0 ? {} : { dueDate: only.dueDate, installments: [] };
    const redated = changes.installments === undefined ? {} : { dueDate: null };
    const after: LocalInvoice = { ...before, ...single, ...redated, ...given };
    if (after.currency !== before.currency && stored.settled_elsewhere.length > 0)
      throw validationFailed([{ field: "currency", message: `must stay ${before.currency}: money was noted in it` }]);
    await assertAcceptable(context, after, { invoiceId, confirmed });
    const at = { invoiceId, createdAt: stored.created_at };
    const installmentIds = await writeLocalInvoice(context, at, after, parts);
    const changed = Object.keys(given).filter(
      (name) => JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(given[name]),
    );
    audit(changed.length === 0 ? null : { type: "invoice", id: invoiceId, details: { changed: changed.join(", ") } });
    return { id: invoiceId, installment_ids: installmentIds };
  },
});
