import { call, type Question } from "./question.ts";
import { major, minor, table, together } from "./read.ts";
import { cash, select, union } from "./sql.ts";

const since = (column: string, day: string): string => `${column} >= ({${day}}::timestamp at time zone timezone)`;

const counted = (rows: string, day: string): string =>
  select(
    ["count(*)", cash("currency", "sum(amount)")],
    `from ${rows} cross join workspace where ${day} group by currency`,
  );

const INVOICES = select(
  ["count(*)", cash("currency", "sum(collection_outstanding)")],
  `from invoice cross join workspace where ${since("updated_at", "yesterday")} group by currency`,
);

/** A list asked for its totals only. */
const totals = (tool: string, filters: Record<string, unknown>) =>
  call(tool, { ...filters, include_total: true, limit: 1, fields: ["currency"] });

/** What is different from before. */
export const CHANGES: readonly Question[] = [
  {
    id: "change-since-yesterday",
    class: "change",
    text: "What changed since yesterday: invoices, payments, links and syncs?",
    truth: union(
      INVOICES,
      counted("payment", since("confirmed_at", "yesterday")),
      counted("link", since("link.created_at", "yesterday")),
      select(
        ["status", "invoices_created", "invoices_updated", "invoices_retired"],
        "from (select * from sync_runs join workspace using (tenant_id) order by started_at desc limit 5) as latest",
      ),
    ),
    calls: [
      totals("list_invoices", { updated_since: "{yesterday}" }),
      totals("list_payments", { confirmed_since: "{yesterday}" }),
      totals("list_payment_links", { created_since: "{yesterday}" }),
      call("list_sync_runs", {
        limit: 5,
        fields: ["started_at", "status", "invoices_created", "invoices_updated", "invoices_retired"],
      }),
    ],
    read: together(
      table(0, "totals", "count", major("collection_outstanding")),
      table(1, "totals", "count", major("amount")),
      table(2, "totals", "count", major("amount")),
      table(3, "data", "status", "invoices_created", "invoices_updated", "invoices_retired"),
    ),
    limits: { calls: 4, tokens: 4_000 },
  },
  {
    id: "change-last-sync",
    class: "change",
    text: "What did the last successful sync bring?",
    truth: select(
      ["invoices_read", "invoices_created", "invoices_updated", "invoices_retired"],
      `from (select * from sync_runs join workspace using (tenant_id) where status = 'succeeded'
        order by started_at desc limit 1) as latest`,
    ),
    calls: [
      call("list_sync_runs", {
        status: "succeeded",
        limit: 1,
        fields: ["invoices_read", "invoices_created", "invoices_updated", "invoices_retired"],
      }),
    ],
    read: table(0, "data", "invoices_read", "invoices_created", "invoices_updated", "invoices_retired"),
  },
  {
    id: "change-invoices-this-month",
    class: "change",
    text: "How many invoices changed this month, per currency?",
    truth: select(
      ["currency", "count(*)"],
      `from (select coalesce(currency, 'UNKNOWN') as currency from invoice cross join workspace
        where ${since("updated_at", "month")}) as changed group by currency`,
    ),
    calls: [totals("list_invoices", { updated_since: "{month}" })],
    read: table(0, "totals", "currency", "count"),
  },
  {
    id: "change-withdrawn-links",
    class: "change",
    text: "Which payment links were withdrawn, and for how much were they? The latest ten.",
    truth: select(
      ["invoice_number", cash("currency", "amount")],
      "from (select * from link where state = 'deactivated' order by created_at desc, payment_link_id desc limit 10) as latest",
    ),
    calls: [
      call("list_payment_links", {
        status: "deactivated",
        limit: 10,
        fields: ["invoice_number", "amount_minor", "currency"],
      }),
    ],
    read: table(0, "data", "invoice_number", minor("amount_minor")),
  },
  {
    id: "change-not-in-erp",
    class: "change",
    text: "Which payments has the ERP not been told of yet?",
    truth: select(["invoice_number", cash("currency", "amount")], "from payment where erp_push_status = 'pending'"),
    calls: [
      call("list_payments", {
        erp_push_status: "pending",
        limit: 50,
        fields: ["invoice_number", "amount", "currency"],
      }),
    ],
    read: table(0, "data", "invoice_number", major("amount")),
  },
  {
    id: "change-closed-tasks",
    class: "change",
    text: "Which payment arrangements did we dismiss?",
    truth: select(["invoice_number", "state"], "from task where state = 'dismissed'"),
    calls: [call("list_tasks", { state: "dismissed", limit: 50, fields: ["invoice_number", "state"] })],
    read: table(0, "data", "invoice_number", "state"),
  },
  {
    id: "change-refunds",
    class: "change",
    text: "Which payments of this month were disputed by the customer's bank, and what was refunded?",
    truth: select(
      ["invoice_number", "refunded_minor", "disputed"],
      `from payment cross join workspace where (disputed or refunded_minor > 0) and ${since("confirmed_at", "month")}`,
    ),
    calls: [
      call("list_payments", {
        confirmed_since: "{month}",
        limit: 100,
        fields: ["invoice_number", "refunded_minor", "disputed"],
      }),
    ],
    read: (answers, facts) =>
      table(
        0,
        "data",
        "invoice_number",
        "refunded_minor",
        "disputed",
      )(answers, facts).filter(([, refunded, disputed]) => refunded !== "0" || disputed === "true"),
  },
  {
    id: "change-paid-links",
    class: "change",
    text: "How many of our payment links have been paid, and for how much?",
    truth: select(["count(*)", cash("currency", "sum(amount)")], "from link where state = 'paid' group by currency"),
    calls: [totals("list_payment_links", { status: "paid" })],
    read: table(0, "totals", "count", major("amount")),
  },
];
