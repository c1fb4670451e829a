import type { Requirements } from "../requirements.ts";

export default {
  "facts.inputs.bounded": "no text, list or file of a caller is taken without an end, in any operation",
  "facts.inputs.pieces": "a body takes no more memory in small pieces than at once",
  "facts.inputs.pipelined": "a connection has eight requests at work at most",
  "facts.inputs.constant": "what is the same for everybody is read and compressed once",
  "facts.inputs.kept":
    "every operation refuses a text that no store can keep (a NUL character, half of a character), naming the field",
  "isolation.transactions":
    "a transaction reads what is there as it begins, holds nothing once it is over, and is not committed where a statement failed",
  "isolation.walls": "a query that forgets the tenant, or asks for another's rows, gets nothing on either store",
  "service.1.money": "decimal amounts are exact strings, never floats",
  "service.2.money-form": "a money string is an optional minus sign, digits, and optional fractional digits",
  "service.2.9.error-object": "errors are { error: { code, message, request_id, details? } }",
  "service.4.1.cursor": "a bad or mismatched cursor is invalid_cursor",
  "service.5.2.readonly-key": "a readonly key may call only operations without side effects",
  "service.7.codes": "every error code has the HTTP status and retry advice of the table",
  "service.8.cursor-length": "cursors are at most 400 characters",
  "completions.1.actor": "an admin operation needs an admin key, or a member who is admin now and holds its scope",
  "completions.1.audit": "every mutation leaves one audit entry in its own transaction",
  "completions.5.minor-units": "minor units follow ISO 4217: 0, 2 or 3 digits",
  "completions.9.rounded-down": "what is finer than the minor unit is rounded down",
  "contract.environment": "settings are read and checked in one place; a bad one ends the start with one line",
  "contract.encryption-key": "the embedded store makes its own encryption key, kept private and kept for good",
  "facts.registry.manifest": "server.json is valid against the registry's schema and is served with the real address",
  "completions.10.errors.own-words":
    "what is wrong with an input is said by us, for every operation and command: never a library's words",
  "completions.10.errors.steer":
    "an error names the value and what would be right; the nearest field, who takes it, where an id is found, what is in the way",
  "completions.10.fields":
    "`fields` takes one level of dots: `customer.name` gives `customer: { name }`; unknown names steer to the nearest",
  "completions.10.days":
    "where a filter takes a date-time it also takes a plain date: the start of that day in the workspace's timezone, also where clocks change",
  "completions.10.pages":
    "a page of a tool stays below 20,000 tokens at any limit: one that would be larger ends early, and goes on after its last row",
  "completions.10.errors-bounded":
    "of thousands of faults the first are worked out and told of, the others counted; a name somebody made up is cleaned and cut",
  "service.8.idempotency-replay":
    "the same key and body returns the original result, marked, and does not execute again",
  "service.8.idempotency-conflict": "the same key with a different body is idempotency_conflict",
  "service.8.idempotency-key":
    "a missing key, or one that is not 1 to 255 printable ASCII, is idempotency_key_required",
  "service.8.idempotency-failure": "what failed stores nothing",
  "completions.10.idempotency-workspace":
    "a key belongs to the workspace for API keys: a retry with the new key after a rotation replays, or goes on",
  "completions.10.idempotency-connection": "and to the connection for assistants",
  "completions.10.idempotency-operation": "the same key on another operation is idempotency_conflict",
  "service.8.idempotency-lifetime": "keys expire after 24 hours",
  "service.8.idempotency-concurrent": "a concurrent identical request executes once",
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
  "facts.store.references":
    "every reference is checked by the primary key it names, also where its plan is made while the table is empty",
} satisfies Requirements;
