import { AMOUNT, ask, counting, counts, invoicesThat, outstanding } from "./ask.ts";
import { call, type Question } from "./question.ts";
import { major, type Read, table } from "./read.ts";
import { cash, EXPECTED, select } from "./sql.ts";

const owed = (condition: string): string => select([AMOUNT], `from debt where ${condition} group by currency`);
const grouped = (key: string, rest: string): string =>
  select(["currency", key, AMOUNT, "count(*)"], `${rest} group by currency, ${key}`);
const groups = table(0, "groups", "currency", "group", major("outstanding"), "installment_count");
const notZero =
  (read: Read): Read =>
  (answers, facts) =>
    read(answers, facts).filter((cells) => !cells.some((cell) => / 0$/.test(cell)));
const week = (day: string): string => `to_char(date_trunc('week', ${day}), 'YYYY-MM-DD')`;

/** Sums, rankings and times as people put them: vague, misspelt, in other languages, following up. */
export const VAGUE_FIGURES: readonly Question[] = [
  ask(
    "sum-ueberfaellig",
    "Wieviel is bei uns insgesamt überfällig?",
    owed("days_overdue > 0"),
    [call("summarize_aging", { overdue_only: true })],
    outstanding,
  ),
  ask(
    "sum-doit-on",
    "Combien nous doit-on en tout, échu ou pas ?",
    owed("true"),
    [call("summarize_aging")],
    outstanding,
  ),
  ask(
    "sum-months-ahead",
    "what comes due when, month for month?",
    grouped("to_char(due_date, 'YYYY-MM')", "from debt where due_date >= {today}"),
    [call("summarize_aging", { due_from: "{today}", group_by: "month" })],
    groups,
  ),
  ask(
    "sum-weeks-ahead",
    "ok and the next 4 weeks, by week?",
    grouped(week("due_date"), "from debt where due_date between {today} and {today+28}"),
    [call("summarize_aging", { due_from: "{today}", due_to: "{today+28}", group_by: "week" })],
    groups,
  ),
  ask(
    "sum-blocked-by",
    "How much is stuck, and what is it stuck on?",
    select(
      ["debt.currency", "coalesce(reason, 'no_installments')", cash("debt.currency", "sum(debt.amount)"), "count(*)"],
      `from debt left join part on part.installment_id = debt.installment_id where not coalesce(part.collectible, false)
        group by debt.currency, coalesce(reason, 'no_installments')`,
    ),
    [call("summarize_aging", { collectible: false, group_by: "reason" })],
    groups,
  ),
  ask(
    "sum-by-erp",
    "split what we are owed by system",
    grouped("coalesce(connection_id::text, 'none')", "from debt"),
    [call("summarize_aging", { group_by: "connection" })],
    groups,
  ),
  ask(
    "sum-expected-weeks",
    "Realistically, what money comes in over the next 30 days, weekly?",
    grouped(week("expected_date"), `from (${EXPECTED}) as debt where expected_date between {today} and {today+30}`),
    [
      call("summarize_aging", {
        include: "payment_history",
        expected_from: "{today}",
        expected_to: "{today+30}",
        group_by: "week",
      }),
    ],
    groups,
  ),
  ask(
    "sum-past-habit",
    "What should be here by now, going by how they normally pay?",
    select([AMOUNT], `from (${EXPECTED}) as debt where expected_date is null group by currency`),
    [call("summarize_aging", { include: "payment_history" })],
    notZero(table(0, "totals", major("past_expected"))),
  ),
  ask(
    "sum-61-90",
    "whats in the 61 to 90 bukket",
    owed("days_overdue between 61 and 90"),
    [call("summarize_aging", { bucket: "days_61_90" })],
    outstanding,
  ),
  ask(
    "sum-not-due-usd",
    "and dollars that arent late yet?",
    owed("days_overdue <= 0 and currency = 'USD'"),
    [call("summarize_aging", { bucket: "current", currency: "USD" })],
    outstanding,
  ),
  ask(
    "sum-links-out",
    "How much are we asking for in links that are still out there?",
    select([AMOUNT, "count(*)"], "from link where state = 'active' group by currency"),
    [counting("list_payment_links", { status: "active" })],
    table(0, "totals", major("amount"), "count"),
  ),
  ask(
    "ranking-three-each",
    "Die drei größten Schuldner je Währung bitte",
    select(
      ["customer_name", cash("currency", "owed")],
      `from (select customer_name, currency, sum(amount) as owed, row_number() over (partition by currency order by sum(amount) desc) as place
        from debt group by customer_key, customer_name, currency) as ranked where place <= 3`,
    ),
    [
      call("list_customer_aging", {
        sort: "outstanding_desc",
        limit_per_currency: 3,
        limit: 100,
        fields: ["customer_name", "outstanding"],
      }),
    ],
    table(0, "data", "customer_name", major("outstanding")),
  ),
  ask(
    "ranking-largest-each",
    "biggest open invoice in every currency",
    select(
      ["invoice_number", cash("currency", "collection_outstanding")],
      `from (select *, row_number() over (partition by currency order by collection_outstanding desc) as place
        from invoice where collection_status = 'open') as ranked where place = 1`,
    ),
    [
      call("list_invoices", {
        collection_status: "open",
        sort: "outstanding_desc",
        limit_per_currency: 1,
        fields: ["invoice_number", "collection_outstanding"],
      }),
    ],
    table(0, "data", "invoice_number", major("collection_outstanding")),
  ),
  ask(
    "ranking-newest",
    "the latest invoice we wrote, by its date?",
    select(
      ["invoice_number", "invoice_date"],
      "from invoice where invoice_date = (select max(invoice_date) from invoice)",
    ),
    [call("list_invoices", { sort: "invoice_date_desc", limit: 1, fields: ["invoice_number", "invoice_date"] })],
    table(0, "data", "invoice_number", "invoice_date"),
    { anyOf: 1 },
  ),
  ask(
    "ranking-oldest-usd",
    "our oldest unpaid dollar item?",
    select(
      ["due_date"],
      "from debt where currency = 'USD' and due_date = (select min(due_date) from debt where currency = 'USD')",
    ),
    [call("list_installment_aging", { currency: "USD", limit: 1, fields: ["due_date"] })],
    table(0, "data", "due_date"),
    { anyOf: 1 },
  ),
  ask(
    "time-written-this-month",
    "how many did we invoice this month",
    invoicesThat("invoice_date >= {month}"),
    [counting("list_invoices", { invoice_date_from: "{month}" })],
    counts,
  ),
  ask(
    "time-heute",
    "Was wird heute fällig?",
    owed("due_date = {today}"),
    [call("summarize_aging", { due_from: "{today}", due_to: "{today}" })],
    outstanding,
  ),
  ask(
    "time-paid-this-month",
    "how mutch money came thru links so far this month",
    select(
      [AMOUNT, "count(*)"],
      "from payment cross join workspace where (paid_at at time zone timezone)::date >= {month} group by currency",
    ),
    [counting("list_payments", { paid_from: "{month}" })],
    table(0, "totals", major("amount"), "count"),
  ),
];
