import type { z } from "zod";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { settleLocalInvoice } from "../../core/invoices/operations/settle-local-invoice.ts";
import { voidLocalInvoice } from "../../core/invoices/operations/void-local-invoice.ts";
import { money } from "../../core/kernel/money.ts";
import { admins } from "../kit/doors.ts";
import { Form } from "../kit/form.ts";
import { type Html, html } from "../kit/html.ts";
import type { Confirmation } from "../kit/parts.ts";
import { muted } from "../kit/parts.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { shownAmount } from "../lists/figures.ts";
import { isEditable } from "../receivables/invoice-list.ts";
import { typedAmount } from "./amounts.ts";
import {
  CREATE_INVOICE,
  EDIT_INVOICE,
  fieldsOfInvoice,
  invoiceForm,
  rearrangedRows,
  rowsOfInvoice,
  sendInvoice,
} from "./local-invoice-form.ts";

type Invoice = z.output<typeof getInvoice.output>;

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
  visit.call(getInvoice, { invoice_id: visit.id("invoiceId", "invoice") });

/** Carries out what is sent about an invoice, and goes on to its page. */
const sending =
  (done: string, send: (visit: WorkspaceVisit, invoiceId: string) => Promise<unknown>) =>
  async (visit: WorkspaceVisit): Promise<string> => {
    const { id } = await invoiceIn(visit);
    await send(visit, id);
    return visit.address(`/invoices/${id}`, { done });
  };

const edit = sending("edited", (visit, invoiceId) =>
  sendInvoice(EDIT_INVOICE, visit, { invoiceId, version: visit.field("version").trim() }),
);

const ACTS = {
  "": { send: (visit: WorkspaceVisit) => (rearrangedRows(visit) === null ? edit(visit) : show(visit)) },
  "/settle": {
    send: sending("settled", (visit, invoiceId) => SETTLE_INVOICE.send(visit, { invoiceId }, { once: true })),
  },
  "/void": {
    title: "Void an invoice",
    async ask(visit: WorkspaceVisit) {
      const invoice = await invoiceIn(visit);
      return isEditable(invoice) ? voidView(invoice) : null;
    },
    send: sending("voided", (visit, invoiceId) => visit.call(voidLocalInvoice, { invoiceId })),
  },
};

/** `/invoices/{id}/edit`: an invoice made in the service is edited, settled elsewhere or voided (completions §13). */
export const EDIT_INVOICE_PAGE = { routes: admins.page("/invoices/:invoiceId/edit", show, ACTS, admins) };

/** `/invoices/new`: an invoice that no ERP has. */
export const NEW_INVOICE_PAGE = {
  routes: admins.page("/invoices/new", showNew, { "": { send: create } }, admins),
};

async function create(visit: WorkspaceVisit): Promise<unknown> {
  if (rearrangedRows(visit) !== null) return showNew(visit);
  const { id } = await sendInvoice(CREATE_INVOICE, visit, {});
  return visit.address(`/invoices/${id}`, { done: "created" });
}

const INTRO =
  "An invoice that no ERP has. Its installments can be collected like any other; its payments are written to no ERP.";

function showNew(visit: WorkspaceVisit): void {
  const title = "New invoice";
  const form = invoiceForm(visit, CREATE_INVOICE, {
    ...{ path: "/invoices/new", name: title, button: "Create invoice", back: "/invoices" },
    ...{ now: {}, version: "", rows: [{ due: "", amount: "" }] },
  });
  visit.show({ title, body: [visit.crumbs(), html`<h1>${title}</h1>`, muted(INTRO), form] });
}

async function show(visit: WorkspaceVisit): Promise<unknown> {
  const invoice = await invoiceIn(visit);
  if (!isEditable(invoice) && visit.request.method === "GET") return visit.address(`/invoices/${invoice.id}`);
  const { invoice_number: number, updated_at: version } = invoice;
  const back = `/invoices/${invoice.id}`;
  const path = `${back}/edit`;
  const title = `Edit invoice ${number ?? "without a number"}`;
  const isCollected = !money(invoice.amount_collected).isZero();
  const form = isCollected
    ? muted("Something was collected on it: it can no longer be edited.")
    : invoiceForm(visit, EDIT_INVOICE, {
        ...{ path, name: "Edit", button: "Save changes", back, version },
        ...{ now: fieldsOfInvoice(invoice), rows: rowsOfInvoice(invoice) },
      });
  const settle = settleForm(visit, invoice, `${path}/settle`);
  const body = html`<p class="crumbs"><a href="${visit.address(back)}">Invoice ${number}</a></p>
<h1>${title}</h1>
${visit.refusedBelow("/")}
${form}
${settle}
<p><a class="danger" href="${visit.address(`${path}/void`)}">Void the invoice</a></p>`;
  return visit.show({ title, body });
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
function voidView(invoice: Invoice): Confirmation {
  const {
    currency,
    customer,
    collection_outstanding: owed,
    amount_collected: paid,
    settled_elsewhere: noted,
  } = invoice;
  return {
    question: `Void invoice ${invoice.invoice_number}?`,
    consequences: [
      html`It is for ${customer.name}, over ${shownAmount(invoice.total_amount, currency)};
${shownAmount(owed, currency)} is outstanding.`,
      "It owes nothing then, for good: it cannot be edited or collected any more.",
      "Its payment links are withdrawn, and their scheduled emails cancelled. A payment that arrives all the same is \
recorded.",
      !money(paid).isZero() &&
        html`${shownAmount(paid, currency)} was paid through links. It stays recorded, and is listed with what needs
a person until it is dealt with.`,
      noted.length > 0 && "What was noted as money that came another way stays noted.",
    ],
    button: "Void invoice",
    stay: "Keep the invoice",
  };
}
