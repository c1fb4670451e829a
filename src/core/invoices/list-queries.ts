import { type InferResult, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { overdueOf } from "../../store/aging/overdue-outstanding.ts";
import { changedAt, stampedSince } from "../../store/change-stamps.ts";
import { countRows } from "../../store/keyset.ts";
import { availableOf, isLiveLink } from "../../store/live-links.ts";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { InstallmentRow } from "../../store/tables/invoices.ts";
import { sameTenant } from "../kernel/same-tenant.ts";
import { lastSyncedAt } from "./last-synced-queries.ts";
import { filtersOverdue, invoiceConditions } from "./list-filter-queries.ts";
import type { InvoiceFilters } from "./list-filters.ts";

/** An invoice with what a response needs; `last_synced_at` counts the runs that read it without writing it. */
export type InvoiceRecord = InferResult<ReturnType<typeof invoices>>[number];

/** The tenant of a call, and its business day. */
interface InvoiceScope {
  readonly tenantId: string;
  readonly today: string;
}

/** Installment columns as they come out of the embedded JSON; amounts were cast to text on the way. */
export type InstallmentRecord = {
  /** What its live payment links ask for, those being made too. */
  live_link_amounts: string[];
} & Pick<
  InstallmentRow,
  | "installment_id"
  | "sequence_number"
  | "due_date"
  | "original_amount"
  | "erp_outstanding"
  | "collection_outstanding"
  | "collectible"
  | "not_collectible_reason"
>;

function invoices(tx: Transaction, { tenantId, today }: InvoiceScope) {
  return tx
    .selectFrom("invoices")
    .select([
      "invoices.invoice_id",
      "invoices.invoice_number",
      "invoices.currency",
      "invoices.total_amount",
      "invoices.erp_invoice_open_balance",
      "invoices.invoice_date",
      "invoices.due_date",
      "invoices.collection_due_date",
      "invoices.collection_outstanding",
      "invoices.amount_collected",
      "invoices.erp_push_state",
      "invoices.has_held_payment",
      "invoices.collection_status",
      "invoices.customer_id",
      "invoices.customer_number",
      "invoices.customer_name",
      "invoices.contact_name",
      "invoices.customer_email",
      "invoices.origin",
      "invoices.connection_id",
      "invoices.created_at",
      "invoices.updated_at",
      "invoices.has_active_payment_link",
      "invoices.payment_terms",
      lastSyncedAt("invoices", tenantId).as("last_synced_at"),
    ])
    .select(changedAt(tenantId, "invoice", "invoices.invoice_id", "invoices.created_at").as("collection_updated_at"))
    .select(overdueOf("invoices", { tenantId, today }).as("overdue_outstanding"))
    .select(sql<string>`${availableOf("invoices", tenantId)}::text`.as("available_amount"))
    .where("invoices.tenant_id", "=", tenantId);
}

/**
 * The tenant's invoices that match every filter given (service.md §4.4), unordered; `overdue` is as of the roll-up's day. Their
 * `figures` are joined where somebody needs them, and once: a planner that expects one row joins three tables by the cube.
 */
export function matchingInvoices(tx: Transaction, scope: InvoiceScope, filters: InvoiceFilters, needsFigures = false) {
  return invoices(tx, scope)
    .$if(needsFigures || filtersOverdue(filters), (query) =>
      query.innerJoin("invoice_figures as figures", sameTenant("figures", "invoices", "invoice_id")),
    )
    .where((eb) => eb.and(invoiceConditions(eb, scope.tenantId, filters)));
}

/** Installments as JSON can hold them, removed ones too, in order. */
const installments = (tx: Transaction, tenantId: string) =>
  tx
    .selectFrom("installments")
    .select([
      "installments.installment_id",
      "installments.sequence_number",
      sql<string | null>`installments.due_date::text`.as("due_date"),
      sql<string | null>`installments.original_amount::text`.as("original_amount"),
      sql<string | null>`installments.erp_outstanding::text`.as("erp_outstanding"),
      sql<string>`installments.collection_outstanding::text`.as("collection_outstanding"),
      "installments.collectible",
      "installments.not_collectible_reason",
      sql<string[]>`coalesce((
        select jsonb_agg(link.amount::text) from payment_links as link
        where link.tenant_id = ${tenantId} and link.installment_id = installments.installment_id
          and ${isLiveLink("link")}), '[]')`.as("live_link_amounts"),
    ])
    .where("installments.tenant_id", "=", tenantId)
    .orderBy("installments.sequence_number", (order) => order.asc().nullsLast())
    .orderBy("installments.installment_id");

/** All installments of some invoices. */
export const installmentsOfInvoices = (tx: Transaction, tenantId: string, invoiceIds: readonly string[]) =>
  installments(tx, tenantId)
    .select("installments.invoice_id")
    .where("installments.invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .execute();

/** One invoice of the tenant with all its installments, removed ones too, in one statement; undefined when missing. */
export function invoiceWithInstallments(
  tx: Transaction,
  scope: { tenantId: string; today: string },
  invoiceId: string,
) {
  const { tenantId } = scope;
  return invoices(tx, scope)
    .where("invoices.invoice_id", "=", invoiceId)
    .select(["invoices.not_collectible_reason", "invoices.voided_at", "invoices.settled_elsewhere"])
    .select(
      jsonArrayFrom(
        installments(tx, tenantId).where("installments.invoice_id", "=", sql<string>`invoices.invoice_id`),
      ).as("installments"),
    )
    .executeTakeFirst();
}

/** Up to this many rows are sorted faster than found along an index of another column. */
const FEW = 10_000;

/** The rows of a filter that has an index of its own: one is enough. Null without one. */
function rowsOfRange(tx: Transaction, tenantId: string, filters: InvoiceFilters) {
  const { updated_since: since, collection_updated_since: stamped, due_before: before, due_after: after } = filters;
  const invoices = tx.selectFrom("invoices").select(sql`1`.as("one")).where("tenant_id", "=", tenantId);
  if (since !== undefined) return invoices.where("updated_at", ">=", since);
  if (stamped !== undefined) return stampedSince(tx, tenantId, "invoice", stamped);
  if (before === undefined && after === undefined) return null;
  const due = before === undefined ? invoices : invoices.where("collection_due_date", "<=", before);
  return after === undefined ? due : due.where("collection_due_date", ">=", after);
}

/**
 * How many rows a list's range filter leaves; null without such a filter. The planner assumes that dates of change and due dates
 * are independent of creation times, and would scan along those for rows that are all at one end.
 */
export async function countInRange(tx: Transaction, tenantId: string, filters: InvoiceFilters) {
  const range = rowsOfRange(tx, tenantId, filters);
  if (range === null) return null;
  const rows = await countRows(tx, sql`(select from ${range} as range limit ${FEW + 1})`);
  return { isEmpty: rows === 0, isFew: rows <= FEW };
}
