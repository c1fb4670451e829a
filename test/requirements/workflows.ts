import type { Requirements } from "../requirements.ts";

export default {
  "contract.admin.workflow": "workflows are enabled with their settings, disabled and listed at the terminal",
  "service.3.4.open": "Payment Arrangement opens a task for an invoice it matches and notifies the assignee",
  "service.3.4.dismissed": "a dismissed task returns its invoice to Auto Generate; dismissing again changes nothing",
  "service.3.4.auto-generate-waits": "while an invoice's task is not dismissed, Auto Generate creates no links for it",
  "completions.7.after-delivery": "workflows run after every delivery, for open invoices that are new or changed",
  "completions.7.runs-by-itself": "the service runs workflows and sends their mail by itself",
  "completions.7.auto-generate":
    "a link, with its email scheduled, for each collectible installment of an open invoice without a live one",
  "completions.7.days-before-due":
    "auto_generate makes a link for what is due within days_before_due days (0 to 365, default 7) or overdue, and for nothing undated",
  "completions.7.comes-into-window":
    "what comes into the window as days pass gets its link by itself, and waits for free",
  "completions.7.one-message": "emails of one customer and day go out as one message with all their links",
  "completions.7.own-email-state": "each link's email keeps its own state, in one message or another",
  "completions.7.erp-disconnected":
    "no delivery of a disconnected ERP runs Auto Generate: it makes no link for its invoices until that is connected again",
  "completions.7.first-plan": "no workflow acts on an ERP's invoices that no preview could show",
  "completions.7.plan": "enabling shows first what would happen: links, amounts per currency, messages, customers",
  "completions.7.plan-is-true": "what the plan says equals what then happens",
  "completions.7.confirmed": "beyond 25 links or messages, enabling needs --yes or a typed confirmation",
  "completions.7.disable":
    "disabling cancels the emails the workflow scheduled and has not sent, unless told to keep them",
  "completions.12.stays-withdrawn":
    "Auto Generate makes no new link where a person withdrew one, until its amount changes or somebody makes one",
  "completions.7.lease-given-back":
    "work that failed unexpectedly is tried again within seconds, whoever held the lease",
  "completions.7.after-whatever-moved": "the workflows look again at whatever moved: payments, withdrawn links, emails",
  "completions.7.refused-link": "a link that cannot be made holds no other up; the history says why, once",
  "completions.7.unclear-link": "a link that nobody can tell of is settled before another is made, and then recorded",
  "completions.7.one-live-link": "several workers make one link for an installment",
  "completions.4.workflow": "a workflow has the fields of completions §4",
  "completions.4.workflow-execution": "a workflow execution has the fields of completions §4",
  "completions.5.workflow-filters":
    "workflows are filtered by enabled and type, executions by workflow, invoice, status",
  "completions.5.reschedule": "a scheduled email is moved into the future, at most 365 days; any other is a conflict",
  "completions.5.cancel": "a scheduled email is cancelled; again changes nothing; one sent or failed is a conflict",
  "completions.1.audit-email": "moving and cancelling an email leave an audit entry each",
  "completions.7.enabled": "a workflow runs while it is enabled; once it is, it looks at every open invoice",
  "completions.7.arrangement-rule": "Payment Arrangement matches by a minimum amount and/or customers",
  "completions.7.once-per-invoice": "an invoice gets one task, a dismissed one included",
  "completions.7.notifies": "the assignee is notified by mail",
  "completions.7.send-at": "links are mailed at the next HH:MM of the workspace's timezone",
  "completions.7.send-at-dst": "a time of day that clocks skip or repeat is still one instant a day",
  "completions.7.mail-link": "the payment-link email has workspace name, amount with currency, due date and link",
  "completions.7.mail-due-words": "a payment-link email says when a debt is due, or since when it is overdue",
  "completions.7.mail-contact": "a payment-link email says whom to ask, and its answers go where the workspace says",
  "completions.7.mail-languages":
    "a payment-link email is written in English, German, French or Spanish, with amounts and dates as there",
  "completions.7.mail-looks": "every mail can be read at 320 and 640 px, light and dark, and loads nothing",
  "completions.7.no-mail": "a customer who is mailed nothing gets no email, and no link of Auto Generate",
  "completions.7.rejected": "what a mail server rejected is shown where its customer is, in the service's words",
  "completions.7.logo": "of an uploaded PNG or JPEG only its pixels are kept, within limits; anything else is refused",
  "completions.7.mail-task": "the task mail names the invoice, the customer and what is owed",
  "completions.7.mail-due": "a payment-link email goes out when it is due",
  "completions.7.mail-recipient": "a payment-link email goes to the invoice's billing email",
  "completions.7.mail-cancelled": "a mail whose occasion has passed is cancelled",
  "completions.7.mail-retried": "a temporary failure is tried again, for a bounded time",
  "completions.7.mail-failed": "a permanent failure is failed",
  "completions.7.emails-again":
    "scheduled emails follow the send time and days of their workflow; what disabling cancelled, enabling schedules again",
  "completions.7.mail-once": "several workers send a mail once",
  "completions.7.mail-crash": "a mail the mailer took before the worker was lost is one message still, by its id",
  "completions.7.mail-escaped": "what stands in a mail is text, whatever it says; a link is a web address",
  "completions.9.matches-open": "payment_arrangement matches invoices that are open",
  "completions.9.one-open-task": "one open task per invoice, whoever looks at once",
  "completions.9.dismiss-not-needed": "dismissing a task that is not needed is a conflict",
} satisfies Requirements;
