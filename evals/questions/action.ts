import { call, type Question } from "./question.ts";
import { minor, record, table } from "./read.ts";
import { cash, numberIsSole, SOLE_LINK, select } from "./sql.ts";

const FIND = call("list_invoices", { invoice_number: "{invoice_number}", fields: ["invoice_number"] });
const LOOK = call("get_invoice", { invoice_id: "{0.data.0.id}" });

/** First installments that a link can be made for, of invoices without any. */
const LINKABLE = `
  select invoice_id::text, installment_id::text, part.invoice_number, part.collection_outstanding as owed, part.currency,
    floor(part.collection_outstanding * 50)::bigint::text as half_minor
  from part join invoice using (invoice_id)
  where collectible and part.currency = 'USD' and part.invoice_number is not null
    and part.collection_outstanding = round(part.collection_outstanding, 2) and part.collection_outstanding > 1
    and part.sequence_number = 1
    and 1 = (select count(*) from invoices where tenant_id = part.tenant_id and invoice_number = part.invoice_number)
    and not has_active_payment_link
  order by part.collection_outstanding desc, installment_id`;

const LINK_ROW = ["invoice_number", cash("currency", "amount"), "state"];
const LINKED = select(LINK_ROW, "from link where installment_id = {installment_id} and state = 'active'");
const MADE = table(2, "data", "invoice_number", minor("amount_minor"), "status");

const create = (link: Record<string, unknown>) =>
  call("create_payment_links", {
    links: [{ invoice_id: "{0.data.0.id}", installment_id: "{1.installments.0.id}", ...link }],
    idempotency_key: "{key}",
  });

const MAILED = `email_status = 'scheduled' and state = 'active' and ${SOLE_LINK}`;

