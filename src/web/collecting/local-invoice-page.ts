import { html } from "../kit/html.ts";
import type { Routes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { CREATE_INVOICE, invoiceForm, rearrangedRows, sendInvoice } from "./local-invoice-form.ts";

export const NEW_INVOICE_PATH = "/invoices/new";

/** `/invoices/new`: an invoice that no ERP has. */
export function addLocalInvoicePage(admins: Routes): void {
  const create = async (visit: WorkspaceVisit): Promise<unknown> => {
    if (rearrangedRows(visit.visit) !== null) return show(visit);
    const { id } = await sendInvoice(CREATE_INVOICE, visit, {});
    return visit.address(`/invoices/${id}`, { done: "created" });
  };
  admins.get(NEW_INVOICE_PATH, show);
  admins.post(NEW_INVOICE_PATH, create, show);
}

const INTRO =
  "An invoice that no ERP has. Its installments can be collected like any other; its payments are written to no ERP.";

async function show(visit: WorkspaceVisit): Promise<void> {
  const body = html`<p class="crumbs"><a href="${visit.address("/invoices")}">Invoices</a></p>
<h1>New invoice</h1>
<p class="quiet">${INTRO}</p>
${invoiceForm(visit, CREATE_INVOICE, {
  ...{ path: NEW_INVOICE_PATH, name: "New invoice", button: "Create invoice", back: "/invoices" },
  ...{ now: {}, version: "", rows: [{ due: "", amount: "" }] },
})}`;
  visit.show({ title: "New invoice", within: "Invoices", body });
}
