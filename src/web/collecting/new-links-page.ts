import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { idIn } from "../kit/admin-page.ts";
import { html } from "../kit/html.ts";
import { fact } from "../kit/parts.ts";
import { parameter, type Routes, type WorkspaceVisit } from "../kit/workspace-pages.ts";
import { shownAmount } from "../lists/figures.ts";
import { customerLink } from "../receivables/invoice-list.ts";
import { linkForm, makeLinks, type RefusedLinks } from "./link-form.ts";

const PATH = "/invoices/:invoiceId/links";

/** `/invoices/{id}/links`: makes payment links for an invoice's installments. */
export function addNewLinksPage(admins: Routes): void {
  admins.get(PATH, async (visit) => showForm(visit, await invoiceIn(visit), null));
  admins.post(PATH, async (visit) => {
    const invoice = await invoiceIn(visit);
    const made = await makeLinks(visit, invoice);
    if ("problems" in made) return showForm(visit, await invoiceIn(visit), made);
    const [link] = made;
    const path = made.length === 1 && link !== undefined ? `/payment-links/${link.id}` : `/invoices/${invoice.id}`;
    visit.visit.redirect(visit.address(path, { done: made.length === 1 ? "made" : "links" }));
  });
}

function invoiceIn(visit: WorkspaceVisit) {
  return visit.read(getInvoice, { invoice_id: idIn(visit.visit.request.params.invoiceId, "invoice") });
}

function showForm(
  visit: WorkspaceVisit,
  invoice: Awaited<ReturnType<typeof invoiceIn>>,
  refused: RefusedLinks | null,
): void {
  const path = `/invoices/${invoice.id}`;
  const number = invoice.invoice_number ?? "without a number";
  const body = html`<p class="crumbs"><a href="${visit.address("/invoices")}">Invoices</a> / <a href="${visit.address(path)}">${number}</a></p>
<h1>Payment links for invoice ${number}</h1>
<dl class="key">${fact("Customer", customerLink(invoice.customer, visit))}${fact("Outstanding", shownAmount(invoice.collection_outstanding, invoice.currency))}</dl>
${linkForm({ visit, invoice, path: `${path}/links`, first: parameter(visit.visit.request, "installment"), refused })}
<p><a href="${visit.address(path)}">Back to the invoice</a></p>`;
  visit.show({ title: "New payment links", within: "Invoices", body }, refused?.status);
}
