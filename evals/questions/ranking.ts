import { at } from "../path.ts";
import { call, type Question } from "./question.ts";
import { cellOf, distinct, major, minorOf, rowsOf, table } from "./read.ts";
import { cash, LATENESS, select } from "./sql.ts";

const CUSTOMERS = "from debt where currency = 'USD'";

/** The customers whose debts that a condition holds of are worth most, in USD. */
const largestOwing = (condition: string): string =>
  select(
    ["customer_name", cash("currency", "sum(amount)")],
    `${CUSTOMERS} and ${condition} group by customer_key, customer_name, currency order by sum(amount) desc limit 5`,
  );

/** Who and what comes first. */
export const RANKINGS: readonly Question[] = [
  {
    id: "ranking-open-usd",
    class: "ranking",
    text: "What are our ten largest open invoices in USD?",
    truth: select(
      ["invoice_number", "customer_name", cash("currency", "collection_outstanding")],
      `from invoice where collection_status = 'open' and currency = 'USD'
        order by collection_outstanding desc fetch first 10 rows with ties`,
    ),
    anyOf: 10,
    calls: [
      call("list_invoices", {
        collection_status: "open",
        currency: "USD",
        sort: "outstanding_desc",
        limit: 10,
        fields: ["invoice_number", "customer.name", "currency", "collection_outstanding"],
      }),
    ],
    read: table(0, "data", "invoice_number", "customer.name", major("collection_outstanding")),
    limits: { calls: 1, tokens: 1_500 },
  },
  {
    id: "ranking-late-payers",
    class: "ranking",
    text: "Which ten customers pay latest, and how late on average?",
    truth: select(
      ["customer_name", "average_days_late"],
      `from (${LATENESS}) as late join (select distinct customer_id, customer_name from debt) as owing using (customer_id)
        where paid_installments >= 3 order by average_days_late desc fetch first 10 rows with ties`,
    ),
    anyOf: 10,
    calls: [
      call("list_customer_aging", {
        include: "payment_history",
        sort: "days_late_desc",
        limit: 10,
        fields: ["customer_name", "average_days_late"],
      }),
    ],
    read: table(0, "data", "customer_name", "average_days_late"),
    limits: { calls: 1, tokens: 1_500 },
  },
  {
    id: "ranking-overdue-eur",
    class: "ranking",
    text: "Which five customers have most overdue in EUR?",
    truth: select(
      ["customer_name", cash("currency", "sum(amount)")],
      `from debt where currency = 'EUR' and days_overdue > 0 group by customer_key, customer_name, currency
        order by sum(amount) desc limit 5`,
    ),
    calls: [
      call("list_customer_aging", {
        currency: "EUR",
        overdue_only: true,
        limit: 5,
        fields: ["customer_name", "overdue"],
      }),
    ],
    read: table(0, "data", "customer_name", major("overdue")),
  },
  {
    id: "ranking-owing-usd",
    class: "ranking",
    text: "Who are the five customers that owe us most in USD, due or not?",
    truth: largestOwing("true"),
    calls: [
      call("list_customer_aging", {
        currency: "USD",
        sort: "outstanding_desc",
        limit: 5,
        fields: ["customer_name", "outstanding"],
      }),
    ],
    read: table(0, "data", "customer_name", major("outstanding")),
  },
  {
    id: "ranking-oldest",
    class: "ranking",
    text: "What are the ten oldest debts on our books, and how many days overdue are they?",
    truth: select(
      ["invoice_number", "customer_name", cash("currency", "amount"), "days_overdue"],
      "from debt order by due_date, invoice_id, installment_id limit 10",
    ),
    calls: [
      call("list_installment_aging", {
        limit: 10,
        fields: ["invoice_number", "customer_name", "amount", "currency", "days_overdue"],
      }),
    ],
    read: table(0, "data", "invoice_number", "customer_name", major("amount"), "days_overdue"),
  },
  {
    id: "ranking-overdue-invoices-usd",
    class: "ranking",
    text: "Which five invoices have most overdue in USD?",
    truth: select(
      ["invoice_number", cash("currency", "sum(amount)")],
      `${CUSTOMERS} and days_overdue > 0 group by invoice_id, invoice_number, currency
        order by sum(amount) desc fetch first 5 rows with ties`,
    ),
    anyOf: 5,
    calls: [
      call("list_invoices", {
        currency: "USD",
        sort: "overdue_desc",
        limit: 5,
        fields: ["invoice_number", "currency", "overdue_outstanding"],
      }),
    ],
    read: table(0, "data", "invoice_number", major("overdue_outstanding")),
  },
  {
    id: "ranking-next-due",
    class: "ranking",
    text: "Which five invoices that we can collect fall due next, from today on?",
    truth: select(
      ["invoice_number", "collection_due_date"],
      `from invoice cross join workspace where collection_status = 'open' and collection_due_date >= today
        order by collection_due_date fetch first 5 rows with ties`,
    ),
    anyOf: 5,
    calls: [
      call("list_invoices", {
        collection_status: "open",
        due_after: "{today}",
        sort: "due_asc",
        limit: 5,
        fields: ["invoice_number", "collection_due_date"],
      }),
    ],
    read: table(0, "data", "invoice_number", "collection_due_date"),
  },
  {
    id: "ranking-largest-links",
    class: "ranking",
    text: "Which three unpaid links of customers ask for most in USD?",
    truth: select(
      ["invoice_number", cash("currency", "amount")],
      "from link where state = 'active' and currency = 'USD' order by amount desc fetch first 3 rows with ties",
    ),
    anyOf: 3,
    calls: [
      call("list_payment_links", {
        status: "active",
        limit: 100,
        fields: ["invoice_number", "amount_minor", "currency"],
      }),
    ],
    read: (answers) =>
      rowsOf(answers, 0, "data")
        .filter((row) => at(row, "currency") === "USD")
        .sort((one, other) => Number(at(other, "amount_minor")) - Number(at(one, "amount_minor")))
        .slice(0, 3)
        .map((row) => [cellOf(at(row, "invoice_number")), minorOf(row)]),
  },
  {
    id: "ranking-disputed",
    class: "ranking",
    text: "Which five customers dispute most in USD?",
    truth: largestOwing("reason = 'disputed'"),
    calls: [
      call("list_customer_aging", {
        currency: "USD",
        not_collectible_reason: "disputed",
        sort: "outstanding_desc",
        limit: 5,
        fields: ["customer_name", "outstanding"],
      }),
    ],
    read: table(0, "data", "customer_name", major("outstanding")),
  },
  {
    id: "ranking-over-90",
    class: "ranking",
    text: "Which five customers have most that is over 90 days late, in USD?",
    truth: largestOwing("days_overdue > 90"),
    calls: [
      call("list_customer_aging", {
        currency: "USD",
        bucket: "over_90",
        limit: 5,
        fields: ["customer_name", "over_90"],
      }),
    ],
    read: table(0, "data", "customer_name", major("over_90")),
  },
  {
    id: "ranking-longest-overdue-eur",
    class: "ranking",
    text: "Of the five customers with most overdue in EUR, how long has the oldest debt of each been due?",
    truth: select(
      ["customer_name", "max(days_overdue)"],
      `from debt where currency = 'EUR' and days_overdue > 0 group by customer_key, customer_name
        order by sum(amount) desc limit 5`,
    ),
    calls: [
      call("list_customer_aging", {
        currency: "EUR",
        overdue_only: true,
        limit: 5,
        fields: ["customer_name", "max_days_overdue"],
      }),
    ],
    read: distinct(table(0, "data", "customer_name", "max_days_overdue")),
  },
];
