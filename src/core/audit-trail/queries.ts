import { sql } from "kysely";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { AuditEntryRow } from "../../store/tables/audit.ts";
import { sameTenant } from "../shared/same-tenant.ts";

/** Which entries are wanted; a null asks for all. */
export interface EntryFilter {
  /** Every membership a person ever had in the workspace. */
  memberIds: readonly string[] | null;
  connectionId: string | null;
  operation: string | null;
}

/** An earlier version that ran beside this one wrote `member`, for a person and for their assistants. */
const actorKind = sql<AuditEntryRow["actor_kind"]>`case when entry.actor_kind <> 'member' then entry.actor_kind
  when entry.connection_id is null then 'person' else 'assistant' end`.as("actor_kind");

/** The audit entries of a workspace with the names behind their ids, unordered. */
export function entriesQuery(tx: Transaction, tenantId: string, { memberIds, connectionId, operation }: EntryFilter) {
  return tx
    .selectFrom("audit_entries as entry")
    .leftJoin("api_keys as key", sameTenant("key", "entry", "key_id", "actor_id"))
    .leftJoin("members as member", sameTenant("member", "entry", "member_id", "actor_id"))
    .leftJoin("people as person", "person.person_id", "member.person_id")
    .leftJoin("assistant_connections as connection", sameTenant("connection", "entry", "connection_id"))
    .leftJoin(
      "payment_integrations as integration",
      sameTenant("integration", "entry", "payment_integration_id", "actor_id"),
    )
    .select([
      "entry.entry_id",
      "entry.at",
      actorKind,
      "entry.actor_name",
      "integration.provider",
      "entry.operation",
      "entry.object_type",
      "entry.object_id",
      "entry.outcome",
      "entry.request_id",
      "entry.details",
      "key.name as key_name",
      "person.email",
      "connection.client_name",
    ])
    .where("entry.tenant_id", "=", tenantId)
    .$if(memberIds !== null, (query) => query.where("entry.actor_id", "in", memberIds ?? []))
    .$if(connectionId !== null, (query) => query.where("entry.connection_id", "=", connectionId))
    .$if(operation !== null, (query) => query.where("entry.operation", "=", operation ?? ""));
}

/** Everybody who is or ever was a member, once for each time they joined, by email. */
export function selectEveryMember(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("members as member")
    .innerJoin("people as person", "person.person_id", "member.person_id")
    .select(["member.member_id", "person.person_id", "person.email"])
    .where("member.tenant_id", "=", tenantId)
    .orderBy("person.email")
    .orderBy("member.created_at")
    .execute();
}

/** Every assistant connection there ever was, newest first. */
export function selectEveryConnection(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("assistant_connections as connection")
    .innerJoin("members as member", sameTenant("member", "connection", "member_id"))
    .innerJoin("people as person", "person.person_id", "member.person_id")
    .select(["connection.connection_id", "connection.client_name", "connection.created_at", "person.email"])
    .where("connection.tenant_id", "=", tenantId)
    .orderBy("connection.created_at", "desc")
    .orderBy("connection.connection_id")
    .execute();
}

/** The operations a trail speaks of; one look into the index for each, however long the trail is. */
export async function selectOperations(tx: Transaction, tenantId: string): Promise<string[]> {
  const { rows } = await sql<{ operation: string }>`
    with recursive found as (
      (select operation from audit_entries where tenant_id = ${tenantId}::uuid order by operation limit 1)
      union all
      select (
        select entry.operation from audit_entries as entry
        where entry.tenant_id = ${tenantId}::uuid and entry.operation > found.operation
        order by entry.operation limit 1)
      from found where found.operation is not null
    )
    select operation from found where operation is not null`.execute(tx);
  return rows.map((row) => row.operation);
}

/** What an audited object is about, now. */
export interface ObjectRow {
  /** Of the entry: the object's id, or that of the batch it was in. */
  object_id: string;
  invoice_number: string | null;
  customer_name: string | null;
  /** Major units; of an item for people minor ones stand in `amount_minor`. */
  amount: string | null;
  amount_minor: string | null;
  currency: string | null;
  receipt_number: string | null;
}

/** Ids by the kind of object. */
export interface ObjectIds {
  readonly payments: readonly string[];
  readonly links: readonly string[];
  /** Reservations that links were made by together. */
  readonly linkBatches: readonly string[];
  readonly invoices: readonly string[];
  readonly items: readonly string[];
}

/** Payments, links, invoices and items for people of a workspace by their ids, in one statement. */
export async function selectObjects(tx: Transaction, tenantId: string, ids: ObjectIds): Promise<ObjectRow[]> {
  const invoiceOf = (table: string) => sql`left join invoices as invoice
    on invoice.tenant_id = ${sql.ref(`${table}.tenant_id`)} and invoice.invoice_id = ${sql.ref(`${table}.invoice_id`)}`;
  const invoice = sql`invoice.invoice_number, invoice.customer_name`;
  const link = sql`${invoice}, link.amount, null::bigint as amount_minor, invoice.currency, null::text as receipt_number
    from payment_links as link ${invoiceOf("link")} where link.tenant_id = ${tenantId}`;
  const { rows } = await sql<ObjectRow>`
    select payment.payment_id as object_id, ${invoice}, payment.amount, null::bigint as amount_minor, payment.currency,
      payment.erp_receipt_number as receipt_number
    from payments as payment ${invoiceOf("payment")}
    where payment.tenant_id = ${tenantId} and payment.payment_id = ${anyOf(ids.payments, "uuid")}
    union all
    select link.payment_link_id, ${link} and link.payment_link_id = ${anyOf(ids.links, "uuid")}
    union all
    select link.reservation_id, ${link} and link.reservation_id = ${anyOf(ids.linkBatches, "uuid")}
    union all
    select invoice.invoice_id, ${invoice}, invoice.total_amount, null, invoice.currency, null
    from invoices as invoice
    where invoice.tenant_id = ${tenantId} and invoice.invoice_id = ${anyOf(ids.invoices, "uuid")}
    union all
    select item.attention_item_id, ${invoice}, null, item.amount_minor, item.currency, null
    from attention_items as item ${invoiceOf("item")}
    where item.tenant_id = ${tenantId} and item.attention_item_id = ${anyOf(ids.items, "uuid")}`.execute(tx);
  return rows;
}
