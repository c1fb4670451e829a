import { call, type Question } from "./question.ts";
import { major, record, rowsOf, table, together } from "./read.ts";
import { A_CUSTOMER, cash, select, union } from "./sql.ts";

/** The first rows behind a figure, and how many there are. */
const debts = (condition: string, rows: number): string =>
  union(
    select(["count(*)"], `from debt where ${condition}`),
    select(
      ["invoice_number", "customer_name", "due_date", cash("currency", "amount")],
      `from debt where ${condition} order by due_date, invoice_id, installment_id limit ${rows}`,
    ),
  );

const DEBT_FIELDS = ["invoice_number", "customer_name", "due_date", "amount", "currency"];
const DEBT_ROWS = table(0, "data", "invoice_number", "customer_name", "due_date", major("amount"));
const COUNT = record(0, "pagination.total_count");

const totals = (condition: string): string =>
  select([cash("currency", "sum(amount)")], `from debt where ${condition} group by currency`);

/** Everything of a kind; of what may be much, the first rows and how many there are. */
export const FILTERS: readonly Question[] = [
  {
    id: "filter-due-next-week",
    class: "filter",
    text: "Which installments fall due next week? Give me the number of them and the first 20.",
    truth: debts("due_date between {next_monday} and {next_sunday}", 20),
    calls: [
      call("list_installment_aging", {
        due_from: "{next_monday}",
        due_to: "{next_sunday}",
        limit: 20,
        fields: DEBT_FIELDS,
      }),
    ],
    read: together(COUNT, DEBT_ROWS),
    limits: { calls: 2, tokens: 3_000 },
  },
  {
    id: "filter-disputed",
    class: "filter",
    text: "What is disputed, in total and line by line? If it is much, the first 20 lines and how many there are.",
    truth: union(totals("reason = 'disputed'"), debts("reason = 'disputed'", 20)),
    calls: [call("list_installment_aging", { not_collectible_reason: "disputed", limit: 20, fields: DEBT_FIELDS })],
    read: together(table(0, "totals", major("outstanding")), COUNT, DEBT_ROWS),
    limits: { calls: 2, tokens: 3_000 },
  },
  {
    id: "filter-no-billing-email",
    class: "filter",
    text: "Which customers have open invoices and no billing email, and for how much? The 25 largest will do.",
    truth: union(
      totals("reason = 'no_billing_email'"),
      select(
        ["customer_name", cash("currency", "owed")],
        `from (select customer_name, currency, sum(amount) as owed, customer_key,
            sum(sum(amount)) over (partition by currency) as of_currency
          from debt where reason = 'no_billing_email' group by customer_key, customer_name, currency) as owing
        order by currency, owed desc, customer_key limit 25`,
      ),
    ),
    calls: [
      call("list_customer_aging", {
        not_collectible_reason: "no_billing_email",
        sort: "outstanding_desc",
        limit: 25,
        fields: ["customer_name", "outstanding"],
      }),
    ],
    read: together(table(0, "totals", major("outstanding")), table(0, "data", "customer_name", major("outstanding"))),
    limits: { calls: 2, tokens: 2_500 },
  },
  {
    id: "filter-customer-overdue",
    class: "filter",
    text: "Show me everything of {customer_name} that is overdue.",
    given: A_CUSTOMER,
    truth: union(
      totals("customer_key = {customer_key} and days_overdue > 0"),
      debts("customer_key = {customer_key} and days_overdue > 0", 25),
    ),
    calls: [
      call("list_installment_aging", {
        search: "{customer_name}",
        overdue_only: true,
        limit: 25,
        fields: DEBT_FIELDS,
      }),
    ],
    read: together(table(0, "totals", major("overdue")), COUNT, DEBT_ROWS),
    limits: { calls: 2, tokens: 2_500 },
  },
  {
    id: "filter-statement",
    class: "filter",
    text: "Make me a statement of {customer_name}: what is open with its due date, the totals, and what they paid through links.",
    given: A_CUSTOMER,
    truth: union(
      totals("customer_key = {customer_key}"),
      debts("customer_key = {customer_key}", 40),
      select(
        ["invoice_number", cash("currency", "amount"), "confirmed_at::date"],
        "from payment where customer_id = {customer_id}",
      ),
    ),
    calls: [
      call("list_installment_aging", { customer_key: "{customer_key}", limit: 40, fields: DEBT_FIELDS }),
      call("list_payments", {
        customer_id: "{customer_id}",
        fields: ["invoice_number", "amount", "currency", "confirmed_at"],
      }),
    ],
    read: together(table(0, "totals", major("outstanding")), COUNT, DEBT_ROWS, (answers) =>
      rowsOf(answers, 1, "data").map((row) => {
        const [number = "", amount = "", at = ""] = [
          ...table(0, "data", "invoice_number", major("amount"), "confirmed_at")([{ data: [row] }], {}),
        ].flat();
        return [number, amount, at.slice(0, 10)];
      }),
    ),
    limits: { calls: 3, tokens: 4_500 },
  },
  {
    id: "filter-unlinked-overdue",
    class: "filter",
    text: "How many overdue EUR invoices could have a payment link and have none, and which ten have most overdue?",
    truth: union(
      select(["count(*)"], unlinked("")),
      select(
        ["invoice_number", cash("currency", "overdue")],
        unlinked("order by overdue desc, invoice_id desc limit 10"),
      ),
    ),
    calls: [
      call("list_invoices", {
        overdue: true,
        collection_status: "open",
        has_active_payment_link: false,
        currency: "EUR",
        sort: "overdue_desc",
        limit: 10,
        include_total: true,
        fields: ["invoice_number", "currency", "overdue_outstanding"],
      }),
    ],
    read: together(COUNT, table(0, "data", "invoice_number", major("overdue_outstanding"))),
  },
  {
    id: "filter-large-open",
    class: "filter",
    text: "How many open USD invoices have at least 50,000 left to collect, for how much in all?",
    truth: select(
      ["count(*)", cash("'USD'", "coalesce(sum(collection_outstanding), 0)")],
      "from invoice where collection_status = 'open' and currency = 'USD' and collection_outstanding >= 50000",
    ),
    calls: [
      call("list_invoices", {
        collection_status: "open",
        currency: "USD",
        min_outstanding: "50000",
        include_total: true,
        limit: 1,
        fields: ["invoice_number"],
      }),
    ],
    read: table(0, "totals", "count", major("collection_outstanding")),
  },
  {
    id: "filter-not-finalised",
    class: "filter",
    text: "What is owed on invoices the ERP has not finalised? The number of lines and the first ten.",
    truth: debts("reason = 'not_finalised'", 10),
    calls: [
      call("list_installment_aging", { not_collectible_reason: "not_finalised", limit: 10, fields: DEBT_FIELDS }),
    ],
    read: together(COUNT, DEBT_ROWS),
  },
  {
    id: "filter-no-provider",
    class: "filter",
    text: "In which currencies do customers owe us money that no payment provider of ours can charge, and how much?",
    truth: totals("reason = 'currency_not_supported'"),
    calls: [call("summarize_aging", { not_collectible_reason: "currency_not_supported" })],
    read: table(0, "totals", major("outstanding")),
  },
];

function unlinked(rest: string): string {
  return `from (select invoice.invoice_id, invoice.invoice_number, invoice.currency, sum(amount) as overdue
      from invoice join debt using (invoice_id)
      where days_overdue > 0 and invoice.currency = 'EUR' and collection_status = 'open' and not has_active_payment_link
      group by 1, 2, 3) as unlinked ${rest}`;
}
