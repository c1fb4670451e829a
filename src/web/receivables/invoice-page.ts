import type { z } from "zod";
import { attentionTo } from "../../core/attention/list-attention.ts";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import { listTasks } from "../../core/tasks/operations/list-tasks.ts";
import { historyPart } from "../audit/history-part.ts";
import { members } from "../kit/doors.ts";
import { type Html, html, type Inserted } from "../kit/html.ts";
import { big, buttonLink, fact, muted, pageHead, warning } from "../kit/parts.ts";
import type { PageRoutes } from "../kit/routes.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";
import { mailAddress, NOTHING, shownAmount, shownDay } from "../lists/figures.ts";
import { amountColumn, type Column, tablePart } from "../lists/table.ts";
import { attentionPart } from "./attention-view.ts";
import { customerLink, dueDateOf, isEditable, linkable } from "./invoice-list.ts";
import { PAYMENT_OF_INVOICE } from "./payment-list.ts";
import { collectibleInWords, collectionChip } from "./terms.ts";
import { LINK_COLUMNS } from "./work-lists.ts";

type Detail = z.output<typeof getInvoice.output>;
type Installment = Detail["installments"][number];
type Link = z.output<typeof listPaymentLinks.output>["data"][number];
type Task = z.output<typeof listTasks.output>["data"][number];

/** Links, payments and audit entries shown for one invoice. */
const MOST = 50;

/** `/invoices/{id}`: an invoice with its installments, links, payments and history. */
export const INVOICE_PAGE: PageRoutes = { routes: [members.get("/invoices/:invoiceId", showInvoice)] };

async function showInvoice(visit: WorkspaceVisit): Promise<void> {
  const invoiceId = visit.id("invoiceId", "invoice");
  const invoice = await visit.call(getInvoice, { invoice_id: invoiceId });
  const of = { invoice_id: invoiceId, limit: MOST };
  // Workflows have a history of their own.
  const workflows = visit.link("/workflow-history", "What workflows did with it", { invoice_id: invoiceId });
  const note = muted(["What people, assistants, keys and providers did. ", workflows]);
  const [{ data: links }, { data: payments }, { data: tasks }, items, history] = await Promise.all([
    visit.call(listPaymentLinks, of),
    visit.call(listPayments, of),
    visit.call(listTasks, of),
    visit.call(attentionTo, { invoiceId }),
    historyPart(visit, { invoiceId }, note),
  ]);
  const title = `Invoice ${invoice.invoice_number ?? "without a number"}`;
  const { address, isAdmin } = visit;
  const edit = isEditable(invoice) && buttonLink(address(`/invoices/${invoiceId}/edit`), "Edit");
  const make =
    linkable(invoice).length > 0 && buttonLink(address(`/invoices/${invoiceId}/links`), "Make payment link", "");
  const { installments, currency, voided_at: voided } = invoice;
  const chip = collectionChip(invoice.collection_status, invoice.collection_outstanding);
  const body = html`${visit.crumbs()}
${pageHead([title, " ", chip], null, isAdmin && html`<div class="actions">${edit}${make}</div>`)}
${voided !== null && warning(html`Void since ${timeElement(voided, visit.workspace.timezone)}: it owes nothing.`)}
${visit.note(DONE)}
${tasks.map((task) => taskNote(task, visit))}
${facts(visit, invoice)}
${attentionPart(items, visit)}
${tablePart("Installments", "The invoice has no payment schedule.", {
  ...{ columns: installmentColumns(currency), rows: installments, visit },
})}
${tablePart("Payment links", "No payment link was made for it.", {
  ...{ columns: linkColumns(installments), rows: links, visit },
})}
${tablePart("Payments and receipts", "Nothing was paid through a link.", {
  ...{ caption: "Payments", columns: PAYMENT_OF_INVOICE, rows: payments, visit },
})}
${history}`;
  visit.show({ title, body });
}

function taskNote(task: Task, visit: WorkspaceVisit): Html | false {
  const { state, assignee_name: assignee, created_at: since } = task;
  const stands = { open: "waits for", configured: "was opened for", dismissed: null, not_needed: null }[state];
  return (
    stands !== null &&
    warning(html`A task to arrange its payment ${stands} ${assignee ?? "somebody"} since
${timeElement(since, visit.workspace.timezone)}. ${visit.link(`/tasks/${task.id}`, "Open the task")}`)
  );
}

const DONE = {
  created: "The invoice is created. Make its payment links here, or leave it to a workflow.",
  edited: "The invoice is changed.",
  settled: "The money is noted.",
  voided: "The invoice is void.",
  links: "The payment links are made. Nothing was sent to the customer: open each to copy its address.",
};

function facts(visit: WorkspaceVisit, invoice: Detail): Html {
  const { currency, customer, last_synced_at: synced, settled_elsewhere: settled } = invoice;
  const under = (words: Inserted): Html => html`<br><span class="quiet">${words}</span>`;
  return html`<dl class="key">
${fact("Outstanding", big(shownAmount(invoice.collection_outstanding, currency)))}
${fact("Overdue", big(shownAmount(invoice.overdue_outstanding, currency), "overdue"))}
${fact("Total", shownAmount(invoice.total_amount, currency))}
${fact("Collected through links", shownAmount(invoice.amount_collected, currency))}
${settled.map(({ amount, date, reference }) =>
  fact("Settled elsewhere", [shownAmount(amount, currency), under([shownDay(date), ", ", reference])]),
)}
${fact("Balance in the ERP", shownAmount(invoice.erp_invoice_open_balance, currency))}
${fact("Customer", [customerLink(customer, visit), customer.number !== null && under(customer.number)])}
${fact("Billing email", customer.email === null ? NOTHING : mailAddress(customer.email))}
${fact("Due", shownDay(dueDateOf(invoice) ?? firstDueDate(invoice)))}
${fact("Invoice date", shownDay(invoice.invoice_date))}
${fact("Payment terms", invoice.payment_terms ?? NOTHING)}
${fact("Read from the ERP", synced === null ? "Made in this service" : timeElement(synced, visit.workspace.timezone))}
</dl>`;
}

function firstDueDate({ installments }: Detail): string | null {
  return installments.flatMap(({ due_date: date }) => date ?? []).sort()[0] ?? null;
}

function installmentColumns(currency: string | null): readonly Column<Installment>[] {
  return [
    { head: "Installment", cell: ({ sequence_number: number }) => number ?? NOTHING },
    { head: "Due", cell: ({ due_date: date }) => shownDay(date) },
    { head: "Collectible", cell: collectibleInWords },
    amountColumn("Amount", "original_amount", currency),
    amountColumn("Owed in the ERP", "erp_installment_outstanding_amount", currency),
    amountColumn("Outstanding", "collection_outstanding", currency),
    amountColumn("Without a link", "available_amount", currency),
  ];
}

function linkColumns(installments: readonly Installment[]): readonly Column<Link>[] {
  const [made, ...rest] = LINK_COLUMNS;
  const numberOf = (id: string) => installments.find((one) => one.id === id)?.sequence_number ?? null;
  const installment: Column<Link> = { head: "Installment", cell: (link) => numberOf(link.installment_id) ?? NOTHING };
  return made === undefined ? [] : [made, installment, ...rest];
}
