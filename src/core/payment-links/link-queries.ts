import { type Insertable, type Selectable, sql } from "kysely";
import { touchShown } from "../../store/aging/rollup.ts";
import { isLiveLink } from "../../store/live-links.ts";
import { holdName } from "../../store/named-lock.ts";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { InvoiceRow } from "../../store/tables/invoices.ts";
import type { PaymentLinkRow } from "../../store/tables/payment-links.ts";
import { READY_AT, UNCLAIMED, type WorkKind } from "../../store/work-queue.ts";
import { lockInvoices } from "../collection/collection-queries.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { later } from "../gate/retry.ts";

/** A link as the store has it. */
export type StoredLink = Selectable<PaymentLinkRow>;

/** What live links, reserved ones too, ask for of each of some installments, and which they are, oldest first; a paid one asks for nothing. */
export function liveLinksOf(tx: Transaction, tenantId: string, installmentIds: readonly string[]) {
  return tx
    .selectFrom("payment_links")
    .select(({ fn }) => ["installment_id", fn.sum<string>("amount").as("amount")])
    .select(sql<string[]>`array_agg(payment_link_id::text order by created_at, payment_link_id)`.as("ids"))
    .where("tenant_id", "=", tenantId)
    .where("installment_id", "=", anyOf(installmentIds, "uuid"))
    .where(isLiveLink("payment_links"))
    .groupBy("installment_id")
    .execute();
}

/** Lets requests of one connection that issue links take turns until the transaction ends. */
export const lockIssuing = (tx: Transaction, connectionId: string) => holdName(tx, `links of ${connectionId}`);

/** When the links that a connection issued after an instant were, oldest first; those that came to nothing are left out. */
export async function issuedSince(
  tx: Transaction,
  { tenantId, connectionId, since }: { tenantId: string; connectionId: string; since: string },
) {
  const rows = await tx
    .selectFrom("payment_links")
    .select("created_at")
    .where((column) => column.and({ tenant_id: tenantId, created_through: connectionId }))
    .where("created_at", ">", since)
    .where("state", "!=", "withdrawn")
    .orderBy("created_at")
    .execute();
  return rows.map((row) => row.created_at);
}

/** The links of a reservation, oldest first; locked where `lock` says so, after their invoices. */
export function reservationLinks(
  tx: Transaction,
  tenantId: string,
  reservationId: string,
  { lock = false }: { lock?: boolean } = {},
) {
  return tx
    .selectFrom("payment_links")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("reservation_id", "=", reservationId)
    .orderBy("payment_link_id")
    .$if(lock, (query) => query.forUpdate())
    .execute();
}

