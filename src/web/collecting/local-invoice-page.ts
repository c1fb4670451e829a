import { createLocalInvoice } from "../../core/invoices/operations/create-local-invoice.ts";
import { input } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { actOnce, onceField } from "../kit/once.ts";
import type { Routes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { refusalNote, refusalOf } from "./acts.ts";
import {
  inputOf,
  MAX_ROWS,
  NEW_INVOICE,
  type Problems,
  problemsOf,
  readInvoiceForm,
  type TypedInvoice,
  withRows,
} from "./local-invoice-form.ts";

export const NEW_INVOICE_PATH = "/invoices/new";

const NONE: Problems = new Map();

/** `/invoices/new`: an invoice that no ERP has. */
export function addLocalInvoicePage(admins: Routes): void {
  admins.get(NEW_INVOICE_PATH, async (visit) => showForm(visit, NEW_INVOICE));
  admins.post(NEW_INVOICE_PATH, async (visit) => {
    const form = readInvoiceForm(visit.visit);
    const rearranged = withRows(form, visit.visit.field("rows"));
    if (rearranged !== null) return showForm(visit, rearranged);
    try {
      const { id } = await actOnce(visit, createLocalInvoice, inputOf(form));
      visit.visit.redirect(visit.address(`/invoices/${id}`, { done: "created" }));
    } catch (error) {
      const refusal = refusalOf(error);
      const problems = problemsOf(form, refusal);
      const message = problems.size > 0 ? "The invoice was not created." : refusal.message;
      showForm(visit, form, { status: refusal.status, message, problems });
    }
  });
}

interface Refused {
  readonly status: number;
  readonly message: string;
  readonly problems: Problems;
}

function showForm(visit: WorkspaceVisit, form: TypedInvoice, refused: Refused | null = null): void {
  const { address } = visit;
  const { action, field } = visit.form(NEW_INVOICE_PATH);
  const problems = refused?.problems ?? NONE;
  const line = (name: string, label: string, attributes: Html, hint?: string): Html =>
    html`<div>${input({ id: name, name, label, hint, problem: problems.get(name) }, attributes)}</div>`;
  const body = html`<p class="crumbs"><a href="${address("/invoices")}">Invoices</a></p>
<h1>New invoice</h1>
<p class="quiet">An invoice that no ERP has. Its installments can be collected like any other; its payments are written to no ERP.</p>
${refusalNote(refused)}
<form class="card invoice" method="post" action="${action}" aria-label="New invoice" novalidate>${field}${onceField(visit.visit)}
<button class="unseen" tabindex="-1" aria-hidden="true">Create invoice</button>
<div class="pair">${line("number", "Invoice number", html`value="${form.number}" maxlength="100" autocomplete="off"`)}
${line("invoice_date", "Invoice date", html`type="date" value="${form.invoiceDate}"`)}
${line("customer_name", "Customer", html`value="${form.customerName}" maxlength="360" autocomplete="off"`)}
${line("customer_email", "Billing email", html`inputmode="email" value="${form.customerEmail}" maxlength="320" autocomplete="off"`, "Without one nothing can be collected.")}
${line("currency", "Currency", html`value="${form.currency}" maxlength="3" size="3" autocomplete="off" autocapitalize="characters" spellcheck="false"`, "Its code, such as EUR.")}</div>
<fieldset><legend>Installments</legend><p class="quiet">The invoice comes to their sum.</p>
${form.rows.map((row, index) => rowView(row, index, { problems, isOnly: form.rows.length === 1 }))}
${form.rows.length < MAX_ROWS && html`<p><button class="plain small" name="rows" value="add">Add an installment</button></p>`}</fieldset>
<div class="actions"><button>Create invoice</button><a href="${address("/invoices")}">Cancel</a></div></form>`;
  visit.show({ title: "New invoice", within: "Invoices", body }, refused?.status);
}

function rowView(
  { due, amount }: TypedInvoice["rows"][number],
  index: number,
  { problems, isOnly }: { problems: Problems; isOnly: boolean },
): Html {
  const of = html`<span class="unseen"> of installment ${index + 1}</span>`;
  const field = (name: "due" | "amount", label: string, attributes: Html): Html => {
    const id = `${name}-${index}`;
    const problem = problems.get(id);
    return html`<div><label for="${id}">${label}${of}</label>
<input id="${id}" name="${name}" ${attributes}${problem !== undefined && html` aria-invalid="true" aria-describedby="${id}-error"`}>${problem !== undefined && html`<p class="problem" id="${id}-error">${problem}</p>`}</div>`;
  };
  return html`<div class="installment"><span class="quiet number">${index + 1}</span>
${field("due", "Due", html`type="date" value="${due}"`)}
${field("amount", "Amount", html`value="${amount}" inputmode="decimal" maxlength="60" autocomplete="off"`)}
${!isOnly && html`<button class="plain small" name="rows" value="remove-${index}">Remove<span class="unseen"> installment ${index + 1}</span></button>`}</div>`;
}
