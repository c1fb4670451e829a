import { at } from "../path.ts";
import { AMOUNT, ask, counting, counts, invoicesThat } from "./ask.ts";
import { call, type Question, refusedCall } from "./question.ts";
import { cellOf, major, record, table } from "./read.ts";
import { refusal } from "./refusal.ts";
import { A_CUSTOMER, A_PAYER, anInvoice, cash, select } from "./sql.ts";

const AVAILABLE = `(select coalesce(sum(greatest(part.collection_outstanding - (select coalesce(sum(amount), 0) from payment_links
    where payment_links.tenant_id = part.tenant_id and payment_links.installment_id = part.installment_id
      and state in ('reserved', 'active') and paid_at is null), 0)), 0) from part
  where part.invoice_id = invoice.invoice_id and collectible)`;
const EVER_LINKED = "invoice_id in (select invoice_id from link)";
/** Somebody who owes nothing, whose name finds nobody else. */
const OWES_NOTHING = `
  select customers.name as customer_name, customers.name as name from customers join workspace using (tenant_id)
  where char_length(customers.name) > 5 and customers.name ~ '^[A-Za-z ]+$'
    and not exists (select from debt where debt.customer_id = customers.customer_id)
    and 1 = (select count(*) from customers other where other.tenant_id = customers.tenant_id
      and strpos(lower(other.name), lower(customers.name)) > 0)
  order by customers.name limit 1`;
const A_NAME_MISSPELT = `select *, left(customer_name, 2) || substr(customer_name, 4) as misspelt from (${A_CUSTOMER}) as named`;
const nobody = (id: string, text: string, tool: string): Question =>
  refusal(id, text, [refusedCall("-32602", tool, {})]);

