import { call, type Question } from "./question.ts";
import { distinct, major, record, table, together } from "./read.ts";
import { A_CUSTOMER, A_KNOWN_PAYER, cash, EXPECTED, LATENESS, select, union } from "./sql.ts";

const HISTORY = "payment_history";

const due = (condition: string): string =>
  select([cash("currency", "sum(amount)")], `from debt where ${condition} group by currency`);

const since = (column: string, day: string): string => `${column} >= ({${day}}::timestamp at time zone timezone)`;
const before = (column: string, day: string): string => `${column} < ({${day}}::timestamp at time zone timezone)`;

const collected = (condition: string): string =>
  select(
    [cash("currency", "sum(amount)"), "count(*)"],
    `from payment cross join workspace where ${condition} group by currency`,
  );

const PAYMENT_TOTALS = table(0, "totals", major("amount"), "count");
const LATE = ["average_days_late", "median_days_late", "on_time_share", "paid_installments"];

/** What days mean: weeks and months of the workspace, and how customers pay. */
export const TIMES: readonly Question[] = [
  {
    id: "time-payers-last-month",
    class: "time",
    text: "Who paid us last month, and how much each time? If it was often, the latest 50.",
    truth: select(
      ["customer_name", cash("currency", "amount")],
      `from (select payment.* from payment cross join workspace where ${since("confirmed_at", "last_month")}
        and ${before("confirmed_at", "month")} order by payment.created_at desc, payment_id desc limit 50) as lately`,
    ),
    calls: [
      call("list_payments", {
        confirmed_since: "{last_month}",
        confirmed_before: "{month}",
        limit: 50,
        fields: ["customer.name", "amount", "currency"],
      }),
    ],
    read: table(0, "data", "customer.name", major("amount")),
    limits: { calls: 1, tokens: 3_000 },
  },
  {
    id: "time-expected-30-days",
    class: "time",
    text: "How much cash can we expect in the next 30 days, per currency, going by how customers pay?",
    truth: select(
      [cash("currency", "sum(amount)")],
      `from (${EXPECTED}) as expected where expected_date between {today} and {today+30} group by currency`,
    ),
    calls: [call("summarize_aging", { include: HISTORY, expected_from: "{today}", expected_to: "{today+30}" })],
    read: table(0, "totals", major("outstanding")),
    limits: { calls: 2, tokens: 2_500 },
  },
  {
    id: "time-average-late",
    class: "time",
    text: "How many days late does {customer_name} pay on average?",
    given: A_KNOWN_PAYER,
    truth: select(["average_days_late"], `from (${LATENESS}) as history where customer_id = {customer_id}`),
    calls: [
      call("list_customer_aging", {
        customer_key: "{customer_key}",
        include: HISTORY,
        limit: 1,
        fields: ["average_days_late"],
      }),
    ],
    read: distinct(table(0, "data", "average_days_late")),
    limits: { calls: 1, tokens: 500 },
  },
  {
    id: "time-pays-on-time",
    class: "time",
    text: "How does {customer_name} pay: on time, how late as a rule, and from how many bills do we know?",
    given: A_KNOWN_PAYER,
    truth: select(
      ["average_days_late", "trim_scale(round(median_days_late::numeric, 1))", "on_time_share", "paid_installments"],
      `from (${LATENESS}) as history where customer_id = {customer_id}`,
    ),
    calls: [call("list_customer_aging", { customer_key: "{customer_key}", include: HISTORY, limit: 1, fields: LATE })],
    read: distinct(table(0, "data", ...LATE)),
  },
  {
    id: "time-expected-of-customer",
    class: "time",
    text: "When will {customer_name} pay the five debts that are due first, going by how they pay?",
    given: A_KNOWN_PAYER,
    truth: select(
      ["invoice_number", "due_date", "expected_date"],
      `from (${EXPECTED}) as expected where customer_id = {customer_id}
        order by due_date, invoice_id, installment_id limit 5`,
    ),
    calls: [
      call("list_installment_aging", {
        customer_key: "{customer_key}",
        include: HISTORY,
        limit: 5,
        fields: ["invoice_number", "due_date", "expected_date"],
      }),
    ],
    read: table(0, "data", "invoice_number", "due_date", "expected_date"),
  },
  {
    id: "time-expected-next-week",
    class: "time",
    text: "Which money should come in next week, going by how customers pay? The totals and the number of installments.",
    truth: union(
      select(
        [cash("currency", "sum(amount)")],
        `from (${EXPECTED}) as expected where expected_date between {next_monday} and {next_sunday} group by currency`,
      ),
      select(
        ["count(*)"],
        `from (${EXPECTED}) as expected where expected_date between {next_monday} and {next_sunday}`,
      ),
    ),
    calls: [
      call("list_installment_aging", {
        include: HISTORY,
        expected_from: "{next_monday}",
        expected_to: "{next_sunday}",
        limit: 1,
        fields: ["amount"],
      }),
    ],
    read: together(table(0, "totals", major("outstanding")), record(0, "pagination.total_count")),
  },
  {
    id: "time-due-today",
    class: "time",
    text: "What is due today?",
    truth: due("due_date = {today}"),
    calls: [call("summarize_aging", { due_from: "{today}", due_to: "{today}" })],
    read: table(0, "totals", major("outstanding")),
  },
  {
    id: "time-due-rest-of-month",
    class: "time",
    text: "What still falls due this month, today included?",
    truth: due("due_date >= {today} and due_date < {next_month}"),
    calls: [call("summarize_aging", { due_from: "{today}", due_to: "{next_month-1}" })],
    read: table(0, "totals", major("outstanding")),
  },
  {
    id: "time-fell-due-last-month",
    class: "time",
    text: "What fell due last month and is still unpaid?",
    truth: due("due_date >= {last_month} and due_date < {month}"),
    calls: [call("summarize_aging", { due_from: "{last_month}", due_to: "{month-1}" })],
    read: table(0, "totals", major("outstanding")),
  },
  {
    id: "time-due-next-month-usd",
    class: "time",
    text: "Which five customers have most falling due in the next 30 days in USD?",
    truth: select(
      ["customer_name", cash("currency", "sum(amount)")],
      `from debt where currency = 'USD' and due_date between {today} and {today+30}
        group by customer_key, customer_name, currency order by sum(amount) desc limit 5`,
    ),
    calls: [
      call("list_customer_aging", {
        currency: "USD",
        due_from: "{today}",
        due_to: "{today+30}",
        sort: "outstanding_desc",
        limit: 5,
        fields: ["customer_name", "outstanding"],
      }),
    ],
    read: table(0, "data", "customer_name", major("outstanding")),
  },
  {
    id: "time-collected-this-month",
    class: "time",
    text: "What have we collected this month so far?",
    truth: collected(since("confirmed_at", "month")),
    calls: [call("list_payments", { confirmed_since: "{month}", include_total: true, limit: 1, fields: ["currency"] })],
    read: PAYMENT_TOTALS,
  },
  {
    id: "time-collected-yesterday",
    class: "time",
    text: "What came in yesterday?",
    truth: collected(`${since("confirmed_at", "yesterday")} and ${before("confirmed_at", "today")}`),
    calls: [
      call("list_payments", {
        confirmed_since: "{yesterday}",
        confirmed_before: "{today}",
        include_total: true,
        limit: 1,
        fields: ["currency"],
      }),
    ],
    read: PAYMENT_TOTALS,
  },
  {
    id: "time-links-this-month",
    class: "time",
    text: "How many payment links did we issue this month, and for how much?",
    truth: select(
      ["count(*)", cash("currency", "sum(amount)")],
      `from link cross join workspace where ${since("link.created_at", "month")} group by currency`,
    ),
    calls: [
      call("list_payment_links", { created_since: "{month}", include_total: true, limit: 1, fields: ["currency"] }),
    ],
    read: table(0, "totals", "count", major("amount")),
  },
  {
    id: "time-last-syncs",
    class: "time",
    text: "When did the last five syncs start, and how did they end?",
    truth: select(
      ["to_char(started_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')", "status"],
      "from (select * from sync_runs join workspace using (tenant_id) order by started_at desc limit 5) as latest",
    ),
    calls: [call("list_sync_runs", { limit: 5, fields: ["started_at", "status"] })],
    read: (answers, facts) =>
      table(
        0,
        "data",
        "started_at",
        "status",
      )(answers, facts).map(([at = "", status = ""]) => [at.slice(0, 16).replace("T", " "), status]),
  },
  {
    id: "time-customer-due-next",
    class: "time",
    text: "What of {customer_name} is not due yet, and when is it?",
    given: A_CUSTOMER,
    truth: select(
      ["invoice_number", "due_date", cash("currency", "amount")],
      "from debt where customer_key = {customer_key} and days_overdue <= 0",
    ),
    calls: [
      call("list_installment_aging", {
        customer_key: "{customer_key}",
        bucket: "current",
        fields: ["invoice_number", "due_date", "amount", "currency"],
      }),
    ],
    read: table(0, "data", "invoice_number", "due_date", major("amount")),
  },
];
