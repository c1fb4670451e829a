import type { z } from "zod";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { settleLocalInvoice } from "../../core/invoices/operations/settle-local-invoice.ts";
import { voidLocalInvoice } from "../../core/invoices/operations/void-local-invoice.ts";
import { money } from "../../core/kernel/money.ts";
import { confirmation } from "../kit/fields.ts";
import { Form } from "../kit/form.ts";
import { type Html, html } from "../kit/html.ts";
import { refusalNote } from "../kit/refusal.ts";
import type { Routes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { shownAmount } from "../lists/figures.ts";
import { isEditable } from "../receivables/invoice-actions.ts";
import { typedAmount } from "./amounts.ts";
import {
  EDIT_INVOICE,
  fieldsOfInvoice,
  invoiceForm,
  rearrangedRows,
  rowsOfInvoice,
  sendInvoice,
} from "./local-invoice-form.ts";

type Invoice = z.output<typeof getInvoice.output>;

const PATH = "/invoices/:invoiceId/edit";

const SETTLE_INVOICE = new Form(settleLocalInvoice, {
  amount: {
    label: "Amount",
    attributes: html`inputmode="decimal" maxlength="60" autocomplete="off"`,
    read: (typed) => typedAmount(typed) ?? typed.trim(),
  },
  date: { label: "Day" },
  reference: { label: "Reference", attributes: html`maxlength="200" autocomplete="off"` },
});

const invoiceIn = (visit: WorkspaceVisit): Promise<Invoice> =>
  visit.read(getInvoice, { invoice_id: visit.visit.id("invoiceId", "invoice") });

const pageOf = (visit: WorkspaceVisit, { id }: Invoice, done?: string): string =>
  visit.address(`/invoices/${id}`, { done });

/** `/invoices/{id}/edit`: an invoice made in the service is edited, settled elsewhere or voided (completions §13). */
export function addEditInvoicePage(admins: Routes): void {
  admins.get(PATH, async (visit) => {
    const invoice = await invoiceIn(visit);
    return isEditable(invoice) ? show(visit) : pageOf(visit, invoice);
  });
  const edit = async (visit: WorkspaceVisit): Promise<unknown> => {
    const invoice = await invoiceIn(visit);
    if (rearrangedRows(visit.visit) !== null) return show(visit);
    const version = visit.visit.field("version").trim();
    await sendInvoice(EDIT_INVOICE, visit, { invoiceId: invoice.id, version });
    return pageOf(visit, invoice, "edited");
  };
  admins.post(PATH, edit, show);
  const settle = async (visit: WorkspaceVisit): Promise<string> => {
    const invoice = await invoiceIn(visit);
    await SETTLE_INVOICE.send(visit, { invoiceId: invoice.id }, { once: true });
    return pageOf(visit, invoice, "settled");
  };
  admins.post(`${PATH}/settle`, settle, show);
  admins.get(`${PATH}/void`, async (visit) => {
    const invoice = await invoiceIn(visit);
    if (!isEditable(invoice)) return pageOf(visit, invoice);
    return visit.show({ title: "Void an invoice", within: "Invoices", narrow: true, body: voidView(visit, invoice) });
  });
  admins.post(`${PATH}/void`, async (visit) => {
    const invoice = await invoiceIn(visit);
    await visit.act(voidLocalInvoice, { invoiceId: invoice.id });
    return pageOf(visit, invoice, "voided");
  });
}

async function show(visit: WorkspaceVisit): Promise<void> {
  const invoice = await invoiceIn(visit);
  const { invoice_number: number, updated_at: version } = invoice;
  const back = `/invoices/${invoice.id}`;
  const path = `${back}/edit`;
  const title = `Edit invoice ${number ?? "without a number"}`;
  const isCollected = !money(invoice.amount_collected).isZero();
  const form = isCollected
    ? html`<p class="quiet">Something was collected on it: it can no longer be edited.</p>`
    : invoiceForm(visit, EDIT_INVOICE, {
        ...{ path, name: "Edit", button: "Save changes", back, version },
        ...{ now: fieldsOfInvoice(invoice), rows: rowsOfInvoice(invoice) },
      });
  const settle = settleForm(visit, invoice, `${path}/settle`);
  const body = html`<p class="crumbs"><a href="${visit.address(back)}">Invoice ${number}</a></p>
<h1>${title}</h1>
${refusalNote(visit.visit.refusedBelow("/"))}
${form}
${settle}
<p><a class="danger" href="${visit.address(`${path}/void`)}">Void the invoice</a></p>`;
  visit.show({ title, within: "Invoices", body });
}

function settleForm(visit: WorkspaceVisit, { collection_outstanding: owed, currency }: Invoice, path: string): Html {
  const label = "Money that came another way";
  return html`<section><h2>${label}</h2>
${SETTLE_INVOICE.view(visit, {
  ...{
    path,
    button: "Note the money",
    label,
    look: "card",
    grid: "pair",
    novalidate: true,
    once: true,
    key: "settled",
  },
  head: html`<p class="quiet">A transfer or a cheque lowers what is owed, now ${shownAmount(owed, currency)}. It is not
counted as collected through links.</p>`,
})}</section>`;
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
  return confirmation(visit, {
    question: `Void invoice ${invoice.invoice_number}?`,
    consequences: [
      html`It is for ${customer.name}, over ${shownAmount(invoice.total_amount, currency)}; ${shownAmount(owed, currency)} is outstanding.`,
      "It owes nothing then, for good: it cannot be edited or collected any more.",
      "Its payment links are withdrawn, and their scheduled emails cancelled. A payment that arrives all the same is recorded.",
      !money(paid).isZero() &&
        html`${shownAmount(paid, currency)} was paid through links. It stays recorded, and is listed with what needs a person until it is dealt with.`,
      noted.length > 0 && "What was noted as money that came another way stays noted.",
    ],
    path: `${path}/void`,
    button: "Void invoice",
    back: { path: visit.address(path), words: "Keep the invoice" },
  });
}
