import type { ErrorCode } from "../../core/error.ts";

/** What the description says of an operation beyond what its declaration does. */
export interface Words {
  tag: Tag;
  summary: string;
  description: string;
  /** Codes of service.md §7 besides those any operation, list or body can cause. */
  errors?: readonly ErrorCode[];
}

export const TAGS = {
  Workspace: "Whose key this is and what it may do.",
  Invoices: "Invoices synced from the ERP or made in the service, with their installments and collection state.",
  "Payment links": "Pages a customer pays an installment at, and the providers behind them.",
  Payments: "Payments that a provider confirmed, and the write-back of their receipts to the ERP.",
  "ERP connections": "Connections to ERP systems and the runs that pull from them.",
  Tasks: "What waits for a person.",
  Workflows: "What runs by itself after a delivery, and what it did.",
  Aging: "Installment-level aging of what is owed now, on the workspace's business day.",
} as const;
type Tag = keyof typeof TAGS;

export const INTRODUCTION = `
Receivables of one workspace for systems: invoices, installments, payment links and payments, ERP connections and their sync
runs, tasks and aging.

- **Authentication**: \`Authorization: Bearer <API_KEY>\` on every request. A key belongs to one workspace and is \`admin\` or
  \`readonly\`; each operation's \`x-permission\` says which it takes. An id of another workspace is answered like a missing one.
- **Money** is an exact decimal string in major units; fields named \`*_minor\` are integers in the currency's minor unit.
  Amounts of different currencies are never added up.
- **Times** are ISO 8601 in UTC, dates \`YYYY-MM-DD\` in the workspace's time zone.
- **Lists** are ordered by creation time and paged with an opaque \`cursor\`, which is good for the same query alone. Unknown or
  repeated parameters are refused.
- **Limits**: 120 requests a minute per key, 600 per workspace. Every response tells the headroom in \`RateLimit-*\`.
- **Errors** are \`{ "error": { code, message, request_id, details? } }\`, whatever goes wrong. A path that exists, asked with
  another method, answers 405 \`method_not_allowed\` with \`Allow\`.
- **Compatibility**: within \`/v1\` fields, values of filters and operations are only ever added. Tolerate what you do not know.
`.trim();

const FRESHNESS = "Judge how fresh figures are by the connection's `last_successful_sync_at`.";
const AGING =
  "A row counts when its installment is live, owes money, is not closed in the ERP and has a due date, whatever the invoice's status.";

const LINK_ERRORS = [
  "conflict",
  "installment_not_collectible",
  "amount_exceeds_available",
  "integration_unavailable",
  "currency_not_supported",
] as const satisfies readonly ErrorCode[];

