import { at } from "../path.ts";
import { call, type Question } from "./question.ts";
import { cash as cashOf, cellOf, listOf, major, minor, record, rowsOf, table } from "./read.ts";
import { A_CUSTOMER, anInvoice, cash, numberIsSole, select } from "./sql.ts";

const OWED = cash("currency", "collection_outstanding");
const FIND = call("list_invoices", { invoice_number: "{invoice_number}", fields: ["invoice_number"] });

/** One thing, found by what people call it. */
export const LOOKUPS: readonly Question[] = [
  {
    id: "lookup-like-10114",
    class: "lookup",
    text: 'Which invoices have a number like "10114", of whom are they, and what is still to be collected?',
    truth: select(
      ["invoice_number", "customer_name", OWED],
      `from invoice where strpos(invoice_number, '10114') > 0 or strpos(customer_number, '10114') > 0
        or strpos(customer_name, '10114') > 0`,
    ),
    calls: [
      call("list_invoices", {
        search: "10114",
        fields: ["invoice_number", "customer.name", "currency", "collection_outstanding"],
      }),
    ],
    read: table(0, "data", "invoice_number", "customer.name", major("collection_outstanding")),
    limits: { calls: 1, tokens: 800 },
  },
  {
    id: "lookup-receipt",
    class: "lookup",
    text: "Which payment has the receipt {erp_receipt_number} in the ERP?",
    given:
      "select erp_receipt_number from payment where erp_receipt_number is not null order by confirmed_at desc limit 1",
    truth: select(
      [cash("currency", "amount"), "invoice_number", "customer_name"],
      "from payment where erp_receipt_number = {erp_receipt_number}",
    ),
    calls: [
      call("list_payments", {
        erp_receipt_number: "{erp_receipt_number}",
        fields: ["amount", "currency", "invoice_number", "customer.name"],
      }),
    ],
    read: table(0, "data", major("amount"), "invoice_number", "customer.name"),
    limits: { calls: 1, tokens: 500 },
  },
  {
    id: "lookup-invoice",
    class: "lookup",
    text: "Is invoice {invoice_number} paid, and what is still to be collected?",
    given: anInvoice("collection_status = 'open'"),
    truth: select(["collection_status", OWED], "from invoice where invoice_id = {invoice_id}"),
    calls: [
      call("list_invoices", {
        invoice_number: "{invoice_number}",
        fields: ["collection_status", "currency", "collection_outstanding"],
      }),
    ],
    read: table(0, "data", "collection_status", major("collection_outstanding")),
  },
  {
    id: "lookup-installments",
    class: "lookup",
    text: "When are the installments of invoice {invoice_number} due, and what does each still owe?",
    given: anInvoice(`collection_status = 'open' and 1 < (select count(*) from installments
      where tenant_id = invoice.tenant_id and invoice_id = invoice.invoice_id)`),
    truth: select(
      ["installments.due_date", cash("invoice.currency", "installments.collection_outstanding")],
      "from installments join invoice using (tenant_id, invoice_id) where invoice_id = {invoice_id}",
    ),
    calls: [FIND, call("get_invoice", { invoice_id: "{0.data.0.id}" })],
    read: (answers, facts) =>
      table(
        1,
        "installments",
        "due_date",
        "collection_outstanding",
      )(answers, facts).map(([due = "", owed = ""]) => [
        due,
        ...(record(1, "currency")(answers, facts)[0] ?? []).map((currency) => cashOf(currency, owed)),
      ]),
  },
  {
    id: "lookup-billing-email",
    class: "lookup",
    text: "Which address do bills for {customer_name} go to?",
    given: A_CUSTOMER,
    truth: select(
      ["coalesce(email_override, email)"],
      "from customers join workspace using (tenant_id) where customer_id = {customer_id}",
    ),
    calls: [call("list_invoices", { search: "{customer_name}", limit: 1, fields: ["customer.email"] })],
    read: table(0, "data", "customer.email"),
  },
  {
    id: "lookup-payment-of-invoice",
    class: "lookup",
    text: "How much was paid on invoice {invoice_number} through links, and is the receipt in the ERP?",
    given: "select invoice_number from payment where erp_push_status is not null order by confirmed_at limit 1",
    truth: select(
      [cash("currency", "amount"), "erp_push_status", "erp_receipt_number"],
      "from payment where invoice_number = {invoice_number}",
    ),
    calls: [
      call("list_payments", {
        invoice_number: "{invoice_number}",
        fields: ["amount", "currency", "erp_push_status", "erp_receipt_number"],
      }),
    ],
    read: table(0, "data", major("amount"), "erp_push_status", "erp_receipt_number"),
  },
  {
    id: "lookup-link-of-invoice",
    class: "lookup",
    text: "Give me the active payment link of invoice {invoice_number}.",
    given: `select invoice_number from link where state = 'active' and ${numberIsSole("link")} order by created_at limit 1`,
    truth: select(
      [cash("currency", "amount"), "url"],
      "from link where invoice_number = {invoice_number} and state = 'active'",
    ),
    calls: [
      FIND,
      call("list_payment_links", {
        invoice_id: "{0.data.0.id}",
        status: "active",
        fields: ["amount_minor", "currency", "url"],
      }),
    ],
    read: table(1, "data", minor("amount_minor"), "url"),
  },
  {
    id: "lookup-last-sync",
    class: "lookup",
    text: "When were the figures last brought in from each ERP?",
    truth: select(
      ["connection_id", "to_char(last_successful_sync_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"],
      "from erp_connections join workspace using (tenant_id)",
    ),
    calls: [call("list_erp_connections", { fields: ["last_successful_sync_at"] })],
    read: table(0, "data", "id", "last_successful_sync_at"),
  },
  {
    id: "lookup-connections",
    class: "lookup",
    text: "Are our ERP connections working?",
    truth: select(["connection_id", "status"], "from erp_connections join workspace using (tenant_id)"),
    calls: [call("list_erp_connections", { fields: ["status", "last_successful_sync_at"] })],
    read: table(0, "data", "id", "status"),
  },
  {
    id: "lookup-chargeable",
    class: "lookup",
    text: "In which currencies can customers pay by link?",
    truth: select(
      ["currency"],
      `from payment_integrations join workspace using (tenant_id), unnest(currencies) as currency
        where status = 'connected'`,
    ),
    calls: [call("list_payment_integrations", { fields: ["status", "currencies"] })],
    read: (answers) =>
      rowsOf(answers, 0, "data")
        .filter((row) => at(row, "status") === "connected")
        .flatMap((row) => listOf(at(row, "currencies")).map((currency) => [cellOf(currency)])),
  },
  {
    id: "lookup-workflows",
    class: "lookup",
    text: "Which workflows are switched on?",
    truth: select(["type", "enabled"], "from workflows join workspace using (tenant_id)"),
    calls: [call("list_workflows", { fields: ["type", "enabled"] })],
    read: table(0, "data", "type", "enabled"),
  },
  {
    id: "lookup-workspace",
    class: "lookup",
    text: "Which company are you looking at, and what is today's date there?",
    truth: select(["name", "today", "timezone"], "from workspace"),
    calls: [call("get_context")],
    read: record(0, "tenant_name", "business_date", "timezone"),
  },
  {
    id: "lookup-task",
    class: "lookup",
    text: "Does somebody still have to arrange the payment of invoice {invoice_number}, and who?",
    given: `select invoice_number, invoice_id::text from task where state = 'open' and ${numberIsSole("task")} order by created_at, invoice_id limit 1`,
    truth: select(["state", "assignee_name"], "from task where invoice_id = {invoice_id}"),
    calls: [FIND, call("list_tasks", { invoice_id: "{0.data.0.id}", fields: ["state", "assignee_name"] })],
    read: table(1, "data", "state", "assignee_name"),
  },
  {
    id: "lookup-customer-number",
    class: "lookup",
    text: "Who is customer number {customer_number}, and what do they owe in all?",
    given: A_CUSTOMER,
    truth: select(
      ["customer_name", cash("currency", "sum(amount)")],
      "from debt where customer_number = {customer_number} group by customer_name, currency",
    ),
    calls: [
      call("list_customer_aging", {
        search: "{customer_number}",
        fields: ["customer_name", "customer_number", "outstanding"],
      }),
    ],
    read: (answers, facts) =>
      table(
        0,
        "data",
        "customer_number",
        "customer_name",
        major("outstanding"),
      )(answers, facts)
        .filter(([number]) => number === facts.customer_number)
        .map(([, ...cells]) => cells),
  },
];
