import type { z } from "zod";
import { attentionTo } from "../../core/attention/list-attention.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import { listTasks } from "../../core/tasks/operations/list-tasks.ts";
import { historyPart } from "../audit/history-part.ts";
import {
  actions,
  aside,
  big,
  buttonLink,
  type Fact,
  html,
  type Inserted,
  inWords,
  keyFacts,
  muted,
  NOTHING,
  warning,
} from "../kit/markup.ts";
import { members, type WorkspaceVisit } from "../kit/page.ts";
import {
  amountColumn,
  type Column,
  column,
  mailAddress,
  shownAmount,
  shownDay,
  tablePart,
  textColumn,
} from "../lists/list.ts";
import { attentionPart } from "./attention-view.ts";
import { customerLink, dueDateOf, type InvoiceDetail, invoiceIn, isEditable, linkable } from "./invoice-list.ts";
import { PAYMENT_OF_INVOICE } from "./payment-list.ts";
import { collectibleInWords, collectionChip, REASON_WORDS } from "./terms.ts";
import { LINK_COLUMNS } from "./work-lists.ts";

type Installment = InvoiceDetail["installments"][number];
type Link = z.output<typeof listPaymentLinks.output>["data"][number];
type Task = z.output<typeof listTasks.output>["data"][number];

/** Links, payments and audit entries shown for one invoice. */
const MOST = 50;

/** `/invoices/{id}`: an invoice with its installments, links, payments and history. */
export const INVOICE_PAGE = { routes: [members.get("/invoices/:invoiceId", showInvoice)] };

async function showInvoice(visit: WorkspaceVisit) {
  const invoice = await invoiceIn(visit);
  const { id: invoiceId, installments, not_collectible_reason: reason, voided_at: voided } = invoice;
  const of = { invoice_id: invoiceId, limit: MOST };
  // Workflows have a history of their own.
  const workflows = muted(visit.link("/workflow-history", "What workflows did with it", { invoice_id: invoiceId }));
  const [{ data: links }, { data: payments }, { data: tasks }, items, history] = await Promise.all([
    visit.call(listPaymentLinks, of),
    visit.call(listPayments, of),
    visit.call(listTasks, of),
    visit.call(attentionTo, { invoiceId }),
    historyPart(visit, { invoiceId }, workflows),
  ]);
  const title = `Invoice ${invoice.invoice_number ?? "without a number"}`;
  const act = (end: string, words: string, look?: "") =>
    buttonLink(visit.address(`/invoices/${invoiceId}/${end}`), words, look);
  visit.showPage(
    {
      ...{ title, heading: [title, " ", collectionChip(invoice)] },
      acts:
        visit.isAdmin &&
        actions(
          isEditable(invoice) && act("edit", "Edit"),
          linkable(invoice).length > 0 && act("links", "Make payment link", ""),
        ),
    },
    voided !== null && warning(["Void since ", visit.time(voided), ": nothing is owed on it."]),
    visit.note(DONE),
    tasks.map((task) => taskNote(task, visit)),
    factsOf(visit, invoice),
    attentionPart(items, visit),
    tablePart(
      "Installments",
      `The invoice has no payment schedule. ${reason === undefined ? "" : `${REASON_WORDS[reason]}.`}`,
      {
        ...{ columns: installmentColumns(invoice.currency), rows: installments, visit },
      },
    ),
    tablePart("Payment links", "No payment link was made for it.", {
      ...{ columns: linkColumns(installments), rows: links, visit },
    }),
    tablePart("Payments and receipts", "Nothing was paid through a link.", {
      ...{ caption: "Payments", columns: PAYMENT_OF_INVOICE, rows: payments, visit },
    }),
    history,
  );
}

function taskNote({ id, state, assignee_name: assignee, created_at: since }: Task, visit: WorkspaceVisit) {
  const words = html`Task for ${assignee ?? "somebody"} to arrange its payment, since ${visit.time(since)}.
${visit.link(`/tasks/${id}`, "See the task")}`;
  return (state === "open" || state === "configured") && warning(words);
}

const DONE = {
  created: "The invoice is created. Make its payment links here, or leave it to a workflow.",
  edited: "The invoice is changed.",
  settled: "The settlement is recorded.",
  voided: "The invoice is void.",
  links: "The payment links are made. Nothing was sent to the customer: open each to copy its address.",
};

function factsOf(visit: WorkspaceVisit, invoice: InvoiceDetail) {
  const { currency, customer } = invoice;
  const { email, number } = customer;
  const under = (...words: Inserted[]) => html`<br>${aside(words)}`;
  const amount = (value: string | null) => shownAmount(value, currency);
  return keyFacts([
    ["Outstanding", big(amount(invoice.collection_outstanding))],
    ["Overdue", big(amount(invoice.overdue_outstanding), "overdue")],
    ["Total", amount(invoice.total_amount)],
    ["Collected through links", amount(invoice.amount_collected)],
    ...invoice.settled_elsewhere.map(
      (one): Fact => ["Settled elsewhere", [amount(one.amount), under(shownDay(one.date), ", ", one.reference)]],
    ),
    [isGone(invoice) ? "Last balance in the ERP" : "Balance in the ERP", amount(invoice.erp_invoice_open_balance)],
    ["Customer", [customerLink(customer, visit) ?? NOTHING, number !== null && under(number)]],
    ["Billing email", email && mailAddress(email)],
    ["Due", shownDay(dueDateOf(invoice))],
    ["Invoice date", shownDay(invoice.invoice_date)],
    ["Payment terms", invoice.payment_terms],
    ["Read from the ERP", visit.time(invoice.last_synced_at) ?? "Made in this service"],
  ]);
}

function installmentColumns(currency: string | null): readonly Column<Installment>[] {
  return [
    textColumn("Installment", "sequence_number"),
    column("Due", "due_date", shownDay),
    { head: "Collectible", cell: collectibleInWords },
    amountColumn("Amount", "original_amount", currency),
    amountColumn("Owed in the ERP", "erp_installment_outstanding_amount", currency),
    ofThose(isPart, amountColumn("Outstanding", "collection_outstanding", currency)),
    ofThose(({ collectible }) => collectible, amountColumn(inWords("available_amount"), "available_amount", currency)),
  ];
}

const isGone = ({ not_collectible_reason: reason }: InvoiceDetail) => reason === "retired";
const isPart = ({ not_collectible_reason: reason }: Installment) => reason !== "removed";

/** A column that is empty in other rows. */
const ofThose = (which: (row: Installment) => boolean, shown: Column<Installment>): Column<Installment> => ({
  ...shown,
  cell: (row, visit) => (which(row) ? shown.cell(row, visit) : null),
});

function linkColumns(installments: readonly Installment[]): readonly Column<Link>[] {
  const numberOf = (id: string) => installments.find((one) => one.id === id)?.sequence_number ?? null;
  return LINK_COLUMNS.toSpliced(1, 0, column("Installment", "installment_id", numberOf));
}
