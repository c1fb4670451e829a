import type { Requirements } from "../requirements.ts";

export default {
  "service.2.nullable": "a nullable field is always present",
  "service.2.2.connection": "a connection has the fields of the table; never credentials, hosts or configuration",
  "service.2.3.invoice": "an invoice has the fields of the table, retired ones too",
  "service.2.3.last-synced": "last_synced_at tells when the invoice was last read, changed or not; null for local ones",
  "service.2.4.customer": "the embedded customer has all five fields",
  "service.2.5.task": "a task has the fields of the table; a removed assignee reads null",
  "service.2.7.pagination": "has_more and next_cursor lead through every row once; limit is the page size applied",
  "service.4.unknown-parameters": "an unknown parameter of a list is validation_failed",
  "service.4.1.order": "lists are ordered by creation time, newest first unless asked otherwise",
  "service.4.1.include-total": "total_count is given when asked for, and is the same on every page",
  "service.4.4.filters": "the filters of the invoice list select what they say and combine freely",
  "service.4.4.dates": "due filters include both ends and leave out invoices without a collection_due_date",
  "service.4.4.updated-since":
    "polling by the newest updated_at seen misses no change, whatever the order transactions end in and clocks differ by",
  "service.4.5.parameters": "the connection list takes the shared parameters alone",
  "service.4.8.filters": "the task list filters by invoice, state and type",
  "service.4.11.detail": "the invoice detail carries its installments",
  "service.8.bounds": "a limit, cursor or filter outside its bounds is validation_failed",
  "completions.3.get-context": "get_context names workspace, today there, person, connection and callable tools",
  "completions.3.context-pages": "pages of get_context are one base and short paths of pages that exist",
  "completions.3.own-addresses":
    "addresses of the service's own are never made inert in what a model reads; texts from outside always are",
  "completions.3.tools":
    "tools have fixed names, a title, an output schema, described arguments and truthful annotations",
  "completions.3.tools-shown": "tools/list shows only what the connection could call now",
  "completions.4.available": "available is what is outstanding less active links, never below zero",
  "completions.4.installment": "an installment has the fields listed, ordered by sequence number",
  "completions.4.sync-run": "a sync run has the fields listed",
  "completions.5.sync-runs": "sync runs are listed by connection and status",
  "completions.10.invoices-found":
    "invoices filter by exact amount, min_overdue, invoice dates, links there ever were and what links could still be made for, and sort by invoice date",
  "completions.10.invoices-available":
    "invoices say what links could still be made for, and with include=installments, at most 25 a page, their installments",
  "completions.10.erp-names":
    "ERP connections have a name that a person gave, or one of provider and business units, apart from each other's",
  "completions.10.search": "payment links and payments are found by a part of invoice number, customer name or number",
  "completions.10.nearest":
    "an empty answer to search over customers carries at most three nearest names with number; customers who owe nothing are among them",
  "completions.13.money-twins": "where a field ends in _minor a money string stands beside it: amount, refunded",
  "completions.3.held-beside":
    "an invoice says beside erp_push_state, which counts a held receipt as pending, that it has one",
  "isolation.ids": "another workspace's id answers like a missing one, everywhere",
} satisfies Requirements;