/** Things people ask for that change something; the book must say afterwards what the tools did. */
export const ACTIONS: readonly Question[] = [
  {
    id: "action-link",
    class: "action",
    text: "Make a payment link for all that invoice {invoice_number} still owes.",
    given: `${LINKABLE} limit 1`,
    truth: select(["{invoice_number}::text", cash("{currency}::text", "{owed}::numeric"), "'active'"], ""),
    calls: [FIND, LOOK, create({})],
    read: MADE,
    after: LINKED,
    writes: ["create_payment_links"],
  },
  {
    id: "action-link-half",
    class: "action",
    text: "The customer wants to pay half of invoice {invoice_number} now. Make a link for that, {half_minor} cents.",
    given: `${LINKABLE} limit 1`,
    truth: select(["{invoice_number}::text", cash("{currency}::text", "{half_minor}::numeric / 100"), "'active'"], ""),
    calls: [FIND, LOOK, create({ amount_minor: "{half_minor}" })],
    read: MADE,
    after: LINKED,
    writes: ["create_payment_links"],
  },
  {
    id: "action-link-again",
    class: "action",
    text: "Make a payment link for invoice {invoice_number}. If you are not sure that it worked, try again with the same key.",
    given: `${LINKABLE} limit 1`,
    truth: select(["{invoice_number}::text", cash("{currency}::text", "{owed}::numeric"), "'active'"], ""),
    calls: [FIND, LOOK, create({}), create({})],
    read: table(3, "data", "invoice_number", minor("amount_minor"), "status"),
    after: LINKED,
    writes: ["create_payment_links"],
  },
  {
    id: "action-links-of-two",
    class: "action",
    text: "Make payment links for invoices {invoice_number} and {other_number}, both or none.",
    given: `select one.*, other.invoice_id as other_invoice, other.installment_id as other_installment,
        other.invoice_number as other_number
      from (${LINKABLE} limit 1) as one cross join (${LINKABLE} offset 1 limit 1) as other`,
    truth: select(
      ["invoice_number", cash("currency", "collection_outstanding"), "'active'"],
      "from part where installment_id in ({installment_id}, {other_installment})",
    ),
    calls: [
      call("create_payment_links", {
        links: [
          { invoice_id: "{invoice_id}", installment_id: "{installment_id}" },
          { invoice_id: "{other_invoice}", installment_id: "{other_installment}" },
        ],
        idempotency_key: "{key}",
      }),
    ],
    read: table(0, "data", "invoice_number", minor("amount_minor"), "status"),
    after: select(
      LINK_ROW,
      "from link where installment_id in ({installment_id}, {other_installment}) and state = 'active'",
    ),
    writes: ["create_payment_links"],
  },
  {
    id: "action-withdraw",
    class: "action",
    text: "Withdraw the payment link of invoice {invoice_number}.",
    given: `select invoice_number, payment_link_id::text from link where state = 'active' and email_status = 'sent' and ${SOLE_LINK}
      order by created_at, payment_link_id limit 1`,
    truth: select(["{invoice_number}::text", "'deactivated'"], ""),
    calls: [
      FIND,
      call("list_payment_links", { invoice_id: "{0.data.0.id}", status: "active", fields: ["status"] }),
      call("deactivate_payment_link", { payment_link_id: "{1.data.0.id}" }),
    ],
    read: record(2, "invoice_number", "status"),
    after: select(["invoice_number", "state"], "from link where payment_link_id = {payment_link_id}"),
    writes: ["deactivate_payment_link"],
  },
  {
    id: "action-reschedule",
    class: "action",
    text: "Send the mail with the link for invoice {invoice_number} three days from today, at 09:00 UTC.",
    given: `select invoice_number, payment_link_id::text from link where ${MAILED} order by send_at desc, payment_link_id limit 1`,
    truth: select(["{invoice_number}::text", "'scheduled'", "{today+3}::text || ' 09:00'"], ""),
    calls: [
      FIND,
      call("list_payment_links", { invoice_id: "{0.data.0.id}", status: "active", fields: ["status"] }),
      call("reschedule_payment_link_email", {
        payment_link_id: "{1.data.0.id}",
        send_at: "{today+3}T09:00:00Z",
      }),
    ],
    read: (answers, facts) =>
      record(
        2,
        "invoice_number",
        "email.status",
        "email.send_at",
      )(answers, facts).map(([number = "", status = "", at = ""]) => [
        number,
        status,
        at.slice(0, 16).replace("T", " "),
      ]),
    after: select(
      ["invoice_number", "email_status", "to_char(send_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')"],
      "from link where payment_link_id = {payment_link_id}",
    ),
    writes: ["reschedule_payment_link_email"],
  },
  {
    id: "action-cancel-mail",
    class: "action",
    text: "Do not mail the link for invoice {invoice_number}, but leave it payable.",
    inHeldWorkspace: true,
    given: `select invoice_number, payment_link_id::text from link where ${MAILED} order by send_at, payment_link_id limit 1`,
    truth: select(["{invoice_number}::text", "'active'", "'cancelled'"], ""),
    calls: [
      FIND,
      call("list_payment_links", { invoice_id: "{0.data.0.id}", status: "active", fields: ["status"] }),
      call("cancel_payment_link_email", { payment_link_id: "{1.data.0.id}" }),
    ],
    read: record(2, "invoice_number", "status", "email.status"),
    after: select(["invoice_number", "state", "email_status"], "from link where payment_link_id = {payment_link_id}"),
    writes: ["cancel_payment_link_email"],
  },
  {
    id: "action-push",
    class: "action",
    text: "Push the receipt that has waited longest to the ERP.",
    inHeldWorkspace: true,
    given:
      "select payment_id::text from payment where erp_push_status = 'held' order by created_at, payment_id limit 1",
    truth: select(["{payment_id}::text", "'pending'"], ""),
    calls: [
      call("list_payments", { erp_push_status: "held", order: "asc", limit: 1, fields: ["amount", "currency"] }),
      call("push_held_payments", { payment_ids: ["{0.data.0.id}"], idempotency_key: "{key}" }),
    ],
    read: table(1, "data", "payment_id", "erp_push_status"),
    after: select(["payment_id", "erp_push_status"], "from payment where payment_id = {payment_id}"),
    writes: ["push_held_payments"],
  },
  {
    id: "action-push-all",
    class: "action",
    text: "Push everything that still waits for that ERP connection.",
    inHeldWorkspace: true,
    given: `select connection_id::text from erp_connections join workspace using (tenant_id)
      where payment_push_mode = 'held' order by created_at limit 1`,
    truth: select(
      ["payment.payment_id", "'pending'"],
      `from payment join invoice using (invoice_id)
        where invoice.connection_id = {connection_id} and erp_push_status = 'held'`,
    ),
    calls: [call("push_held_payments", { connection_id: "{connection_id}", idempotency_key: "{key}" })],
    read: table(0, "data", "payment_id", "erp_push_status"),
    writes: ["push_held_payments"],
  },
  {
    id: "action-dismiss",
    class: "action",
    text: "We settled the arrangement for invoice {invoice_number} by phone. Dismiss its task.",
    given: `select invoice_number, task_id::text from task where state = 'open' and ${numberIsSole("task")}
      order by created_at, task_id limit 1`,
    truth: select(["'true'"], ""),
    calls: [
      FIND,
      call("list_tasks", { invoice_id: "{0.data.0.id}", state: "open", fields: ["state"] }),
      call("dismiss_task", { task_id: "{1.data.0.id}" }),
    ],
    read: record(2, "ok"),
    after: select(["(state = 'dismissed')"], "from task where task_id = {task_id}"),
    writes: ["dismiss_task"],
  },
];
