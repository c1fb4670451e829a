import type { z } from "zod";
import { type AttentionEntry, attentionTo } from "../../core/attention/list-attention.ts";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import { listTasks } from "../../core/tasks/operations/list-tasks.ts";
import { historyPart } from "../audit/history-part.ts";
import { doneNote } from "../kit/acts.ts";
import { emailAddress, type Html, html } from "../kit/html.ts";
import { fact } from "../kit/parts.ts";
import { timeElement } from "../kit/words.ts";
import type { WorkspaceRoutes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { amountColumn } from "../lists/columns.ts";
import { NOTHING, shownAmount, shownDay } from "../lists/figures.ts";
import { type Column, tablePart } from "../lists/table.ts";
import { attentionPart } from "./attention-view.ts";
import { isEditable, linkable } from "./invoice-actions.ts";
import { customerLink, dueDateOf } from "./invoice-list.ts";
import { PAYMENT_OF_INVOICE } from "./payment-list.ts";
import { collectibleInWords, collectionChip } from "./terms.ts";
import { LINK_COLUMNS } from "./work-lists.ts";

type Detail = z.output<typeof getInvoice.output>;
type Installment = Detail["installments"][number];
type Link = z.output<typeof listPaymentLinks.output>["data"][number];
type Task = z.output<typeof listTasks.output>["data"][number];
type Payment = z.output<typeof listPayments.output>["data"][number];

/** Links, payments and audit entries shown for one invoice. */
const MOST = 50;

/** `/invoices/{id}`: an invoice with its installments, links, payments and history. */
export function addInvoicePage(routes: WorkspaceRoutes): void {
  routes.get("/invoices/:invoiceId", async (visit) => {
    const invoiceId = visit.visit.id("invoiceId", "invoice");
    const invoice = await visit.read(getInvoice, { invoice_id: invoiceId });
    const of = { invoice_id: invoiceId, limit: MOST };
    const [links, payments, tasks, items, history] = await Promise.all([
      visit.read(listPaymentLinks, of),
      visit.read(listPayments, of),
      visit.read(listTasks, of),
      visit.read(attentionTo, { invoiceId }),
      historyPart(visit, { invoiceId }, historyNote(visit, invoiceId)),
    ]);
    const title = `Invoice ${invoice.invoice_number ?? "without a number"}`;
    visit.show({
      title,
      within: "Invoices",
      body: invoiceView({
        visit,
        title,
        invoice,
        links: links.data,
        payments: payments.data,
        tasks: tasks.data,
        items,
        history,
      }),
    });
  });
}

/** Workflows have a history of their own. */
function historyNote({ address }: WorkspaceVisit, invoiceId: string): Html {
  return html`<p class="quiet">What people, assistants, keys and providers did. <a href="${address("/workflow-history", { invoice_id: invoiceId })}">What workflows did with it</a></p>`;
}

interface InvoiceView {
  visit: WorkspaceVisit;
  title: string;
  invoice: Detail;
  links: readonly Link[];
  payments: readonly Payment[];
  readonly tasks: readonly Task[];
  /** What of its payments needs a person. */
  items: readonly AttentionEntry[];
  /** Null for members, who do not see the audit trail. */
  history: Html | null;
}

const DONE = {
  created: "The invoice is created. Make its payment links here, or leave it to a workflow.",
  edited: "The invoice is changed.",
  settled: "The money is noted.",
  voided: "The invoice is void.",
  links: "The payment links are made. Nothing was sent to the customer: open each to copy its address.",
};

function invoiceView(view: InvoiceView): Html {
  const { visit, title, invoice, links, payments, tasks, items, history } = view;
  const { installments, currency } = invoice;
  return html`<p class="crumbs"><a href="${visit.address("/invoices")}">Invoices</a></p>
<div class="title"><h1>${title} ${collectionChip(invoice.collection_status, invoice.collection_outstanding)}</h1>${visit.isAdmin && html`<div class="actions">${isEditable(invoice) && html`<a class="button plain" href="${visit.address(`/invoices/${invoice.id}/edit`)}">Edit</a>`}${linkable(invoice).length > 0 && html`<a class="button" href="${visit.address(`/invoices/${invoice.id}/links`)}">Make payment link</a>`}</div>`}</div>
${invoice.voided_at !== null && html`<p class="warn">Void since ${timeElement(invoice.voided_at, visit.workspace.timezone)}: it owes nothing.</p>`}
${doneNote(visit, DONE)}
${tasks.filter(({ state }) => state === "open" || state === "configured").map((task) => html`<p class="warn">A task to arrange its payment ${task.state === "open" ? "waits for" : "was opened for"} ${task.assignee_name ?? "somebody"} since ${timeElement(task.created_at, visit.workspace.timezone)}. <a href="${visit.address(`/tasks/${task.id}`)}">Open the task</a></p>`)}
${facts(view)}
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
}

function facts({ visit, invoice }: InvoiceView): Html {
  const { currency, customer } = invoice;
  const { timezone } = visit.workspace;
  const synced = invoice.last_synced_at;
  return html`<dl class="key">
${fact("Outstanding", html`<span class="big">${shownAmount(invoice.collection_outstanding, currency)}</span>`)}
${fact("Overdue", html`<span class="big overdue">${shownAmount(invoice.overdue_outstanding, currency)}</span>`)}
${fact("Total", shownAmount(invoice.total_amount, currency))}
${fact("Collected through links", shownAmount(invoice.amount_collected, currency))}
${invoice.settled_elsewhere.map((one) => fact("Settled elsewhere", html`${shownAmount(one.amount, currency)}<br><span class="quiet">${shownDay(one.date)}, ${one.reference}</span>`))}
${fact("Balance in the ERP", shownAmount(invoice.erp_invoice_open_balance, currency))}
${fact("Customer", [customerLink(customer, visit), customer.number !== null && html`<br><span class="quiet">${customer.number}</span>`])}
${fact("Billing email", customer.email === null ? NOTHING : html`<span class="mail">${emailAddress(customer.email)}</span>`)}
${fact("Due", shownDay(dueDateOf(invoice) ?? firstDueDate(invoice)))}
${fact("Invoice date", shownDay(invoice.invoice_date))}
${fact("Payment terms", invoice.payment_terms ?? NOTHING)}
${fact("Read from the ERP", synced === null ? "Made in this service" : timeElement(synced, timezone))}
</dl>`;
}

function firstDueDate({ installments }: Detail): string | null {
  return installments.flatMap(({ due_date: date }) => date ?? []).sort()[0] ?? null;
}

function installmentColumns(currency: string | null): readonly Column<Installment>[] {
  return [
    { head: "Installment", cell: ({ sequence_number: number }) => number ?? NOTHING },
    { head: "Due", cell: ({ due_date: date }) => shownDay(date) },
    {
      head: "Collectible",
      cell: collectibleInWords,
    },
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
