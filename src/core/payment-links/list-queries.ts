import type { InferResult } from "kysely";
import type { z } from "zod";
import { stampSoFar } from "../../store/aging/rollup.ts";
import { changedAt, changedSince, creatorName } from "../../store/change-stamps.ts";
import type { Transaction } from "../../store/store.ts";
import type { PaymentLinkRow } from "../../store/tables/payment-links.ts";
import { hasText } from "../gate/search-queries.ts";
import { notFound } from "../kernel/error.ts";
import { givenConditions, ifGiven } from "../kernel/filter-conditions.ts";
import { formatStored } from "../kernel/money.ts";
import { sameTenant } from "../kernel/same-tenant.ts";
import { type InInstants, InstantOrDay, Search, Uuid } from "../kernel/wire-types.ts";
import { failureWords } from "../mail/failure.ts";
import { SHOWN_STATES } from "./link-queries.ts";
import { EmailStatus, PaymentLinkStatus } from "./schema.ts";

/** Filters of completions §5; they combine freely. */
export const LINK_FILTERS = {
  search: Search,
  invoice_id: Uuid.optional().describe("Invoice"),
  installment_id: Uuid.optional().describe("Installment"),
  status: PaymentLinkStatus.optional().describe("Link status"),
  customer_id: Uuid.optional().describe("`customer.id` of an invoice"),
  email_status: EmailStatus.optional().describe("Of its email"),
  email_send_from: InstantOrDay.optional().describe("Inclusive, by email.send_at; instant, or day in the workspace"),
  email_send_before: InstantOrDay.optional().describe("Exclusive"),
  created_since: InstantOrDay.optional().describe("Inclusive"),
  updated_since: InstantOrDay.optional().describe("Inclusive, by `updated_at`"),
};

type LinkFilters = InInstants<z.output<z.ZodObject<typeof LINK_FILTERS>>>;

/** A link as the queries read it. */
export type LinkRecord = InferResult<ReturnType<typeof links>>[number];

/** Whether a link in that state is one to anybody. */
export const isShown = (state: PaymentLinkRow["state"]) => SHOWN_STATES.some((shown) => shown === state);

function links(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("payment_links")
    .innerJoin("invoices", sameTenant("invoices", "payment_links", "invoice_id"))
    .leftJoin("link_emails", sameTenant("link_emails", "payment_links", "payment_link_id"))
    .select([
      "payment_links.payment_link_id",
      "payment_links.invoice_id",
      "payment_links.installment_id",
      "payment_links.payment_integration_id",
      "payment_links.amount",
      "payment_links.amount_minor",
      "payment_links.currency",
      "payment_links.url",
      "payment_links.state",
      "payment_links.created_at",
      "payment_links.created_by_kind",
      "payment_links.created_by_id",
      "payment_links.paid_at",
      "payment_links.deactivated_at",
      "invoices.invoice_number",
      "invoices.customer_email",
      "invoices.customer_id",
      "invoices.customer_name",
    ])
    .select(
      changedAt(tenantId, "payment_link", "payment_links.payment_link_id", "payment_links.created_at").as("updated_at"),
    )
    .select(creatorName(tenantId).as("created_by_name"))
    .select([
      "link_emails.status as email_status",
      "link_emails.recipient as email_to",
      "link_emails.send_at as email_send_at",
      "link_emails.sent_at as email_sent_at",
      "link_emails.failed_at",
      "link_emails.failure",
      "link_emails.server_codes",
      "link_emails.server_words",
    ])
    .where("payment_links.tenant_id", "=", tenantId)
    .where("payment_links.state", "in", SHOWN_STATES);
}

/** The tenant's links that match every filter given (completions §5), unordered. */
export function matchingLinks(tx: Transaction, tenantId: string, filters: LinkFilters) {
  return links(tx, tenantId).where((eb) =>
    eb.and([
      ...ifGiven(filters.search, (text) => hasText("invoices.search_text", text)),
      ...givenConditions(eb, filters, {
        invoice_id: "payment_links.invoice_id",
        installment_id: "payment_links.installment_id",
        status: "payment_links.state",
        customer_id: "invoices.customer_id",
        email_status: "link_emails.status",
        email_send_from: ["link_emails.send_at", ">="],
        email_send_before: ["link_emails.send_at", "<"],
        created_since: ["payment_links.created_at", ">="],
      }),
      ...ifGiven(filters.updated_since, (instant) =>
        changedSince(tenantId, "payment_link", "payment_links.payment_link_id", instant),
      ),
    ]),
  );
}

/** Some links by id, as they are once the transaction is committed. */
export async function linksById(tx: Transaction, tenantId: string, linkIds: readonly string[]) {
  await stampSoFar(tx, tenantId);
  return links(tx, tenantId)
    .where("payment_links.payment_link_id", "in", [...linkIds])
    .execute();
}

/** The link as callers see it (completions §4). */
export function linkOnWire(row: LinkRecord) {
  if (row.url === null) throw new Error("a link that is shown has an address");
  return {
    id: row.payment_link_id,
    invoice_id: row.invoice_id,
    invoice_number: row.invoice_number,
    customer_id: row.customer_id,
    customer_name: row.customer_name,
    installment_id: row.installment_id,
    payment_integration_id: row.payment_integration_id,
    amount_minor: Number(row.amount_minor),
    amount: formatStored(row.amount, row.currency),
    currency: row.currency,
    url: row.url,
    status: PaymentLinkStatus.parse(row.state),
    email: emailOf(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
    created_by: { kind: row.created_by_kind, id: row.created_by_id, name: row.created_by_name },
    paid_at: row.paid_at,
    deactivated_at: row.deactivated_at,
  };
}

function emailOf(row: LinkRecord) {
  const { email_status: status, email_send_at: send_at, email_sent_at: sent_at, failed_at } = row;
  // A scheduled one goes to the billing email of the day it is sent.
  const to = status === "scheduled" ? (row.customer_email ?? row.email_to) : row.email_to;
  if (status === null || to === null || send_at === null) return null;
  return { status, to, send_at, sent_at, failed_at, error: row.failure === null ? null : failureWords(row) };
}

/** A link as callers see it now. Throws `not_found`. */
export async function shownLink(tx: Transaction, tenantId: string, linkId: string) {
  const [row] = await linksById(tx, tenantId, [linkId]);
  if (row === undefined) throw notFound("payment link");
  return linkOnWire(row);
}
