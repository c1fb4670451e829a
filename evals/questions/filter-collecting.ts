import { call, type Question } from "./question.ts";
import { major, minor, table } from "./read.ts";
import { cash, select } from "./sql.ts";

const PAYMENT_FIELDS = ["invoice_number", "customer.name", "amount", "currency"];

/** Links, mails, receipts and tasks of a kind. */
export const COLLECTING_FILTERS: readonly Question[] = [
  {
    id: "filter-failed-receipts",
    class: "filter",
    text: "Which receipts did not get into the ERP, of which invoice and customer, and why?",
    truth: select(
      ["invoice_number", "customer_name", cash("currency", "amount"), "why"],
      "from payment where erp_push_status = 'failed'",
    ),
    calls: [call("list_payments", { erp_push_status: "failed", fields: [...PAYMENT_FIELDS, "erp_push_error"] })],
    read: table(0, "data", "invoice_number", "customer.name", major("amount"), "erp_push_error"),
    limits: { calls: 1, tokens: 1_500 },
  },
  {
    id: "filter-open-tasks",
    class: "filter",
    text: "Which tasks are open, for how much, and who has them?",
    truth: select(
      ["invoice_number", cash("currency", "collection_outstanding"), "assignee_name"],
      "from task where state = 'open'",
    ),
    calls: [
      call("list_tasks", {
        state: "open",
        fields: ["invoice_number", "currency", "collection_outstanding", "assignee_name"],
      }),
    ],
    read: table(0, "data", "invoice_number", major("collection_outstanding"), "assignee_name"),
    limits: { calls: 1, tokens: 1_500 },
  },
  {
    id: "filter-mail-tomorrow",
    class: "filter",
    text: "Which payment links are mailed to customers tomorrow, and what do they ask for?",
    inHeldWorkspace: true,
    truth: select(
      ["invoice_number", "customer_name", cash("currency", "amount")],
      `from link cross join workspace where email_status = 'scheduled'
        and (send_at at time zone timezone)::date = {tomorrow}`,
    ),
    calls: [
      call("list_payment_links", {
        email_status: "scheduled",
        email_send_from: "{tomorrow}",
        email_send_before: "{tomorrow+1}",
        fields: ["invoice_number", "customer_name", "amount_minor", "currency"],
        limit: 100,
      }),
    ],
    read: table(0, "data", "invoice_number", "customer_name", minor("amount_minor")),
    limits: { calls: 1, tokens: 3_000 },
  },
  {
    id: "filter-failed-mails",
    class: "filter",
    text: "Which payment-link mails could not be delivered?",
    truth: select(["invoice_number", "customer_name"], "from link where email_status = 'failed'"),
    calls: [
      call("list_payment_links", { email_status: "failed", fields: ["invoice_number", "customer_name", "email.to"] }),
    ],
    read: table(0, "data", "invoice_number", "customer_name"),
  },
  {
    id: "filter-customer-links",
    class: "filter",
    text: "Which payment links does {customer_name} have, and what is their state?",
    given: `select customer_id::text, customer_name from link where customer_id is not null
      group by 1, 2 order by count(*) desc, 1 limit 1`,
    truth: select(
      ["invoice_number", cash("currency", "amount"), "state"],
      "from link where customer_id = {customer_id}",
    ),
    calls: [
      call("list_payment_links", {
        customer_id: "{customer_id}",
        fields: ["invoice_number", "amount_minor", "currency", "status"],
      }),
    ],
    read: table(0, "data", "invoice_number", minor("amount_minor"), "status"),
  },
  {
    id: "filter-reversed-receipts",
    class: "filter",
    text: "Which receipts did the ERP undo?",
    truth: select(
      ["invoice_number", "customer_name", cash("currency", "amount")],
      "from payment where erp_push_status = 'reversed'",
    ),
    calls: [call("list_payments", { erp_push_status: "reversed", fields: PAYMENT_FIELDS })],
    read: table(0, "data", "invoice_number", "customer.name", major("amount")),
  },
];
