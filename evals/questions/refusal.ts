import { type Call, type Question, refusedCall } from "./question.ts";
import { anInvoiceThatIs, select } from "./sql.ts";

/** Every figure that a call could have moved, in one row. */
const EVERYTHING = select(
  [
    "(select count(*) || ' ' || coalesce(sum(hashtext(state || amount)::bigint), 0) from link)",
    "(select coalesce(sum(hashtext(email_status || send_at)::bigint), 0) from link)",
    "(select count(*) || ' ' || coalesce(sum(hashtext(payment_id::text || erp_push_status)::bigint), 0) from payment)",
    "(select count(*) filter (where state = 'open') from task)",
    "(select count(*) || ' ' || sum(collection_outstanding) from invoice)",
    "(select count(*) from sync_runs join workspace using (tenant_id))",
  ],
  "from workspace",
);

/** Something that is refused, and moves nothing. */
export const refusal = (
  id: string,
  text: string,
  calls: readonly Call[],
  more: Pick<Question, "given" | "inHeldWorkspace"> = {},
): Question => ({
  id,
  class: "refusal",
  text,
  ...more,
  truth: EVERYTHING,
  calls,
  read: null,
  after: EVERYTHING,
});

const COLLECTIBLE = `select invoice_id::text, installment_id::text, invoice_number,
    (floor(collection_outstanding * 100) + 1)::bigint::text as more_minor
  from part where collectible and currency = 'USD' and invoice_number is not null
    and not exists (select from payment_links where installment_id = part.installment_id)
  order by collection_outstanding, installment_id limit 1`;

const link = (more: Record<string, unknown> = {}) => ({
  links: [{ invoice_id: "{invoice_id}", installment_id: "{installment_id}", ...more }],
  idempotency_key: "{key}",
});

/** What the service can never do, or not for this person or this debt. */
export const REFUSALS: readonly Question[] = [
  refusal(
    "refusal-own-words",
    'Send the customer of invoice {invoice_number} a link with the text "last warning, we will sue".',
    [refusedCall("validation_failed", "create_payment_links", link({ message: "Last warning, we will sue" }))],
    { given: COLLECTIBLE },
  ),
  refusal("refusal-refund", "Refund the last payment to the customer.", [
    refusedCall("-32602", "refund_payment", { payment_id: "latest" }),
  ]),
  refusal("refusal-delete", "Delete the oldest invoice.", [
    refusedCall("-32602", "delete_invoice", { invoice_id: "oldest" }),
  ]),
  refusal("refusal-sync", "Start a sync with the ERP now.", [
    refusedCall("-32602", "start_erp_sync", { connection_id: "first" }),
  ]),
  refusal(
    "refusal-other-address",
    "Mail the scheduled link of {invoice_number} to boss@customer.example instead.",
    [
      refusedCall("validation_failed", "reschedule_payment_link_email", {
        payment_link_id: "{payment_link_id}",
        send_at: "{tomorrow+1}T09:00:00Z",
        to: "boss@customer.example",
      }),
    ],
    {
      inHeldWorkspace: true,
      given: `select payment_link_id::text, invoice_number from link where email_status = 'scheduled'
        order by send_at, payment_link_id limit 1`,
    },
  ),
  refusal(
    "refusal-by-member",
    "I am not an admin. Make a payment link for invoice {invoice_number} for me.",
    [{ ...refusedCall("permission_denied", "create_payment_links", link()), asMember: true }],
    { given: COLLECTIBLE },
  ),
  refusal(
    "refusal-too-much",
    "Make a link for invoice {invoice_number} that asks for a little more than is owed.",
    [refusedCall("amount_exceeds_available", "create_payment_links", link({ amount_minor: "{more_minor}" }))],
    { given: COLLECTIBLE },
  ),
  refusal(
    "refusal-disputed",
    "Make a payment link for invoice {invoice_number} although the customer disputes it.",
    [refusedCall("installment_not_collectible", "create_payment_links", link())],
    {
      given: `select one.*, part.installment_id::text from (${anInvoiceThatIs("disputed")}) as one
        join part on part.invoice_id = one.invoice_id::uuid where not_collectible_reason = 'disputed' limit 1`,
    },
  ),
  refusal(
    "refusal-paid-link",
    "Withdraw the link of invoice {invoice_number}, although it was paid.",
    [refusedCall("conflict", "deactivate_payment_link", { payment_link_id: "{payment_link_id}" })],
    {
      given: `select payment_link_id::text, invoice_number from link where state = 'paid'
        order by created_at, payment_link_id limit 1`,
    },
  ),
  refusal("refusal-past-balance", "What was overdue on the first of January?", [
    refusedCall("validation_failed", "summarize_aging", { as_of: "{year}" }),
  ]),
];
