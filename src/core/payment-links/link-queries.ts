import { type Insertable, type Selectable, sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { InstallmentRow, InvoiceRow, PaymentLinkRow } from "../../store/tables.ts";

/** What a link needs to know of its invoice. */
export type LinkedInvoice = Pick<InvoiceRow, "invoice_id" | "invoice_number" | "currency">;

/** The same of its installment. */
export type LinkedInstallment = Pick<
  InstallmentRow,
  "installment_id" | "invoice_id" | "not_collectible_reason" | "collection_outstanding"
>;

/** A link as the store has it. */
export type StoredLink = Selectable<PaymentLinkRow>;

/** What of an installment its live links ask for; both are exact, in minor units. */
export interface LiveLinks {
  installment_id: string;
  total_minor: string;
}

/** Invoices by id, locked in the order of their ids: every writer of their links and figures waits. */
export function lockLinkedInvoices(
  tx: Transaction,
  tenantId: string,
  invoiceIds: readonly string[],
): Promise<LinkedInvoice[]> {
  return tx
    .selectFrom("invoices")
    .select(["invoice_id", "invoice_number", "currency"])
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .orderBy("invoice_id")
    .forUpdate()
    .execute();
}

/** Installments by id, removed ones too, of invoices that are locked already. */
export function lockLinkedInstallments(
  tx: Transaction,
  tenantId: string,
  { invoiceIds, installmentIds }: { invoiceIds: readonly string[]; installmentIds: readonly string[] },
): Promise<LinkedInstallment[]> {
  return tx
    .selectFrom("installments")
    .select(["installment_id", "invoice_id", "not_collectible_reason", "collection_outstanding"])
    .where("tenant_id", "=", tenantId)
    .where("invoice_id", "=", anyOf(invoiceIds, "uuid"))
    .where("installment_id", "=", anyOf(installmentIds, "uuid"))
    .orderBy("installment_id")
    .forUpdate()
    .execute();
}

/**
 * The installments that a payment by a link settles, locked: its own, or where the ERP has replaced that one, those that are
 * live. Their invoice is locked already.
 */
export async function lockSettledBy(
  tx: Transaction,
  { tenant_id, invoice_id, installment_id }: StoredLink,
): Promise<Pick<InstallmentRow, "installment_id" | "collection_outstanding">[]> {
  const live = await tx
    .selectFrom("installments")
    .select(["installment_id", "collection_outstanding"])
    .where("tenant_id", "=", tenant_id)
    .where("invoice_id", "=", invoice_id)
    .where("removed_at", "is", null)
    .orderBy("installment_id")
    .forUpdate()
    .execute();
  const own = live.filter((row) => row.installment_id === installment_id);
  return own.length > 0 ? own : live;
}

/** What live links, reserved ones too, ask for of each of some installments; a paid one asks for nothing more. */
export function liveLinksOf(
  tx: Transaction,
  tenantId: string,
  installmentIds: readonly string[],
): Promise<LiveLinks[]> {
  return tx
    .selectFrom("payment_links")
    .select(["installment_id", sql<string>`sum(amount_minor)::text`.as("total_minor")])
    .where("tenant_id", "=", tenantId)
    .where("installment_id", "=", anyOf(installmentIds, "uuid"))
    .where("state", "in", ["reserved", "active"])
    .where("paid_at", "is", null)
    .groupBy("installment_id")
    .execute();
}

/** The links of a reservation, locked when their invoices are; oldest first. */
export function lockReservation(tx: Transaction, tenantId: string, reservationId: string): Promise<StoredLink[]> {
  return reservation(tx, tenantId, reservationId).forUpdate().execute();
}

export function reservationLinks(tx: Transaction, tenantId: string, reservationId: string): Promise<StoredLink[]> {
  return reservation(tx, tenantId, reservationId).execute();
}

function reservation(tx: Transaction, tenantId: string, reservationId: string) {
  return tx
    .selectFrom("payment_links")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("reservation_id", "=", reservationId)
    .orderBy("payment_link_id");
}

/** A link by id, whatever its state; locked where `lock` says so, after its invoice. */
export function linkById(
  tx: Transaction,
  tenantId: string,
  linkId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<StoredLink | undefined> {
  const query = tx
    .selectFrom("payment_links")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("payment_link_id", "=", linkId);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** A link by the provider's id of it. */
export function linkByProviderId(
  tx: Transaction,
  tenantId: string,
  providerLinkId: string,
): Promise<StoredLink | undefined> {
  return tx
    .selectFrom("payment_links")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("provider_link_id", "=", providerLinkId)
    .executeTakeFirst();
}

/** The active links of an installment, oldest first. */
export function activeLinksOf(tx: Transaction, tenantId: string, installmentId: string): Promise<StoredLink[]> {
  return tx
    .selectFrom("payment_links")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("installment_id", "=", installmentId)
    .where("state", "=", "active")
    .orderBy("created_at")
    .orderBy("payment_link_id")
    .forUpdate()
    .execute();
}

export async function insertLinks(tx: Transaction, rows: readonly Insertable<PaymentLinkRow>[]): Promise<void> {
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
): Promise<void> {
  await tx
    .updateTable("payment_links")
    .set(set)
    .where("tenant_id", "=", tenantId)
    .where("payment_link_id", "=", linkId)
    .execute();
}

/** Writes down which of some invoices have an active link; `updated_at` does not move (service.md §2.3). */
export async function markActiveLinks(tx: Transaction, tenantId: string, invoiceIds: readonly string[]): Promise<void> {
  await sql`update invoices as invoice set has_active_payment_link = not invoice.has_active_payment_link
    where invoice.tenant_id = ${tenantId} and invoice.invoice_id = ${anyOf(invoiceIds, "uuid")}
      and invoice.has_active_payment_link <> exists (
        select from payment_links as link
        where link.tenant_id = ${tenantId} and link.invoice_id = invoice.invoice_id and link.state = 'active')`.execute(
    tx,
  );
}
