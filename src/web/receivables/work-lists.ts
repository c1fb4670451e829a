import type { z } from "zod";
import { readableMoney } from "../../core/mail/readable.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import type { PaymentLink } from "../../core/payment-links/schema.ts";
import { listTasks } from "../../core/tasks/operations/list-tasks.ts";
import type { Task } from "../../core/tasks/schema.ts";
import { aside, emailAddress, html, inWords, unseen } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import {
  amountColumn,
  type Column,
  chip,
  chipOf,
  column,
  countColumn,
  pagesOfList,
  type States,
  shownMinor,
  stateWords,
  textColumn,
  timeLinkColumn,
} from "../lists/list.ts";
import { CUSTOMER_BY_NAME, INVOICE_OF } from "./invoice-list.ts";
import { LINK_CHIPS, linkChip, VALUE_WORDS } from "./terms.ts";

type LinkRow = z.output<typeof PaymentLink>;

/** The columns of an invoice's links, with the amount last. */
export const LINK_COLUMNS: readonly Column<LinkRow>[] = [
  {
    head: "Made",
    cell({ id, created_at: at, amount, currency, status }, visit) {
      const which = unseen(`, ${readableMoney(amount, currency)}, ${LINK_CHIPS[status][0].toLowerCase()}`);
      return visit.link(`/payment-links/${id}`, [visit.time(at), which]);
    },
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

function mailOf({ email }: LinkRow, visit: WorkspaceVisit) {
  if (email === null) return null;
  const tone = email.status === "failed" ? "failed" : email.status === "sent" ? "good" : "quiet";
  return [
    chip(inWords(email.status), tone),
    " ",
    aside(emailAddress(email.to), ", ", visit.time(email.sent_at ?? email.failed_at ?? email.send_at)),
  ];
}

/** `/payment-links`: the links that customers were sent. */
export const LINK_LIST = pagesOfList({
  path: "/payment-links",
  title: "Payment links",
  beside: "/invoices",
  one: "payment link",
  intro: "What customers were asked to pay by a link, who made it, and how its mail went.",
  operation: listPaymentLinks,
  filters: {
    first: ["status", "email_status", "created_since"],
    labels: {
      email_status: "Mail",
      created_since: "Made since",
      email_send_from: "Mail goes out from",
      email_send_before: "Mail goes out before",
    },
    values: { ...VALUE_WORDS, deactivated: "Withdrawn" },
  },
  columns: [INVOICE_OF, CUSTOMER_BY_NAME, ...LINK_COLUMNS],
  totals: { columns: [countColumn("Links", "count"), amountColumn("Amount", "amount")] },
  empty: (visit) => [
    "No payment link was made yet.",
    html`An admin, an assistant, a workflow or the API makes them for
${visit.link("/invoices", "open invoices", { collection_status: "open" })}.`,
  ],
});

const TASK_STATES: States<z.output<typeof Task>["state"]> = {
  open: ["Open", "waits"],
  configured: ["Links made", "good"],
  dismissed: ["Dismissed", "quiet"],
  not_needed: ["Not needed any more", "quiet"],
};

export const taskChip = chipOf(TASK_STATES);

/** `/tasks`: invoices whose payment somebody has to arrange. */
export const TASK_LIST = pagesOfList({
  path: "/tasks",
  title: "Tasks",
  beside: "/invoices",
  one: "task",
  intro: "Invoices that wait for a person to arrange their payment.",
  operation: listTasks,
  filters: { first: ["state", "order"], labels: { state: "Status" }, values: stateWords(TASK_STATES) },
  columns: [
    INVOICE_OF,
    CUSTOMER_BY_NAME,
    column("Status", "state", taskChip),
    textColumn("Assigned to", "assignee_name"),
    timeLinkColumn("Opened", "created_at", "/tasks"),
    amountColumn("Outstanding", "collection_outstanding"),
  ],
  empty: () => [
    "No task waits for anybody.",
    aside("The Payment Arrangement workflow opens one where an invoice needs a person."),
  ],
});
