import type { Requirements } from "../requirements.ts";

export default {
  "contract.admin.workflow": "workflows are enabled with their settings, disabled and listed at the terminal",
  "service.3.4.open": "Payment Arrangement opens a task for an invoice it matches and notifies the assignee",
  "service.3.4.dismissed": "a dismissed task returns its invoice to Auto Generate; dismissing again changes nothing",
  "service.3.4.auto-generate-waits": "while an invoice's task is not dismissed, Auto Generate creates no links for it",
  "completions.7.auto-generate":
    "a link, with its email scheduled, for each collectible installment of an open invoice without a live one",
  "completions.7.after-whatever-moved": "the workflows look again at whatever moved: payments, withdrawn links, emails",
  "completions.7.refused-link": "a link that cannot be made holds no other up; the history says why, once",
  "completions.7.unclear-link": "a link that nobody can tell of is settled before another is made, and then recorded",
  "completions.7.one-live-link": "several workers make one link for an installment",
  "completions.4.workflow": "a workflow has the fields of completions §4",
  "completions.4.workflow-execution": "a workflow execution has the fields of completions §4",
  "completions.5.workflow-filters":
    "workflows are filtered by enabled and type, executions by workflow, invoice, status",
  "completions.7.enabled": "a workflow runs while it is enabled; once it is, it looks at every open invoice",
  "completions.7.arrangement-rule": "Payment Arrangement matches by a minimum amount and/or customers",
  "completions.7.once-per-invoice": "an invoice gets one task, a dismissed one included",
  "completions.7.notifies": "the assignee is notified by mail",
  "completions.7.send-at": "links are mailed at the next HH:MM of the workspace's timezone",
  "completions.7.send-at-dst": "a time of day that clocks skip or repeat is still one instant a day",
  "completions.7.mail-link": "the payment-link email has workspace name, amount with currency, due date and link",
  "completions.7.mail-task": "the task mail names the invoice, the customer and what is owed",
  "completions.7.mail-escaped": "what stands in a mail is text, whatever it says; a link is a web address",
  "completions.9.matches-open": "payment_arrangement matches invoices that are open",
  "completions.9.one-open-task": "one open task per invoice, whoever looks at once",
  "completions.9.dismiss-not-needed": "dismissing a task that is not needed is a conflict",
} satisfies Requirements;