/** A link by its id, or the provider's of it, in any state; locked where `lock` says so, after its invoice. */
export function linkById(
  tx: Transaction,
  tenantId: string,
  id: string,
  {
    column = "payment_link_id",
    lock = false,
  }: { column?: "payment_link_id" | "provider_link_id"; lock?: boolean } = {},
) {
  return tx
    .selectFrom("payment_links")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where(column, "=", id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** The active links of an integration, locked after their invoices. */
export async function lockActiveLinksBy(tx: Transaction, tenantId: string, integrationId: string) {
  const active = () =>
    tx
      .selectFrom("payment_links")
      .select(["payment_link_id", "invoice_id"])
      .where((column) => column.and({ tenant_id: tenantId, payment_integration_id: integrationId, state: "active" }))
      .orderBy("payment_link_id");
  const known = await active().execute();
  await lockInvoices(
    tx,
    tenantId,
    known.map((link) => link.invoice_id),
  );
  return active().forUpdate().execute();
}

export async function insertLinks(tx: Transaction, rows: readonly Insertable<PaymentLinkRow>[]) {
  touchShown(
    tx,
    "invoices",
    rows.map((row) => row.invoice_id),
  );
  await tx
    .insertInto("payment_links")
    .values([...rows])
    .execute();
}

export async function updateLink(
  tx: Transaction,
  tenantId: string,
  linkId: string,
  set: Partial<Omit<StoredLink, "tenant_id" | "payment_link_id">>,
) {
  touchShown(tx, "links", [linkId]);
  await tx
    .updateTable("payment_links")
    .set(set)
    .where((column) => column.and({ tenant_id: tenantId, payment_link_id: linkId }))
    .execute();
}

/** Links that their worker has left between the store and their provider. */
export const UNSETTLED_LINKS: WorkKind<"payment_links"> = {
  table: "payment_links",
  isWork: sql`(state = 'reserved' or withdrawal_due)`,
};

/** Has the reserved links of a reservation tried again at an instant, where they would be later. */
export async function retryReservation(
  tx: Transaction,
  tenantId: string,
  { reservationId, at }: { reservationId: string; at: string },
) {
  await tx
    .updateTable("payment_links")
    .set({ ...UNCLAIMED, next_attempt_at: at })
    .where((column) => column.and({ tenant_id: tenantId, reservation_id: reservationId, state: "reserved" }))
    .where(sql<boolean>`${READY_AT} > ${at}`)
    .execute();
}

/** Writes down which of some invoices have an active link; `updated_at` does not move (service.md §2.3). */
export async function markActiveLinks(tx: Transaction, tenantId: string, invoiceIds: readonly string[]) {
  await sql`update invoices as invoice set has_active_payment_link = not invoice.has_active_payment_link
    where invoice.tenant_id = ${tenantId} and invoice.invoice_id = ${anyOf(invoiceIds, "uuid")}
      and invoice.has_active_payment_link <> exists (
        select from payment_links as link
        where link.tenant_id = ${tenantId} and link.invoice_id = invoice.invoice_id and link.state = 'active')`.execute(
    tx,
  );
}

/** States in which a link counts as one: a reservation does not yet. */
export const SHOWN_STATES = ["active", "paid", "deactivated"] as const;

/** Whether a payment link, by its table's name in the query, is in one of these. */
export const isShownLink = (table: string) =>
  sql<boolean>`${sql.ref(`${table}.state`)} in (${sql.join(SHOWN_STATES.map((state) => sql.lit(state)))})`;

/** What a link needs to know of its invoice. */
export type LinkedInvoice = Pick<InvoiceRow, "invoice_id" | "invoice_number" | "currency">;

/** The same of its installment. */
export type LinkedInstallment = Awaited<ReturnType<typeof linkedInstallments>>[number];

/** Installments by id, removed ones too, of invoices that are locked already where `lock` says so. */
export function linkedInstallments(
  tx: Transaction,
  tenantId: string,
  debts: { invoiceIds: readonly string[]; installmentIds: readonly string[]; lock: boolean },
) {
  const query = tx
    .selectFrom("installments")
    .select(["installment_id", "invoice_id", "not_collectible_reason", "collection_outstanding"])
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(debts.invoiceIds, "uuid"))
    .where("installment_id", "=", anyOf(debts.installmentIds, "uuid"))
    .orderBy("installment_id");
  return (debts.lock ? query.forUpdate() : query).execute();
}

/** Writes down that a person withdrew a link on an installment: Auto Generate makes none in its place (completions §12). */
export async function markWithdrawn(tx: Transaction, tenantId: string, installmentId: string, at: string) {
  await tx
    .updateTable("installments")
    .set(({ ref }) => ({ withdrawn_by_person_at: at, withdrawn_by_person_amount: ref("collection_outstanding") }))
    .where((column) => column.and({ tenant_id: tenantId, installment_id: installmentId }))
    .execute();
}

/** Takes that back: somebody made a link on each of them. */
export async function clearWithdrawn(tx: Transaction, tenantId: string, installmentIds: readonly string[]) {
  if (installmentIds.length === 0) return;
  await tx
    .updateTable("installments")
    .set({ withdrawn_by_person_at: null, withdrawn_by_person_amount: null })
    .where("tenant_id", "=", tenantId)
    .where("installment_id", "=", anyOf(installmentIds, "uuid"))
    .where("withdrawn_by_person_at", "is not", null)
    .execute();
}

/** How long the worker that reserved links is believed to be at work on them. */
export const RESERVED_MS = 2 * 60_000;

/** The lease of the caller that is about to withdraw a link at its provider; without `leaseMs` anybody may at once. */
export function callerWithdraws(core: Pick<Core, "clock">, leaseMs: number) {
  return { claim_id: null, lease_expires_at: leaseMs > 0 ? later(core, leaseMs) : null, next_attempt_at: nowOf(core) };
}
