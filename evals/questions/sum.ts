import { call, type Question } from "./question.ts";
import { major, table, together } from "./read.ts";
import { A_CUSTOMER, A_PAYER, cash, select, union } from "./sql.ts";

/** Debts that a condition holds of, added up per currency. */
const owed = (condition: string): string =>
  select([cash("currency", "sum(amount)")], `from debt where ${condition} group by currency`);

/** A list asked for its totals only. */
const totals = (tool: string, filters: Record<string, unknown>, field: string) =>
  call(tool, { ...filters, include_total: true, limit: 1, fields: [field] });

/** Totals, one for each currency. */
export const SUMS: readonly Question[] = [
  {
    id: "sum-overdue",
    class: "sum",
    text: "How much is overdue in total, per currency?",
    truth: owed("days_overdue > 0"),
    calls: [call("summarize_aging", { overdue_only: true })],
    read: table(0, "totals", major("overdue")),
    limits: { calls: 1, tokens: 680 },
  },
  {
    id: "sum-owed",
    class: "sum",
    text: "What do customers owe us in all, per currency, and how much of it is not due yet?",
    truth: select(
      [cash("currency", "sum(amount)"), cash("currency", "coalesce(sum(amount) filter (where days_overdue <= 0), 0)")],
      "from debt group by currency",
    ),
    calls: [call("summarize_aging")],
    read: table(0, "totals", major("outstanding"), major("current")),
  },
  {
    id: "sum-overdue-45-eur",
    class: "sum",
    text: "How much is overdue by more than 45 days in EUR, in total and by customer?",
    truth: union(
      owed("days_overdue > 45 and currency = 'EUR'"),
      select(
        ["customer_name", cash("currency", "sum(amount)")],
        "from debt where days_overdue > 45 and currency = 'EUR' group by customer_key, customer_name, currency",
      ),
    ),
    calls: [
      call("list_customer_aging", {
        currency: "EUR",
        due_to: "{today-46}",
        limit: 100,
        fields: ["customer_name", "overdue"],
      }),
    ],
    read: together(table(0, "totals", major("overdue")), table(0, "data", "customer_name", major("overdue"))),
    limits: { calls: 2, tokens: 1_500 },
  },
  {
    id: "sum-due-next-week",
    class: "sum",
    text: "How much falls due next week?",
    truth: owed("due_date between {next_monday} and {next_sunday}"),
    calls: [call("summarize_aging", { due_from: "{next_monday}", due_to: "{next_sunday}" })],
    read: table(0, "totals", major("outstanding")),
    limits: { calls: 1, tokens: 680 },
  },
  {
    id: "sum-collected-last-month",
    class: "sum",
    text: "What did we collect last month, per currency, and in how many payments?",
    truth: select(
      [cash("currency", "sum(amount)"), "count(*)"],
      `from payment cross join workspace where confirmed_at >= ({last_month}::timestamp at time zone timezone)
        and confirmed_at < ({month}::timestamp at time zone timezone) group by currency`,
    ),
    calls: [totals("list_payments", { confirmed_since: "{last_month}", confirmed_before: "{month}" }, "currency")],
    read: table(0, "totals", major("amount"), "count"),
    limits: { calls: 1, tokens: 500 },
  },
  {
    id: "sum-collectible",
    class: "sum",
    text: "How much could we collect right now, per currency, and from how many invoices?",
    truth: select(
      [cash("currency", "sum(collection_outstanding)"), "count(*)"],
      "from invoice where collection_status = 'open' group by currency",
    ),
    calls: [totals("list_invoices", { collection_status: "open" }, "currency")],
    read: table(0, "totals", major("collection_outstanding"), "count"),
  },
  {
    id: "sum-paid-invoices",
    class: "sum",
    text: "How many invoices were paid through links so far, and how much came in on them?",
    truth: select(
      [cash("currency", "sum(amount_collected)"), "count(*)"],
      "from invoice where collection_status = 'paid' group by currency",
    ),
    calls: [totals("list_invoices", { collection_status: "paid" }, "currency")],
    read: table(0, "totals", major("amount_collected"), "count"),
  },
  {
    id: "sum-over-90",
    class: "sum",
    text: "What is more than 90 days overdue?",
    truth: owed("days_overdue > 90"),
    calls: [call("summarize_aging", { bucket: "over_90" })],
    read: table(0, "totals", major("over_90")),
  },
  {
    id: "sum-customer",
    class: "sum",
    text: "What does {customer_name} owe in all, and how much of it is overdue?",
    given: A_CUSTOMER,
    truth: select(
      [cash("currency", "sum(amount)"), cash("currency", "coalesce(sum(amount) filter (where days_overdue > 0), 0)")],
      "from debt where customer_key = {customer_key} group by currency",
    ),
    calls: [
      call("list_customer_aging", { search: "{customer_name}", fields: ["customer_name", "outstanding", "overdue"] }),
    ],
    read: table(0, "data", major("outstanding"), major("overdue")),
  },
  {
    id: "sum-overdue-invoices",
    class: "sum",
    text: "How many invoices are overdue, and by how much, per currency?",
    truth: select(
      ["count(distinct invoice_id)", cash("currency", "sum(amount)")],
      "from debt where days_overdue > 0 group by currency",
    ),
    calls: [totals("list_invoices", { overdue: true }, "currency")],
    read: table(0, "totals", "count", major("overdue_outstanding")),
  },
  {
    id: "sum-active-links",
    class: "sum",
    text: "How many payment links are out unpaid, and for how much?",
    truth: select(["count(*)", cash("currency", "sum(amount)")], "from link where state = 'active' group by currency"),
    calls: [totals("list_payment_links", { status: "active" }, "currency")],
    read: table(0, "totals", "count", major("amount")),
  },
  {
    id: "sum-collected-from-customer",
    class: "sum",
    text: "How much has {customer_name} paid us through links so far?",
    given: A_PAYER,
    truth: select(
      [cash("currency", "sum(amount)"), "count(*)"],
      "from payment where customer_id = {customer_id} group by currency",
    ),
    calls: [totals("list_payments", { customer_id: "{customer_id}" }, "currency")],
    read: table(0, "totals", major("amount"), "count"),
  },
  {
    id: "sum-held",
    class: "sum",
    text: "How much money waits for us to push its receipts to the ERP?",
    inHeldWorkspace: true,
    truth: select(
      [cash("currency", "sum(amount)"), "count(*)"],
      "from payment where erp_push_status = 'held' group by currency",
    ),
    calls: [totals("list_payments", { erp_push_status: "held" }, "currency")],
    read: table(0, "totals", major("amount"), "count"),
  },
  {
    id: "sum-excluded",
    class: "sum",
    text: "How much debt is excluded from collections?",
    truth: owed("reason = 'excluded'"),
    calls: [call("summarize_aging", { not_collectible_reason: "excluded" })],
    read: table(0, "totals", major("outstanding")),
  },
  {
    id: "sum-not-collectible",
    class: "sum",
    text: "How much of what is overdue can the service not collect at all?",
    truth: owed("days_overdue > 0 and (reason is not null or installment_id is null)"),
    calls: [call("summarize_aging", { collectible: false, overdue_only: true })],
    read: table(0, "totals", major("overdue")),
  },
  {
    id: "sum-buckets-eur",
    class: "sum",
    text: "Show me the aging of our EUR receivables.",
    truth: select(
      ["<= 0", "between 1 and 30", "between 31 and 60", "between 61 and 90", "> 90"].map((range) =>
        cash("currency", `coalesce(sum(amount) filter (where days_overdue ${range}), 0)`),
      ),
      "from debt where currency = 'EUR' group by currency",
    ),
    calls: [call("summarize_aging", { currency: "EUR" })],
    read: table(
      0,
      "totals",
      ...["current", "days_1_30", "days_31_60", "days_61_90", "over_90"].map((bucket) => major(bucket)),
    ),
  },
];