/** As people put it: vague, misspelt, in other languages, or asking for what is not known or not done here. */
export const VAGUE: readonly Question[] = [
  ask(
    "lookup-misspelt",
    "what does {misspelt} owe?",
    select([AMOUNT], "from debt where customer_id = {customer_id}::uuid group by currency"),
    [
      call("summarize_aging", { search: "{misspelt}" }),
      call("summarize_aging", { customer_key: "{0.nearest.0.customer_id}" }),
    ],
    table(1, "totals", major("outstanding")),
    { given: A_NAME_MISSPELT },
  ),
  ask(
    "lookup-owes-nothing",
    "Schuldet uns {customer_name} noch was?",
    select(["{name}::text", "true"], "from workspace"),
    [call("summarize_aging", { search: "{customer_name}" })],
    (answers, facts) =>
      table(0, "nearest", "name", "is_match")(answers, facts).filter(([, isMatch]) => isMatch === "true"),
    { given: OWES_NOTHING },
  ),
  ask(
    "lookup-exact-amount",
    "somebody paid {total_amount}, which invoice is that?",
    select(["invoice_number"], "from invoice where total_amount = {total_amount}::numeric"),
    [call("list_invoices", { amount: "{total_amount}", fields: ["invoice_number"] })],
    table(0, "data", "invoice_number"),
    {
      given: `select one.invoice_number, invoice.total_amount::text from (${anInvoice("total_amount > 1000")}) as one
        join invoice on invoice.invoice_id = one.invoice_id::uuid`,
    },
  ),
  ask(
    "lookup-today",
    "what date do you think it is?",
    select(["today", "timezone", "name"], "from workspace"),
    [call("get_context")],
    record(0, "business_date", "timezone", "tenant_name"),
  ),
  ask(
    "lookup-left-to-ask",
    "¿Por cuánto más puedo pedir un enlace para la factura {invoice_number}?",
    select([cash("currency", AVAILABLE)], "from invoice where invoice_id = {invoice_id}::uuid"),
    [call("list_invoices", { invoice_number: "{invoice_number}", fields: ["available_amount"] })],
    table(0, "data", major("available_amount")),
    { given: anInvoice("collection_status = 'open'") },
  ),
  ask(
    "filter-far-overdue",
    "who's got over 200k usd late on one invoice",
    select(
      ["invoice_number", AMOUNT],
      `from debt where days_overdue > 0 and currency = 'USD' group by invoice_id, invoice_number, currency having sum(amount) >= 200000`,
    ),
    [
      call("list_invoices", {
        currency: "USD",
        min_overdue: "200000",
        limit: 100,
        fields: ["invoice_number", "overdue_outstanding"],
      }),
    ],
    table(0, "data", "invoice_number", major("overdue_outstanding")),
  ),
  ask(
    "filter-never-linked",
    "open ones nobody ever sent a link for, how many?",
    invoicesThat(`collection_status = 'open' and not ${EVER_LINKED}`),
    [counting("list_invoices", { collection_status: "open", ever_had_payment_link: false })],
    counts,
  ),
  ask(
    "filter-linkable",
    "Für wie viele Rechnungen ginge noch ein Link?",
    invoicesThat(`collection_status = 'open' and ${AVAILABLE} > 0`),
    [counting("list_invoices", { has_available: true })],
    counts,
  ),
  ask(
    "filter-links-by-name",
    "links for {customer_name}?",
    select(
      ["payment_link_id", AMOUNT],
      "from link where strpos(lower(customer_name), lower({customer_name})) > 0 group by payment_link_id, currency",
    ),
    [call("list_payment_links", { search: "{customer_name}", limit: 100, fields: ["amount"] })],
    table(0, "data", "id", major("amount")),
    { given: A_PAYER },
  ),
  ask(
    "filter-payments-by-name",
    "did {customer_name} pay us anyting",
    select(
      ["payment_id", AMOUNT],
      "from payment where strpos(lower(customer_name), lower({customer_name})) > 0 group by payment_id, currency",
    ),
    [call("list_payments", { search: "{customer_name}", limit: 100, fields: ["amount"] })],
    table(0, "data", "id", major("amount")),
    { given: A_PAYER },
  ),
  ask(
    "filter-held-invoices",
    "Which invoices have money that the ERP was not told of, because we hold it back?",
    select(["invoice_number", "true"], "from invoice where has_held_payment"),
    [call("list_invoices", { erp_push_state: "held", limit: 100, fields: ["invoice_number", "has_held_payment"] })],
    table(0, "data", "invoice_number", "has_held_payment"),
    { inHeldWorkspace: true },
  ),
  ask(
    "filter-facturas-vencidas",
    "¿Qué facturas vencidas tiene {customer_name}?",
    select(
      ["invoice_number", AMOUNT],
      "from debt where days_overdue > 0 and customer_id = {customer_id}::uuid group by invoice_id, invoice_number, currency",
    ),
    [
      call("list_invoices", {
        customer_id: "{customer_id}",
        overdue: true,
        limit: 100,
        fields: ["invoice_number", "overdue_outstanding"],
      }),
    ],
    table(0, "data", "invoice_number", major("overdue_outstanding")),
    { given: A_CUSTOMER },
  ),
  ask(
    "why-mail-failed",
    "any mails that bounced?",
    select(["invoice_number", "true"], "from link where email_status = 'failed'"),
    [call("list_payment_links", { email_status: "failed", limit: 100, fields: ["invoice_number", "email.error"] })],
    table(0, "data", "invoice_number", (row) => String(cellOf(at(row, "email.error")) !== "")),
  ),
  nobody("refusal-payout", "When does Stripe pay that out to us?", "get_payouts"),
  nobody("refusal-bank", "Was ist auf dem Konto?", "get_bank_balance"),
  nobody("refusal-write-off", "just write the smallest one off", "write_off_invoice"),
  nobody("refusal-due-date", "move {today} to next month as due date for all of them", "update_invoice"),
  nobody("refusal-invite", "give my colleague access too", "invite_member"),
  refusal("refusal-convert", "everything in euro pls", [
    refusedCall("validation_failed", "summarize_aging", { convert_to: "EUR" }),
  ]),
  refusal("refusal-elsewhere", "show me the other company's invoices", [
    refusedCall("validation_failed", "list_invoices", { workspace: "the other one" }),
  ]),
  refusal("refusal-history", "et il y a un an, on nous devait combien ?", [
    refusedCall("validation_failed", "summarize_aging", { report_date: "{year}" }),
  ]),
  nobody("refusal-remind", "phone them and remind them", "send_reminder"),
];
