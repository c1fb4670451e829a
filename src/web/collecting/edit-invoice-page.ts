import type { z } from "zod";
import { editLocalInvoice } from "../../core/invoices/operations/edit-local-invoice.ts";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { settleLocalInvoice } from "../../core/invoices/operations/settle-local-invoice.ts";
import { voidLocalInvoice } from "../../core/invoices/operations/void-local-invoice.ts";
import { money } from "../../core/kernel/money.ts";
import { type Refusal, refusalNote, refusalOf } from "../kit/acts.ts";
import { idIn } from "../kit/admin-page.ts";
import { confirmation, input } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { actOnce, onceField } from "../kit/once.ts";
import type { Routes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { shownAmount } from "../lists/figures.ts";
import { isEditable } from "../receivables/invoice-actions.ts";
import { typedAmount } from "./amounts.ts";
import { posting } from "./link-view.ts";
import { formOf, inputOf, readInvoiceForm, type TypedInvoice, withRows } from "./local-invoice-form.ts";
import { invoiceForm, type Refused, refusedForm } from "./local-invoice-page.ts";

type Invoice = z.output<typeof getInvoice.output>;

const PATH = "/invoices/:invoiceId/edit";

/** What was sent and not carried out. */
interface Sent {
  readonly form?: TypedInvoice;
  readonly refused?: Refused;
  readonly refusal?: Refusal;
}

/** `/invoices/{id}/edit`: an invoice made in the service is edited, settled elsewhere or voided (completions §13). */
export function addEditInvoicePage(admins: Routes): void {
  const invoiceIn = (visit: WorkspaceVisit) =>
    visit.read(getInvoice, { invoice_id: idIn(visit.visit.request.params.invoiceId, "invoice") });
  const toInvoice = (visit: WorkspaceVisit, { id }: Invoice, done?: string): void =>
    visit.visit.redirect(visit.address(`/invoices/${id}`, done === undefined ? {} : { done }));

  admins.get(PATH, async (visit) => {
    const invoice = await invoiceIn(visit);
    if (!isEditable(invoice)) return toInvoice(visit, invoice);
    show(visit, invoice, {});
  });
  admins.post(PATH, async (visit) => {
    const invoice = await invoiceIn(visit);
    const form = readInvoiceForm(visit.visit);
    const rearranged = withRows(form, visit.visit.field("rows"));
    if (rearranged !== null) return show(visit, invoice, { form: rearranged });
    try {
      await actOnce(visit, editLocalInvoice, { invoiceId: invoice.id, version: form.version, ...inputOf(form) });
      toInvoice(visit, invoice, "edited");
    } catch (error) {
      show(visit, invoice, { form, refused: refusedForm(form, error, "The invoice was not changed.") });
    }
  });
  admins.post(`${PATH}/settle`, async (visit) => {
    const invoice = await invoiceIn(visit);
    const [amount, date, reference] = ["amount", "date", "reference"].map((name) => visit.visit.field(name).trim());
    const settled = { amount: typedAmount(amount ?? "") ?? amount ?? "", date: date ?? "", reference: reference ?? "" };
    try {
      await actOnce(visit, settleLocalInvoice, { invoiceId: invoice.id, ...settled });
      toInvoice(visit, invoice, "settled");
    } catch (error) {
      show(visit, invoice, { refusal: refusalOf(error) });
    }
  });
  admins.get(`${PATH}/void`, async (visit) => {
    const invoice = await invoiceIn(visit);
    if (!isEditable(invoice)) return toInvoice(visit, invoice);
    visit.show({ title: "Void an invoice", within: "Invoices", narrow: true, body: voidView(visit, invoice) });
  });
  admins.post(`${PATH}/void`, async (visit) => {
    const invoice = await invoiceIn(visit);
    await visit.visit.act(visit.workspace, voidLocalInvoice, { invoiceId: invoice.id });
    toInvoice(visit, invoice, "voided");
  });
}

function show(visit: WorkspaceVisit, invoice: Invoice, { form, refused, refusal }: Sent): void {
  const back = `/invoices/${invoice.id}`;
  const path = `${back}/edit`;
  const title = `Edit invoice ${invoice.invoice_number ?? "without a number"}`;
  const isCollected = !money(invoice.amount_collected).isZero();
  const edit = { path, name: "Edit", button: "Save changes", back };
  const body = html`<p class="crumbs"><a href="${visit.address(back)}">Invoice ${invoice.invoice_number}</a></p>
<h1>${title}</h1>
${refusalNote(refused ?? null)}
${isCollected ? html`<p class="quiet">Something was collected on it: it can no longer be edited.</p>` : invoiceForm(visit, form ?? formOf(invoice), refused?.problems ?? new Map(), edit)}
${settleForm(visit, invoice, refusal)}
<p><a class="danger" href="${visit.address(`${path}/void`)}">Void the invoice</a></p>`;
  visit.show({ title, within: "Invoices", body }, refused?.status ?? refusal?.status);
}

function settleForm(visit: WorkspaceVisit, invoice: Invoice, refusal: Refusal | undefined): Html {
  const { action, field } = visit.form(`/invoices/${invoice.id}/edit/settle`);
  const line = (name: string, label: string, attributes: Html): Html => {
    const message = refusal?.details.find((detail) => detail.field === name)?.message;
    const problem = message === undefined ? undefined : `It ${message}.`;
    const value = refusal === undefined ? "" : visit.visit.field(name);
    return html`<div>${input({ id: `settled-${name}`, name, label, problem }, html`value="${value}" ${attributes}`)}</div>`;
  };
  return html`<section><h2>Money that came another way</h2>
${refusal !== undefined && refusal.details.length === 0 && refusalNote(refusal)}
<form class="card" method="post" action="${action}" aria-label="Money that came another way" novalidate>${field}${onceField(visit.visit)}
<p class="quiet">A transfer or a cheque lowers what is owed, now ${shownAmount(invoice.collection_outstanding, invoice.currency)}. It is not counted as collected through links.</p>
<div class="pair">${line("amount", "Amount", html`inputmode="decimal" maxlength="60" autocomplete="off"`)}
${line("date", "Day", html`type="date"`)}
${line("reference", "Reference", html`maxlength="200" autocomplete="off"`)}</div>
<div class="actions"><button>Note the money</button></div></form></section>`;
}

/** Asks to confirm that an invoice is void, for good. */
function voidView(visit: WorkspaceVisit, invoice: Invoice): Html {
  const {
    currency,
    customer,
    collection_outstanding: owed,
    amount_collected: paid,
    settled_elsewhere: noted,
  } = invoice;
  const path = `/invoices/${invoice.id}/edit`;
  return confirmation({
    question: `Void invoice ${invoice.invoice_number}?`,
    consequences: [
      html`It is for ${customer.name}, over ${shownAmount(invoice.total_amount, currency)}; ${shownAmount(owed, currency)} is outstanding.`,
      "It owes nothing then, for good: it cannot be edited or collected any more.",
      "Its payment links are withdrawn, and their scheduled emails cancelled. A payment that arrives all the same is recorded.",
      !money(paid).isZero() &&
        html`${shownAmount(paid, currency)} was paid through links. It stays recorded, and is listed with what needs a person until it is dealt with.`,
      noted.length > 0 && "What was noted as money that came another way stays noted.",
    ],
    ...posting(visit, `${path}/void`),
    button: "Void invoice",
    back: { path: visit.address(path), words: "Keep the invoice" },
  });
}