/** By operationId. */
export const WORDS: Readonly<Record<string, Words>> = {
  getApiContext: {
    tag: "Workspace",
    summary: "Who this key is",
    description: "The workspace and the key itself: a check of connectivity and permission.",
  },
  listInvoices: {
    tag: "Invoices",
    summary: "List invoices",
    description:
      "Newest first. Filters combine freely. Age by `collection_due_date`, never by `due_date`; invoices without one are left out under a due filter, and both its ends are inclusive. A due filter selects whole invoices, with installments that are not due yet: never sum amounts under it; what is due or overdue is in `/v1/aging/summary`. `inactive` is neither unpaid nor written off. To total what is owed and collectible, sum `collection_outstanding` of `collection_status=open` without a due filter, each currency by itself. Polling with the newest `updated_at` as `updated_since` returns that row again and misses none; of several pages, take the newest of the first. Collections do not move it.",
  },
  getInvoice: {
    tag: "Invoices",
    summary: "Read an invoice with its installments",
    description: "Each installment says whether it can be collected now and, where not, the first reason.",
  },
  listPaymentLinks: {
    tag: "Payment links",
    summary: "List payment links",
    description:
      "Newest first. Filters combine freely. `paid_at` is set when the link is `paid`, by the provider's clock, and is that of its payment; `deactivated_at` when it is `deactivated`. `email` is there where a workflow scheduled one.",
  },
  createPaymentLink: {
    tag: "Payment links",
    summary: "Create a payment link",
    description:
      "For one installment: `amount_minor` or, where it is left out, all that is available, which is the installment's `collection_outstanding` less its live links. An outstanding amount finer than the minor unit is rounded down. An installment holds at most 12 live links: one more is a `conflict` that names them.",
    errors: LINK_ERRORS,
  },
  createPaymentLinks: {
    tag: "Payment links",
    summary: "Create several payment links, or none",
    description:
      "All are created or none; `details[].field` of an error names the link, as in `links[3].amount_minor`. Links on one installment share what is available, in their order.",
    errors: LINK_ERRORS,
  },
  getPaymentLink: {
    tag: "Payment links",
    summary: "Read a payment link",
    description: "A link is `active` until it is `paid` or `deactivated`, and both are final.",
  },
  deactivatePaymentLink: {
    tag: "Payment links",
    summary: "Withdraw a payment link",
    description: "Again changes nothing. A link that was paid answers `conflict`. The request has no body.",
    errors: ["conflict"],
  },
  reschedulePaymentLinkEmail: {
    tag: "Payment links",
    summary: "Move a scheduled email",
    description:
      "Only a workflow schedules an email, and only a `scheduled` one can be moved: else, and while it is being sent, `conflict`. A link whose email was moved is mailed once.",
    errors: ["conflict"],
  },
  cancelPaymentLinkEmail: {
    tag: "Payment links",
    summary: "Cancel a scheduled email",
    description:
      "Again changes nothing; an email that was sent or failed, or is being sent, answers `conflict`. The request has no body.",
    errors: ["conflict"],
  },
  listPayments: {
    tag: "Payments",
    summary: "List confirmed payments",
    description:
      "Newest first. Polling with the newest `confirmed_at` as `confirmed_since` returns that payment again and misses none; of several pages, take the newest of the first. `paid_at` is when the customer paid, by the provider's clock: the receipt's date is its day in the workspace's timezone. `confirmed_at` is when the service learnt of it, later where a notification was. `refunded_minor` is what the provider has given back so far, in the currency's minor unit, 0 without a refund; `disputed` is true from the customer's dispute (chargeback) on, until it is won. Neither moves another figure: `amount`, `amount_collected` and `collection_status` stay. `erp_receipt_number` is there once the ERP has the receipt.",
  },
  pushHeldPayments: {
    tag: "Payments",
    summary: "Push held receipts to the ERP",
    description:
      "Give exactly one of `connection_id` and `payment_ids`. Of a connection, all that it holds, which may be none; of named payments, all or none: one that is not held answers `conflict`. `202` means queued: poll the payments' `erp_push_status`.",
    errors: ["conflict", "connection_disconnected"],
  },
  listPaymentIntegrations: {
    tag: "Payment links",
    summary: "List payment integrations",
    description:
      "The payment providers of the workspace and what each can charge. Newest first. `livemode` is true where real money moves, and false with a test key or the sandbox: links of such an integration cannot be paid with real money.",
  },
  listErpConnections: {
    tag: "ERP connections",
    summary: "List ERP connections",
    description: `Outside \`connected\`, runs may still happen and fail. ${FRESHNESS}`,
  },
  startErpSync: {
    tag: "ERP connections",
    summary: "Start a sync",
    description:
      "Answers at once; the pull goes on in the background. Poll the sync run until its status is terminal. `running` says nothing of the credential: with an expired one the run fails seconds later. One run can be in flight per connection. The request has no body.",
    errors: ["conflict", "sync_disabled", "connection_disconnected"],
  },
  setErpSyncSchedule: {
    tag: "ERP connections",
    summary: "Set the automatic sync",
    description: "The interval is a floor: the connection is pulled on the first check after it has passed.",
    errors: ["conflict"],
  },
  setPaymentPushMode: {
    tag: "ERP connections",
    summary: "Push receipts at once, or hold them",
    description:
      "`automatic` pushes the receipt of a payment when it is confirmed; `held` keeps it until it is pushed.",
  },
  listSyncRuns: {
    tag: "ERP connections",
    summary: "List sync runs",
    description: "Newest first.",
  },
  getSyncRun: {
    tag: "ERP connections",
    summary: "Read a sync run",
    description: "`succeeded` and `failed` are terminal. A run that was cut off has failed with `interrupted`.",
  },
  listTasks: {
    tag: "Tasks",
    summary: "List tasks",
    description: "Newest first. `state=open` are the invoices still waiting for their first payment link.",
  },
  dismissTask: {
    tag: "Tasks",
    summary: "Dismiss a task",
    description:
      "Open and configured tasks can be dismissed; again changes nothing. A task that is not needed any more answers `conflict`. The request has no body.",
    errors: ["conflict"],
  },
  listWorkflows: {
    tag: "Workflows",
    summary: "List workflows",
    description:
      "Newest first. `auto_generate` creates payment links and emails them, `payment_arrangement` opens tasks.",
  },
  listWorkflowExecutions: {
    tag: "Workflows",
    summary: "List workflow executions",
    description:
      "Newest first, by when they started. One for each look at an invoice that did something, or would not and said why; a reason that still holds is not repeated.",
  },
  summarizeAging: {
    tag: "Aging",
    summary: "Aging totals per currency",
    description: `${AGING} \`revision\` changes if and only if the rows behind the answer do.`,
  },
  listCustomerAging: {
    tag: "Aging",
    summary: "Aging per customer and currency",
    description: `${AGING} Rows group by currency, largest first inside each. A cursor ends with its \`revision\`.`,
  },
  listAgingInstallments: {
    tag: "Aging",
    summary: "The installments behind the aging",
    description: `${AGING} By due date, invoice and installment. A cursor ends with its \`revision\`.`,
  },
};
