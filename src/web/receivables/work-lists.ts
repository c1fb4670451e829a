import type { z } from "zod";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { PaymentLink } from "../../core/payment-links/schema.ts";
import { listTasks } from "../../core/tasks/operations/list-tasks.ts";
import { Task } from "../../core/tasks/schema.ts";
import { emailAddress, type Html, html, type Inserted } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { inWords, timeElement } from "../kit/words.ts";
import { chip, NOTHING, type States, shownMinor, stateWords } from "../lists/figures.ts";
import type { ListPage } from "../lists/list-pages.ts";
import { amountColumn, type Column } from "../lists/table.ts";
import { CUSTOMER_NAME_OF, INVOICE_OF } from "./invoice-list.ts";
import { totalsTable } from "./payment-list.ts";
import { linkChip, VALUE_WORDS } from "./terms.ts";

type LinkRow = z.output<typeof PaymentLink>;
type LinkAnswer = z.output<typeof listPaymentLinks.output>;
type TaskRow = z.output<typeof Task>;

/** The columns of an invoice's links, with the amount last. */
export const LINK_COLUMNS: readonly Column<LinkRow>[] = [
  {
    head: "Made",
    cell: ({ id, created_at: at }, { address, workspace }) =>
      html`<a href="${address(`/payment-links/${id}`)}">${timeElement(at, workspace.timezone)}</a>`,
  },
  { head: "By", cell: ({ created_by: by }) => by.name ?? inWords(by.kind) },
  {
    head: "Status",
    cell: (link) => [
      linkChip(link.status),
      link.status === "active" && html` <a class="short" href="${link.url}" rel="noreferrer">Pay page</a>`,
    ],
  },
  { head: "Mail", cell: mailOf },
  { head: "Amount", kind: "number", cell: (link) => shownMinor(link.amount_minor, link.currency) },
];

function mailOf({ email }: LinkRow, { workspace: { timezone } }: WorkspaceVisit): Inserted {
  if (email === null) return NOTHING;
  const tone = email.status === "failed" ? "failed" : email.status === "sent" ? "good" : "quiet";
  return [
    chip(inWords(email.status), tone),
    html` <span class="quiet">${emailAddress(email.to)},
${timeElement(email.sent_at ?? email.send_at, timezone)}</span>`,
  ];
}

/** `/payment-links`: the links that customers were sent. */
export const LINK_LIST: ListPage<LinkRow, LinkAnswer> = {
  path: "/payment-links",
  title: "Payment links",
  beside: "/invoices",
  one: "payment link",
  many: "payment links",
  intro: "What customers were asked to pay by a link, who made it, and how its mail went.",
  operation: listPaymentLinks,
  row: PaymentLink,
  filters: {
    first: ["status", "email_status", "created_since"],
    labels: { email_status: "Mail", created_since: "Made since" },
    values: { ...VALUE_WORDS, deactivated: "Withdrawn" },
  },
  columns: [INVOICE_OF, CUSTOMER_NAME_OF, ...LINK_COLUMNS],
  totals: ({ totals }, visit) => totalsTable("Links", totals, visit),
  chip: (name, row) => (name === "invoice_id" ? row.invoice_number : name === "customer_id" ? row.customer_name : null),
  empty: (visit) => [
    "No payment link was made yet.",
    html`An admin, an assistant, a workflow or the API makes them for
${visit.link("/invoices", "open invoices", { collection_status: "open" })}.`,
  ],
};

const TASK_STATES: States<TaskRow["state"]> = {
  open: ["Open", "waits"],
  configured: ["Links made", "good"],
  dismissed: ["Dismissed", "quiet"],
  not_needed: ["Not needed any more", "quiet"],
};

/** A task's state in a word or two. */
export function taskChip(state: TaskRow["state"]): Html {
  return chip(...TASK_STATES[state]);
}

/** `/tasks`: invoices whose payment somebody has to arrange. */
export const TASK_LIST: ListPage<TaskRow, z.output<typeof listTasks.output>> = {
  path: "/tasks",
  title: "Tasks",
  beside: "/invoices",
  one: "task",
  many: "tasks",
  intro: "Invoices that wait for a person to arrange their payment.",
  operation: listTasks,
  row: Task,
  filters: {
    first: ["state", "order"],
    values: stateWords(TASK_STATES),
  },
  columns: [
    INVOICE_OF,
    CUSTOMER_NAME_OF,
    { head: "State", cell: ({ state }) => taskChip(state) },
    { head: "Assigned to", cell: ({ assignee_name: name }) => name ?? NOTHING },
    {
      head: "Since",
      cell: ({ id, created_at: at }, { address, workspace }) =>
        html`<a href="${address(`/tasks/${id}`)}">${timeElement(at, workspace.timezone)}</a>`,
    },
    amountColumn("Outstanding", "collection_outstanding"),
  ],
  chip: (_name, row) => row.invoice_number,
  empty: () => [
    "No task waits for anybody.",
    html`<span class="quiet">The Payment Arrangement workflow opens one where an invoice needs a person.</span>`,
  ],
};
