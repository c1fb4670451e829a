import type { z } from "zod";
import { ALL_ENTRIES, type AuditEntry, readAuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import { labelInWords, through, who } from "../audit/entry-words.ts";
import { doneNote } from "../collecting/acts.ts";
import { linkable } from "../collecting/link-form.ts";
import { idIn } from "../kit/admin-page.ts";
import { emailAddress, type Html, html } from "../kit/html.ts";
import { inWords, timeElement } from "../kit/words.ts";
import type { WorkspaceRoutes, WorkspaceVisit } from "../kit/workspace-pages.ts";
import { chip, NOTHING, shownAmount, shownDay } from "../lists/figures.ts";
import { type Column, table } from "../lists/table.ts";
import { customerLink } from "./invoice-list.ts";
import { fact, part } from "./parts.ts";
import { PAYMENT_OF_INVOICE } from "./payment-list.ts";
import { collectionChip, REASON_WORDS } from "./terms.ts";
import { LINK_COLUMNS } from "./work-lists.ts";

type Detail = z.output<typeof getInvoice.output>;
type Installment = Detail["installments"][number];
type Link = z.output<typeof listPaymentLinks.output>["data"][number];
type Payment = z.output<typeof listPayments.output>["data"][number];

/** Links, payments and audit entries shown for one invoice. */
const MOST = 50;

/** `/invoices/{id}`: an invoice with its installments, links, payments and history. */
export function addInvoicePage(routes: WorkspaceRoutes): void {
  routes.get("/invoices/:invoiceId", async (visit) => {
    const invoiceId = idIn(visit.visit.request.params.invoiceId, "invoice");
    const invoice = await visit.read(getInvoice, { invoice_id: invoiceId });
    const of = { invoice_id: invoiceId, limit: MOST };
    const [links, payments, history] = await Promise.all([
      visit.read(listPaymentLinks, of),
      visit.read(listPayments, of),
      visit.isAdmin ? historyOf(visit, invoiceId) : null,
    ]);
    const title = `Invoice ${invoice.invoice_number ?? "without a number"}`;
    visit.show({
      title,
      within: "Invoices",
      body: invoiceView({ visit, title, invoice, links: links.data, payments: payments.data, history }),
    });
  });
}

async function historyOf({ visit, workspace }: WorkspaceVisit, invoiceId: string): Promise<readonly AuditEntry[]> {
  return (await readAuditTrail(visit.site.core, workspace.tenantId, { ...ALL_ENTRIES, invoiceId })).entries;
}

interface InvoiceView {
  visit: WorkspaceVisit;
  title: string;
  invoice: Detail;
  links: readonly Link[];
  payments: readonly Payment[];
  /** Null for members, who do not see the audit trail. */
  history: readonly AuditEntry[] | null;
}

const DONE = {
  created: "The invoice is created. Make its payment links here, or leave it to a workflow.",
  links: "The payment links are made. Nothing was sent to the customer: open each to copy its address.",
};

function invoiceView(view: InvoiceView): Html {
  const { visit, title, invoice, links, payments, history } = view;
  const { installments, currency } = invoice;
  return html`<p class="crumbs"><a href="${visit.address("/invoices")}">Invoices</a></p>
<div class="title"><h1>${title} ${collectionChip(invoice.collection_status, invoice.collection_outstanding)}</h1>${visit.isAdmin && linkable(invoice).length > 0 && html`<div class="actions"><a class="button" href="${visit.address(`/invoices/${invoice.id}/links`)}">Make payment link</a></div>`}</div>
${doneNote(visit, DONE)}
${facts(view)}
${part("Installments", installments.length === 0 ? html`<p class="quiet">The invoice has no payment schedule.</p>` : table({ caption: "Installments", columns: installmentColumns(currency), rows: installments, visit }))}
${part(
  "Payment links",
  links.length === 0
    ? html`<p class="quiet">No payment link was made for it.</p>`
    : table({ caption: "Payment links", columns: linkColumns(installments), rows: links, visit }),
)}
${part("Payments and receipts", payments.length === 0 ? html`<p class="quiet">Nothing was paid through a link.</p>` : table({ caption: "Payments", columns: PAYMENT_OF_INVOICE, rows: payments, visit }))}
${history !== null && part("History", history.length === 0 ? html`<p class="quiet">Nobody has done anything about it here.</p>` : table({ caption: "History", columns: HISTORY, rows: history, visit }), html`<a href="${visit.address("/audit", { invoice: invoice.id })}">In the audit trail</a>`)}`;
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
${fact("Balance in the ERP", shownAmount(invoice.erp_invoice_open_balance, currency))}
${fact("Customer", [customerLink(customer, visit), customer.number !== null && html`<br><span class="quiet">${customer.number}</span>`])}
${fact("Billing email", customer.email === null ? NOTHING : html`<span class="mail">${emailAddress(customer.email)}</span>`)}
${fact("Due", shownDay(invoice.collection_due_date))}
${fact("Invoice date", shownDay(invoice.invoice_date))}
${fact("Payment terms", invoice.payment_terms ?? NOTHING)}
${fact("Read from the ERP", synced === null ? "Made in this service" : timeElement(synced, timezone))}
</dl>`;
}

function installmentColumns(currency: string | null): readonly Column<Installment>[] {
  return [
    { head: "Installment", cell: ({ sequence_number: number }) => number ?? NOTHING },
    { head: "Due", cell: ({ due_date: date }) => shownDay(date) },
    {
      head: "Collectible",
      cell: ({ collectible, not_collectible_reason: reason }) =>
        collectible || reason === null ? chip("Collectible", "plain") : REASON_WORDS[reason],
    },
    { head: "Amount", kind: "number", cell: (row) => shownAmount(row.original_amount, currency) },
    {
      head: "Owed in the ERP",
      kind: "number",
      cell: (row) => shownAmount(row.erp_installment_outstanding_amount, currency),
    },
    { head: "Outstanding", kind: "number", cell: (row) => shownAmount(row.collection_outstanding, currency) },
    { head: "Without a link", kind: "number", cell: (row) => shownAmount(row.available_amount, currency) },
  ];
}

function linkColumns(installments: readonly Installment[]): readonly Column<Link>[] {
  const [made, ...rest] = LINK_COLUMNS;
  const numberOf = (id: string) => installments.find((one) => one.id === id)?.sequence_number ?? null;
  const installment: Column<Link> = { head: "Installment", cell: (link) => numberOf(link.installment_id) ?? NOTHING };
  return made === undefined ? [] : [made, installment, ...rest];
}

const HISTORY: readonly Column<AuditEntry>[] = [
  { head: "When", cell: ({ at }, { workspace }) => timeElement(at, workspace.timezone) },
  {
    head: "What",
    cell: ({ operation, outcome }) => [
      inWords(operation),
      outcome !== "succeeded" && [" ", chip(inWords(outcome), "failed")],
    ],
  },
  { head: "Who", cell: (entry) => emailAddress(who(entry)) },
  { head: "Through", cell: through },
  { head: "About", cell: ({ labels }) => labels.slice(0, 3).map((label) => html`<div>${labelInWords(label)}</div>`) },
];
