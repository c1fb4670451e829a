import type { Requirements } from "../requirements.ts";

/** Answers a finance person needs, of the lists (completions §10). */
export default {
  "completions.13.change-cursor":
    "polled by `pagination.as_of`, a copy of invoices, payments, links and tasks equals the service's own after any schedule of syncs, payments, workflows and crashes",
  "completions.13.change-cursor.still":
    "where nothing that is shown changed, a poll gets nothing, however often rows are written or read again",
  "completions.13.change-cursor.names":
    "what shows the name of a member changes with it, and when the member is removed",
  "completions.13.change-cursor.fields":
    "every field of an invoice, payment, link or task moves its time of change; the guide and the descriptions name the two that do not",
  "completions.13.paid-days":
    "pages, files and filters have one date for payments: paid_at as a day of the workspace, ranges include both ends",
  "completions.10.overdue-outstanding":
    "what is overdue of the invoices of a customer and currency adds up to what aging says is overdue of it, always",
  "completions.10.invoices-filters": "invoices are filtered by overdue, search and min_outstanding, with all else",
  "completions.10.invoices-sort":
    "invoices rank by outstanding or overdue within a currency, or by due date, none last",
  "completions.10.sorted-walks": "in a sorted walk rows that do not change come exactly once, while others change",
  "completions.10.totals": "totals of invoices, payments and links are the sum over all pages, each currency by itself",
  "completions.10.payments-filters":
    "payments are filtered by the end of a period, link, invoice number and receipt number, and name their customer",
  "completions.10.links-filters":
    "links are filtered by customer, time, and their email's state and time, and name customer and maker",
  "completions.10.tasks": "tasks name assignee and customer, with what the invoice still owes",
} satisfies Requirements;
