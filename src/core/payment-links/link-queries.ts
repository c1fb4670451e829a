import { type Insertable, type Selectable, sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { PaymentLinkRow } from "../../store/tables/payment-links.ts";
import { READY_AT, UNCLAIMED, type WorkKind } from "../../store/work-queue.ts";
import { lockInvoices } from "../collection/collection-queries.ts";
import { isLiveLink } from "./live-link-queries.ts";

/** A link as the store has it. */
export type StoredLink = Selectable<PaymentLinkRow>;

/** What of an installment its live links ask for; both are exact, in minor units. */
export interface LiveLinks {
  installment_id: string;
  total_minor: string;
  /** Their ids, oldest first, with spaces between. */
  ids: string;
}

/** What live links, reserved ones too, ask for of each of some installments; a paid one asks for nothing more. */
export function liveLinksOf(tx: Transaction, tenantId: string, installmentIds: readonly string[]) {
  return tx
    .selectFrom("payment_links")
    .select(["installment_id", sql<string>`sum(amount_minor)::text`.as("total_minor")])
    .select(sql<string>`string_agg(payment_link_id::text, ' ' order by created_at, payment_link_id)`.as("ids"))
    .where("tenant_id", "=", tenantId)
    .where("installment_id", "=", anyOf(installmentIds, "uuid"))
    .where(isLiveLink("payment_links"))
    .groupBy("installment_id")
    .execute();
}

/** Lets requests of one connection that issue links take turns until the transaction ends. */
export async function lockIssuing(tx: Transaction, connectionId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`links of ${connectionId}`}, 0))`.execute(tx);
}

/** When the links that a connection issued after an instant were, oldest first; those that came to nothing are left out. */
export async function issuedSince(
  tx: Transaction,
  { tenantId, connectionId, since }: { tenantId: string; connectionId: string; since: string },
): Promise<string[]> {
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
): Promise<StoredLink[]> {
  const query = tx
    .selectFrom("payment_links")
    .selectAll()
    .where((column) => column.and({ tenant_id: tenantId, reservation_id: reservationId }))
    .orderBy("payment_link_id");
  return (lock ? query.forUpdate() : query).execute();
}

/** A link by id, in any state; locked where `lock` says so, after its invoice. */
export function linkById(tx: Transaction, tenantId: string, linkId: string, { lock = false }: { lock?: boolean } = {}) {
  const query = tx
    .selectFrom("payment_links")
    .selectAll()
    .where((column) => column.and({ tenant_id: tenantId, payment_link_id: linkId }));
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** A link by the provider's id of it. */
export function linkByProviderId(tx: Transaction, tenantId: string, providerLinkId: string) {
  return tx
    .selectFrom("payment_links")
    .selectAll()
    .where((column) => column.and({ tenant_id: tenantId, provider_link_id: providerLinkId }))
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
  await lockInvoices(tx, tenantId, [...new Set(known.map((link) => link.invoice_id))]);
  return active().forUpdate().execute();
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
): Promise<void> {
  await tx
    .updateTable("payment_links")
    .set({ ...UNCLAIMED, next_attempt_at: at })
    .where((column) => column.and({ tenant_id: tenantId, reservation_id: reservationId, state: "reserved" }))
    .where(sql<boolean>`${READY_AT} > ${at}`)
    .execute();
}
