import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { admins } from "../kit/doors.ts";
import { html } from "../kit/html.ts";
import { fact } from "../kit/parts.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { shownAmount } from "../lists/figures.ts";
import { customerLink } from "../receivables/invoice-list.ts";
import { linkForm, makeLinks } from "./link-form.ts";

/** `/invoices/{id}/links`: makes payment links for an invoice's installments. */
export const NEW_LINKS_PAGE = {
  routes: admins.page("/invoices/:invoiceId/links", showForm, { "": { send: make } }, admins),
};

async function make(visit: WorkspaceVisit): Promise<string> {
  const invoice = await invoiceIn(visit);
  const made = await makeLinks(visit, invoice);
  const [link] = made;
  return made.length === 1 && link !== undefined
    ? visit.address(`/payment-links/${link.id}`, { done: "made" })
    : visit.address(`/invoices/${invoice.id}`, { done: "links" });
}

function invoiceIn(visit: WorkspaceVisit) {
  return visit.call(getInvoice, { invoice_id: visit.id("invoiceId", "invoice") });
}

async function showForm(visit: WorkspaceVisit): Promise<void> {
  const invoice = await invoiceIn(visit);
  const path = `/invoices/${invoice.id}`;
  const number = invoice.invoice_number ?? "without a number";
  const body = html`<p class="crumbs"><a href="${visit.address("/invoices")}">Invoices</a> /
<a href="${visit.address(path)}">${number}</a></p>
<h1>Payment links for invoice ${number}</h1>
<dl class="key">${fact("Customer", customerLink(invoice.customer, visit))}
${fact("Outstanding", shownAmount(invoice.collection_outstanding, invoice.currency))}</dl>
${linkForm({ visit, invoice, path: `${path}/links`, first: visit.parameter("installment") })}
<p><a href="${visit.address(path)}">Back to the invoice</a></p>`;
  visit.show({ title: "New payment links", body });
}
