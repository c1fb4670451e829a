import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { counted } from "../../core/kernel/counted.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { dismissTask } from "../../core/tasks/operations/dismiss-task.ts";
import { getTask } from "../../core/tasks/operations/get-task.ts";
import { listWorkflowSettings } from "../../core/workflows/operations/list-workflows.ts";
import type { OperatorWorkflow } from "../../core/workflows/settings.ts";
import { actions, big, buttonLink, keyFacts, muted, paragraph, part } from "../kit/markup.ts";
import { admins, doing, members, type WorkspaceVisit } from "../kit/page.ts";
import { shownAmount, shownDay, tablePart } from "../lists/list.ts";
import { customerLink, dueDateOf, type InvoiceDetail, invoiceLink } from "../receivables/invoice-list.ts";
import { aboutInvoice } from "../receivables/terms.ts";
import { LINK_COLUMNS, taskChip } from "../receivables/work-lists.ts";
import { linkForm, makeLinks } from "./link-form.ts";

/** Links that the page shows of the invoice. */
const MAX_LINKS = 50;

const inAddress = (visit: WorkspaceVisit) => ({ task_id: visit.id("taskId", "task") });
const taskIn = (visit: WorkspaceVisit) => visit.call(getTask, inAddress(visit));
type Task = Awaited<ReturnType<typeof taskIn>>;

const isStanding = ({ state }: Task) => state === "open" || state === "configured";

const ACTS = {
  "/links": {
    async send(visit: WorkspaceVisit) {
      const { invoice_id } = await taskIn(visit);
      await makeLinks(visit, await visit.call(getInvoice, { invoice_id }));
      return "links";
    },
  },
  "/dismiss": {
    title: "Dismiss a task",
    async ask(visit: WorkspaceVisit) {
      const task = await taskIn(visit);
      return isStanding(task) ? dismissView(task) : null;
    },
    ...doing("dismissed", (visit: WorkspaceVisit) => visit.call(dismissTask, inAddress(visit))),
  },
};

/** `/tasks/{id}`: why a task was opened, its invoice, its links, which are made right there, and dismissing it. */
export const TASK_PAGE = { routes: members.page("/tasks/:taskId", showTask, ACTS, admins) };

function dismissView(task: Task) {
  const about = aboutInvoice(task).join(", ");
  return {
    question: "Dismiss the task?",
    consequences: [
      about !== "" && `It is about ${about}.`,
      "The invoice returns to Auto Generate: where that is on, it may make a payment link and mail the customer.",
      "Existing links and payments stay.",
      "No other task is opened for the invoice.",
    ],
    button: "Dismiss the task",
    stay: "Keep it open",
  };
}

const DONE = {
  links: "The payment links are made. Nothing was sent to the customer: open each link below to copy its address.",
  dismissed: "The task is dismissed. Its invoice has returned to Auto Generate.",
};

async function showTask(visit: WorkspaceVisit) {
  const task = await taskIn(visit);
  const [invoice, { data: links }, workflows] = await Promise.all([
    visit.call(getInvoice, { invoice_id: task.invoice_id }),
    visit.call(listPaymentLinks, { invoice_id: task.invoice_id, limit: MAX_LINKS }),
    visit.call(listWorkflowSettings, {}),
  ]);
  const rule = workflows.data.find(({ type }) => type === task.type);
  const about = task.invoice_number === null ? "an invoice" : `invoice ${task.invoice_number}`;
  const path = `/tasks/${task.id}`;
  visit.showPage(
    {
      ...{ title: "Task", heading: ["Arrange the payment of ", about, " ", taskChip(task.state)], done: DONE },
      acts: visit.isAdmin && isStanding(task) && actions(buttonLink(visit.address(`${path}/dismiss`), "Dismiss")),
    },
    paragraph(why(task, invoice, rule)),
    factsOf(visit, task, invoice),
    tablePart("Payment links", "None was made for it yet.", { columns: LINK_COLUMNS, rows: links, visit }),
    isStanding(task) &&
      part(
        "Make payment links",
        visit.isAdmin
          ? linkForm({ visit, invoice, path: `${path}/links`, first: null })
          : muted("An admin of the workspace makes them, or dismisses the task."),
      ),
  );
}

const UNTIL = "Until the task is dismissed, Auto Generate makes no links for the invoice.";
const STATES: Readonly<Record<Task["state"], string>> = {
  open: UNTIL,
  configured: `Its links are made, so nothing more has to be done. ${UNTIL}`,
  dismissed: "It was dismissed, which returned the invoice to Auto Generate.",
  not_needed: "It is not needed any more: the invoice was paid, or cannot be collected now.",
};

/** Why the task was opened, by its current rule, if there still is one, and what follows from its state. */
function why(task: Task, { currency }: InvoiceDetail, rule: OperatorWorkflow | undefined) {
  const minimum = rule?.minimum_amount ?? null;
  const named = rule?.customers.length ?? 0;
  const matched = [
    minimum !== null && `of ${readableMoney(minimum, currency ?? "").trim()} or more`,
    named > 0 && `of ${counted(named, "named customer")}`,
  ].filter((one) => one !== false);
  const takes = matched.length === 0 ? "an invoice that its rule matches" : `invoices ${matched.join(" and ")}`;
  const opened = `Opened by the workflow ${rule?.name ?? "Payment Arrangement"}`;
  return `${opened}: a person arranges the payment of ${takes}. ${STATES[task.state]}`;
}

function factsOf(visit: WorkspaceVisit, task: Task, invoice: InvoiceDetail) {
  const ended = task.dismissed_at ?? task.configured_at;
  return keyFacts([
    ["Outstanding", big(shownAmount(task.collection_outstanding, task.currency))],
    ["Total", shownAmount(invoice.total_amount, invoice.currency)],
    ["Invoice", invoiceLink(task.invoice_id, task.invoice_number, visit)],
    ["Customer", customerLink(invoice.customer, visit)],
    ["Due", shownDay(dueDateOf(invoice))],
    ["Assigned to", task.assignee_name],
    ["Opened", visit.time(task.created_at)],
    ended !== null && [task.dismissed_at === null ? "Links made" : "Dismissed", visit.time(ended)],
  ]);
}
