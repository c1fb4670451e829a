import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { html } from "../kit/html.ts";
import { fact } from "../kit/parts.ts";
import { parameter, type Routes, type WorkspaceVisit } from "../kit/workspace-pages.ts";
import { shownAmount } from "../lists/figures.ts";
import { customerLink } from "../receivables/invoice-list.ts";
import { linkForm, makeLinks } from "./link-form.ts";

const PATH = "/invoices/:invoiceId/links";

/** `/invoices/{id}/links`: makes payment links for an invoice's installments. */
export function addNewLinksPage(admins: Routes): void {
  admins.get(PATH, showForm);
  const make = async (visit: WorkspaceVisit): Promise<string> => {
    const invoice = await invoiceIn(visit);
    const made = await makeLinks(visit, invoice);
    const [link] = made;
    return made.length === 1 && link !== undefined
      ? visit.address(`/payment-links/${link.id}`, { done: "made" })
      : visit.address(`/invoices/${invoice.id}`, { done: "links" });
  };
  admins.post(PATH, make, showForm);
}

function invoiceIn(visit: WorkspaceVisit) {
  return visit.read(getInvoice, { invoice_id: visit.visit.id("invoiceId", "invoice") });
}

async function showForm(visit: WorkspaceVisit): Promise<void> {
  const invoice = await invoiceIn(visit);
  const path = `/invoices/${invoice.id}`;
  const number = invoice.invoice_number ?? "without a number";
  const first = parameter(visit.visit.request, "installment");
  const body = html`<p class="crumbs"><a href="${visit.address("/invoices")}">Invoices</a> /
<a href="${visit.address(path)}">${number}</a></p>
<h1>Payment links for invoice ${number}</h1>
<dl class="key">${fact("Customer", customerLink(invoice.customer, visit))}
${fact("Outstanding", shownAmount(invoice.collection_outstanding, invoice.currency))}</dl>
${linkForm({ visit, invoice, path: `${path}/links`, first })}
<p><a href="${visit.address(path)}">Back to the invoice</a></p>`;
  visit.show({ title: "New payment links", within: "Invoices", body });
}
