import type { z } from "zod";
import type { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { counted } from "../../core/kernel/counted.ts";
import { money } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import type { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import type { Task } from "../../core/tasks/schema.ts";
import type { OperatorWorkflow } from "../../core/workflows/settings.ts";
import { type Html, html } from "../kit/html.ts";
import { fact, part } from "../kit/parts.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";
import { NOTHING, shownAmount, shownDay } from "../lists/figures.ts";
import { tablePart } from "../lists/table.ts";
import { customerLink, invoiceLink } from "../receivables/invoice-list.ts";
import { LINK_COLUMNS, taskChip } from "../receivables/work-lists.ts";
import { linkForm } from "./link-form.ts";

interface TaskView {
  readonly visit: WorkspaceVisit;
  readonly task: z.output<typeof Task>;
  readonly invoice: z.output<typeof getInvoice.output>;
  readonly links: z.output<typeof listPaymentLinks.output>["data"];
  /** The workflow that opens such tasks; null where the workspace has none any more. */
  readonly rule: OperatorWorkflow | null;
}

const DONE = {
  links: "The payment links are made. Nothing was sent to the customer: open each link below to copy its address.",
  dismissed: "The task is dismissed. Its invoice has returned to Auto Generate.",
};

/** One task: why there is one, its invoice, and what ends it. */
export function taskView(view: TaskView): Html {
  const { visit, task, invoice, links } = view;
  const { address, isAdmin } = visit;
  const isStanding = task.state === "open" || task.state === "configured";
  const about = task.invoice_number === null ? "an invoice" : `invoice ${task.invoice_number}`;
  const dismiss = html`<div class="actions"><a class="button plain"
 href="${address(`/tasks/${task.id}/dismiss`)}">Dismiss</a></div>`;
  const making = isAdmin
    ? linkForm({ visit, invoice, path: `/tasks/${task.id}/links`, first: null })
    : html`<p class="quiet">An admin of the workspace makes them, or dismisses the task.</p>`;
  return html`<p class="crumbs"><a href="${address("/tasks")}">Tasks</a></p>
<div class="title"><h1>Arrange the payment of ${about} ${taskChip(task.state)}</h1>
${isAdmin && isStanding && dismiss}</div>
${visit.note(DONE)}
<p>${why(view)}</p>
${facts(view)}
${tablePart("Payment links", "None was made for it yet.", { columns: LINK_COLUMNS, rows: links, visit })}
${isStanding && part("Make links", making)}`;
}

const STATES: Readonly<Record<z.output<typeof Task>["state"], string>> = {
  open: "Until its links are made or it is dismissed, Auto Generate makes none for the invoice.",
  configured:
    "Its links are made, so nothing more has to be done. Until it is dismissed, Auto Generate makes none for the invoice.",
  dismissed: "It was dismissed, which returned the invoice to Auto Generate.",
  not_needed: "It is not needed any more: the invoice was paid, or cannot be collected now.",
};

/** Why the task was opened, by its current rule, and what follows from its state. */
function why({ task, invoice, rule }: TaskView): string {
  const minimum = rule?.minimum_amount ?? null;
  const named = rule?.customers.length ?? 0;
  const matched = [
    minimum !== null && `of ${readableMoney(money(minimum), invoice.currency ?? "").trim()} or more`,
    named > 0 && `of ${counted(named, "customer")} that it names`,
  ].filter((one) => one !== false);
  const takes = matched.length === 0 ? "an invoice that its rule matches" : `invoices ${matched.join(" and ")}`;
  return `The workflow ${rule?.name ?? "Payment Arrangement"} opened it: it has a person arrange the payment of ${takes}. ${STATES[task.state]}`;
}

function facts({ visit, task, invoice }: TaskView): Html {
  const { timezone } = visit.workspace;
  const ended = task.dismissed_at ?? task.configured_at;
  return html`<dl class="key">
${fact("Outstanding", html`<span class="big">${shownAmount(task.collection_outstanding, task.currency)}</span>`)}
${fact("Total", shownAmount(invoice.total_amount, invoice.currency))}
${fact("Invoice", invoiceLink(task.invoice_id, task.invoice_number, visit))}
${fact("Customer", customerLink(invoice.customer, visit))}
${fact("Due", shownDay(invoice.collection_due_date))}
${fact("Assigned to", task.assignee_name ?? NOTHING)}
${fact("Opened", timeElement(task.created_at, timezone))}
${ended !== null && fact(task.dismissed_at === null ? "Links made" : "Dismissed", timeElement(ended, timezone))}
</dl>`;
}
