import { createLocalInvoice } from "../../core/invoices/operations/create-local-invoice.ts";
import { refusalNote, refusalOf } from "../kit/acts.ts";
import { checkbox, input } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { actOnce, onceField } from "../kit/once.ts";
import type { Routes, WorkspaceVisit } from "../kit/workspace-pages.ts";
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
      showForm(visit, form, refusedForm(form, error, "The invoice was not created."));
    }
  });
}

/** Why a form was not carried out. */
export interface Refused {
  readonly status: number;
  readonly message: string;
  readonly problems: Problems;
}

/** What a refusal says of a form, at its fields where it says it of them. Rethrows errors that are no answer to a form. */
export function refusedForm(form: TypedInvoice, error: unknown, summary: string): Refused {
  const refusal = refusalOf(error);
  const problems = problemsOf(form, refusal);
  return { status: refusal.status, message: problems.size > 0 ? summary : refusal.message, problems };
}

function showForm(visit: WorkspaceVisit, form: TypedInvoice, refused: Refused | null = null): void {
  const body = html`<p class="crumbs"><a href="${visit.address("/invoices")}">Invoices</a></p>
<h1>New invoice</h1>
<p class="quiet">An invoice that no ERP has. Its installments can be collected like any other; its payments are written to no ERP.</p>
${refusalNote(refused)}
${invoiceForm(visit, form, refused?.problems ?? NONE, { path: NEW_INVOICE_PATH, name: "New invoice", button: "Create invoice", back: "/invoices" })}`;
  visit.show({ title: "New invoice", within: "Invoices", body }, refused?.status);
}

/** The form of an invoice made in the service; `back` is where to go without sending it. */
export function invoiceForm(
  visit: WorkspaceVisit,
  form: TypedInvoice,
  problems: Problems,
  of: { path: string; name: string; button: string; back: string },
): Html {
  const { action, field } = visit.form(of.path);
  const line = (name: string, label: string, attributes: Html, hint?: string): Html =>
    html`<div>${input({ id: name, name, label, hint, problem: problems.get(name) }, attributes)}</div>`;
  const question = { id: "confirmed", name: "confirmed", label: "I checked this: it is right" };
  return html`<form class="card invoice" method="post" action="${action}" aria-label="${of.name}" novalidate>${field}${onceField(visit.visit)}
<input type="hidden" name="version" value="${form.version}">
<button class="unseen" tabindex="-1" aria-hidden="true">${of.button}</button>
<div class="pair">${line("number", "Invoice number", html`value="${form.number}" maxlength="100" autocomplete="off"`)}
${line("invoice_date", "Invoice date", html`type="date" value="${form.invoiceDate}"`)}
${line("customer_name", "Customer", html`value="${form.customerName}" maxlength="360" autocomplete="off"`)}
${line("customer_email", "Billing email", html`type="email" value="${form.customerEmail}" maxlength="320" autocomplete="off"`, "Without one nothing can be collected.")}
${line("currency", "Currency", html`value="${form.currency}" maxlength="3" size="3" autocomplete="off" autocapitalize="characters" spellcheck="false"`, "Its code, such as EUR.")}</div>
<fieldset><legend>Installments</legend><p class="quiet">The invoice comes to their sum.</p>
${form.rows.map((row, index) => rowView(row, index, { problems, isOnly: form.rows.length === 1 }))}
${form.rows.length < MAX_ROWS && html`<p><button class="plain small" name="rows" value="add">Add an installment</button></p>`}</fieldset>
${(form.confirmed || problems.has("confirmed")) && checkbox({ ...question, problem: problems.get("confirmed") }, form.confirmed)}
<div class="actions"><button>${of.button}</button><a href="${visit.address(of.back)}">Cancel</a></div></form>`;
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
