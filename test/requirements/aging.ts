import type { Requirements } from "../requirements.ts";

export default {
  "service.2.6.report-date":
    "report_date is the business day in the workspace's timezone, whatever day it is elsewhere",
  "service.2.6.revision": "revision changes whenever the rows behind the answer change, and only then",
  "service.2.6.one-revision": "the three operations tell the same revision and totals for the same filters",
  "service.2.6.currencies": "currencies are the workspace's, and no filter removes one",
  "service.2.6.data-updated": "data_updated_at is the latest change of a source record, whatever the filters",
  "service.2.6.totals":
    "totals are one per currency that has rows, exact, their buckets disjoint; currencies never mix",
  "service.2.6.customer-row":
    "a customer row is one key in one currency; an invoice without customer stands for itself",
  "service.2.6.counts": "invoice_count and installment_count count what is behind the row, after the filters",
  "service.2.6.installment-row": "an installment row has the fields listed; an invoice without installments is a row",
  "service.2.6.installment-count": "invoice_installment_count counts all that were not removed, filters or not",
  "service.2.6.pagination": "total_count counts the matching rows on all pages",
  "service.4.10.currency": "currency takes a code, or UNKNOWN for invoices without one",
  "service.4.10.search": "search is literal and case-insensitive, in customer name and number",
  "completions.10.folding":
    "search is caseless over NFKC with every i alike, of invoices and customers, on every store; exact numbers are cleaned as stored ones are",
  "completions.13.accounts":
    "a customer is found by each name and account number that its invoices carry; its row shows those of the newest with a debt in it, a debt its invoice's number",
  "service.4.10.customer-key": "customer_key narrows every answer to one customer or one unassigned invoice",
  "service.4.10.bucket": "current includes today; the buckets are disjoint and meet at 1, 31, 61 and 91 days",
  "service.4.10.overdue-only": "overdue_only keeps what was due before the current business day",
  "service.4.10.sort": "money ranks within a currency; installments go by due date, invoice and installment",
  "service.4.10.parameters": "a parameter outside its bounds, or an unknown one, is validation_failed",
  "service.4.10.1": "a row is live, owes, is not closed and has a due date; removed and retired ones never count",
  "service.4.10.2": "invoice status is not consulted; collectible says what can be acted on",
  "service.4.10.4": "the summary has neither rows nor pages",
  "service.4.10.7": "a cursor is refused once anything of its query or the report's revision changed",
  "service.8.aging-cursor": "an aging cursor has at most 400 characters, however long the names",
  "service.8.aging-page": "aging pages have 50 rows unless asked otherwise, 100 at most",
  "completions.10.aging-due":
    "due_from and due_to select installments by due date, both ends included; totals obey them",
  "completions.10.aging-reason":
    "collectible and not_collectible_reason select rows that show them; reasons that aging never shows answer nothing",
  "completions.10.aging-combined": "filters of aging together let through what each of them lets through",
  "completions.10.aging-refused": "a range that ends before it begins and an unknown reason are refused by their field",
  "completions.10.max-days-overdue": "max_days_overdue is of the row's oldest debt, null when nothing is overdue",
  "completions.10.aging-connection": "connection_id selects debts of an ERP, totals obey",
  "completions.10.aging-groups":
    "group_by splits a summary's totals by month or week of due or expected dates, by reason and by connection, with its as_of",
  "completions.10.limit-per-currency":
    "where sort ranks money, limit_per_currency takes the first rows of each currency; with another sort it is refused",
  "completions.10.aging-twins":
    "installment rows have outstanding (= amount), available_amount, and not_collectible_reasons: all that hold, in order",
  "completions.10.payment-history":
    "include=payment_history adds a customer's figures over all currencies, retired invoices included, and expected dates",
  "completions.10.payment-history-unknown":
    "no figure without a closing and a due date, no expected date below three payments; half a day rounds to the later",
  "completions.10.as-of":
    "totals, customers and installments of aging say as_of: the oldest last_successful_sync_at of the ERPs behind them, null without one",
  "completions.10.as-of-shown":
    "pages, statements and files with figures say as of when their own rows are, by currency where that differs",
  "completions.10.past-expected":
    "expected_date is null where the day is past or after 9999-12-31; what should be in by habit is past_expected, of installments, customers and totals",
  "completions.10.payment-history-window": "what was closed before the same day two years ago does not count",
  "completions.10.payment-history-asked":
    "days_late_desc orders across currencies, few payments last; expected_from and expected_to select, totals obey",
  "completions.10.payment-history-refused": "what needs payment histories is refused by its field without include",
  "completions.10.payment-history-exact": "histories, expected days and orders equal a plain computation over all rows",
  "completions.10.closing-dates":
    "closing dates come by a pull; rows stored without one are read again, though unchanged",
  "completions.10.expected-real":
    "on the real book expected dates are within 7 days at the mean, and nearer than due dates, knowing nothing later",
  "completions.10.own-reason":
    "an invoice without installments is never collectible; its reason is the first of §4 that holds of it, else null",
  "completions.6.days-overdue": "days_overdue is negative before the due date, zero on it",
  "isolation.bridge": "another workspace's debts are in no step of the bridge",
  "isolation.aging": "another workspace's debts and customer keys are nowhere",
  "facts.store.statistics":
    "a workspace of some sixty invoices or more that the statistics lack is in them when its sync ends",
  "facts.store.unexpected": "what a workspace reads that the statistics lack grows by the square of its rows at most",
  "facts.store.rollup-built": "the roll-up of a workspace is built when it is first needed, from the whole book",
  "facts.store.rollup-kept": "every writer keeps the roll-up exact, in its own transaction",
  "facts.store.rollup-advance": "the roll-up moves to another day, and ends up as if it were built on it",
  "facts.store.rollup-verify": "operators compare the roll-up with the book, and make it anew",
  "facts.store.rollup-rebuild":
    "a roll-up is rebuilt while its writers go on, each of whom waits for a slice of it at most, and is exact then after any harm",
  "facts.store.rollup-version":
    "beside a process of another version no report is of a roll-up that the other built or changed: each builds its own before it reads it, and one rebuild does too",
  "facts.store.rollup-concurrency": "writers and readers at the same time leave the roll-up exact",
} satisfies Requirements;
