import { settleLocalInvoice } from "../../core/invoices/operations/settle-local-invoice.ts";
import { voidLocalInvoice } from "../../core/invoices/operations/void-local-invoice.ts";
import { money } from "../../core/kernel/money.ts";
import { hidden, html, link, muted, paragraph } from "../kit/markup.ts";
import { admins, Form, sentence, type WorkspaceVisit } from "../kit/page.ts";
import { shownAmount } from "../lists/list.ts";
import { type InvoiceDetail, invoiceIn, isEditable } from "../receivables/invoice-list.ts";
import { GIVE_AN_AMOUNT, typedAmount } from "./amounts.ts";
import {
  CREATE_INVOICE,
  EDIT_INVOICE,
  formOfInvoice,
  invoiceForm,
  rearrangedRows,
  sendInvoice,
} from "./local-invoice-form.ts";

const SETTLE_INVOICE = new Form(settleLocalInvoice, {
  amount: {
    label: "Amount",
    attributes: html`inputmode="decimal" maxlength="60" autocomplete="off"`,
    read: (typed) => typedAmount(typed) ?? typed.trim(),
    say: (message, typed) => (typedAmount(typed) === null ? GIVE_AN_AMOUNT : sentence(message)),
  },
  date: { label: "Date" },
  reference: { label: "Reference", attributes: html`maxlength="200" autocomplete="off"` },
});

/** Carries out what is sent about an invoice, and goes on to its page. */
const sending =
  (done: string, send: (visit: WorkspaceVisit, invoiceId: string) => Promise<unknown>) =>
  async (visit: WorkspaceVisit) => {
    const { id } = await invoiceIn(visit);
    await send(visit, id);
    return visit.address(`/invoices/${id}`, { done });
  };

const shown = (visit: WorkspaceVisit, invoiceId: string) => ({ invoiceId, version: visit.field("version").trim() });

const edit = sending("edited", (visit, id) => sendInvoice(EDIT_INVOICE, visit, shown(visit, id)));

const ACTS = {
  "": { send: (visit: WorkspaceVisit) => (rearrangedRows(visit) === null ? edit(visit) : show(visit)) },
  "/settle": {
    send: sending("settled", (visit, id) => SETTLE_INVOICE.send(visit, shown(visit, id), { once: true })),
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

async function create(visit: WorkspaceVisit) {
  if (rearrangedRows(visit) !== null) return showNew(visit);
  const { id } = await sendInvoice(CREATE_INVOICE, visit, {});
  return visit.address(`/invoices/${id}`, { done: "created" });
}

const INTRO =
  "An invoice that no ERP has. Its installments can be collected like any other; its payments are written to no ERP.";

function showNew(visit: WorkspaceVisit) {
  const title = "New invoice";
  const form = { path: "/invoices/new", name: title, button: "Create invoice", back: "/invoices" };
  visit.show({
    title,
    body: [visit.crumbs(), html`<h1>${title}</h1>`, muted(INTRO), invoiceForm(visit, CREATE_INVOICE, form)],
  });
}

async function show(visit: WorkspaceVisit) {
  const invoice = await invoiceIn(visit);
  const back = `/invoices/${invoice.id}`;
  if (!isEditable(invoice) && visit.request.method === "GET") return visit.address(back);
  const number = invoice.invoice_number;
  const path = `${back}/edit`;
  const title = `Edit invoice ${number ?? "without a number"}`;
  const form = money(invoice.amount_collected).isZero()
    ? invoiceForm(visit, EDIT_INVOICE, { path, name: "Edit", button: "Save changes", back, ...formOfInvoice(invoice) })
    : muted("Something was collected on it: it can no longer be edited.");
  const settle = settleForm(visit, invoice, `${path}/settle`);
  const body = html`<p class="crumbs">${visit.link(back, `Invoice ${number ?? ""}`)}</p>
<h1>${title}</h1>
${visit.refusedBelow("/")}
${form}
${settle}
${paragraph(link(visit.address(`${path}/void`), "Void the invoice", html` class="danger"`))}`;
  return visit.show({ title, body });
}

function settleForm(visit: WorkspaceVisit, invoice: InvoiceDetail, path: string) {
  const { collection_outstanding: owed, currency, updated_at: version } = invoice;
  const label = "Settled elsewhere";
  return html`<section><h2>${label}</h2>
${SETTLE_INVOICE.view(visit, {
  ...{ path, button: "Record settlement", label, look: "card", grid: "pair" },
  ...{ novalidate: true, once: true, key: "settled" },
  head: [
    hidden("version", visit.refusal === null ? version : visit.field("version")),
    muted([
      "A transfer or a cheque lowers what is owed, now ",
      shownAmount(owed, currency),
      ". It is not counted as collected through links.",
    ]),
  ],
})}</section>`;
}

/** Asks to confirm that an invoice is void, for good. */
function voidView(invoice: InvoiceDetail) {
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
      "Nothing is owed on it any more, for good: it can be neither edited nor collected.",
      "Its payment links are withdrawn, and their scheduled mails cancelled. A payment that arrives all the same is \
recorded.",
      !money(paid).isZero() &&
        html`${shownAmount(paid, currency)} was paid through links. It stays recorded, and is listed with what needs
a person until it is dealt with.`,
      noted.length > 0 && "What was settled elsewhere stays recorded.",
    ],
    button: "Void invoice",
    stay: "Keep the invoice",
  };
}
