import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { AuditEntryRow } from "../../store/tables/audit.ts";
import { hasText } from "../gate/search-queries.ts";
import { givenConditions, ifGiven } from "../kernel/filter-conditions.ts";
import { sameTenant } from "../kernel/same-tenant.ts";

/** Which entries are wanted. */
interface EntryFilter {
  /** Every membership a person ever had in the workspace. */
  memberIds?: readonly string[] | undefined;
  connectionId?: string | undefined;
  operation?: string | undefined;
  /** Entries about an invoice, its links, payments and tasks. */
  invoiceId?: string | undefined;
  objectId?: string | undefined;
  /** Entries that say it, and those about a customer or invoice with it in a name or number. */
  search?: string | undefined;
  /** What kind of caller it was. */
  kind?: AuditEntryRow["actor_kind"] | undefined;
  /** Instants, ISO 8601 UTC: the first that counts, and the first that does not any more. */
  since?: string | undefined;
  before?: string | undefined;
}

/** The audit entries of a workspace with the names behind their ids, unordered. */
export function entriesQuery(tx: Transaction, tenantId: string, filter: EntryFilter) {
  return tx
    .selectFrom("audit_entries as entry")
    .leftJoin("api_keys as key", sameTenant("key", "entry", "key_id", "actor_id"))
    .leftJoin("members as member", sameTenant("member", "entry", "member_id", "actor_id"))
    .leftJoin("assistant_connections as connection", sameTenant("connection", "entry", "connection_id"))
    .leftJoin(
      "payment_integrations as integration",
      sameTenant("integration", "entry", "payment_integration_id", "actor_id"),
    )
    .select([
      "entry.entry_id",
      "entry.at",
      "entry.actor_kind",
      "entry.actor_name",
      "integration.provider",
      "entry.operation",
      "entry.object_type",
      "entry.object_id",
      "entry.outcome",
      "entry.request_id",
      "entry.details",
      "key.name as key_name",
      "member.email",
      "connection.client_name",
    ])
    .where("entry.tenant_id", "=", tenantId)
    .where((eb) =>
      eb.and([
        ...givenConditions(eb, filter, {
          memberIds: ["entry.actor_id", "in"],
          connectionId: "entry.connection_id",
          operation: "entry.operation",
          kind: "entry.actor_kind",
          since: ["entry.at", ">="],
          before: ["entry.at", "<"],
        }),
        ...ifGiven(filter.objectId, (id) =>
          isAbout(sql`any(array(select ${id}::text union all select reservation_id::text from payment_links
            where tenant_id = ${tenantId} and payment_link_id = ${id}::uuid
            union all select attention_item_id::text from attention_items
            where tenant_id = ${tenantId} and ${id}::uuid in (payment_id, payment_link_id)))`),
        ),
        ...ifGiven(filter.invoiceId, (id) =>
          isAbout(sql`any(array(${partsOf(tenantId, sql`select ${id}::text`, sql`= ${id}`)}))`),
        ),
        ...ifGiven(filter.search, (text) => says(tenantId, text)),
      ]),
    );
}

/** Entries about one of some objects, by their UUIDs; the length is that of the index by objects. */
export const isAbout = (objectIds: readonly string[] | RawBuilder<unknown>) =>
  sql<boolean>`length(entry.object_id) = 36
    and entry.object_id = ${"toOperationNode" in objectIds ? objectIds : sql`any(${`{${objectIds.join(",")}}`}::text[])`}`;

function says(tenantId: string, text: string) {
  const [invoices, customers] = ["invoices", "customers"].map(
    (table) => sql`from ${sql.table(table)} where tenant_id = ${tenantId} and ${hasText(`${table}.search_text`, text)}`,
  );
  const own = sql`select invoice_id::text as id from found union all select customer_id::text ${customers}`;
  const said = sql`concat_ws(' ', entry.details::text, entry.actor_name, entry.object_id, entry.request_id,
    member.email, key.name, connection.client_name)`;
  // Keys of an object, made once: an entry is looked up in it, whether or not the planner thinks a hash of them too large.
  return sql<boolean>`(strpos(lower(${said}), ${text.toLowerCase()}) > 0
    or (with found as (select invoice_id ${invoices}) select jsonb_object_agg(id, null)
      from (${partsOf(tenantId, own, sql`in (select invoice_id from found)`)}) as part
    ) ?| string_to_array(entry.object_id, ' '))`;
}

/** Some ids, and those of the links, payments, tasks and items for people of invoices. */
function partsOf(tenantId: string, own: RawBuilder<unknown>, isOfInvoice: RawBuilder<unknown>) {
  const parts = [
    ["payment_link_id", "payment_links"],
    ["reservation_id", "payment_links"],
    ["payment_id", "payments"],
    ["task_id", "tasks"],
    ["attention_item_id", "attention_items"],
  ] as const;
  const ids = parts.map(
    ([id, table]) => sql`union all select ${sql.ref(id)}::text from ${sql.table(table)}
      where tenant_id = ${tenantId} and invoice_id ${isOfInvoice}`,
  );
  return sql`${own} ${sql.join(ids, sql` `)}`;
}

/** Everybody who is or ever was a member, once for each time they joined, by email. */
export function selectEveryMember(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("members as member")
    .select(["member.member_id", "member.person_id", "member.email"])
    .where("member.tenant_id", "=", tenantId)
    .orderBy("member.email")
    .orderBy("member.created_at")
    .execute();
}

/** Connections to choose from. */
const MOST_CONNECTIONS = 200;

/** The newest assistant connections, live or not; one that is asked for is among them. */
export function selectSomeConnections(tx: Transaction, tenantId: string, askedId: string | null) {
  return tx
    .selectFrom("assistant_connections as connection")
    .innerJoin("members as member", sameTenant("member", "connection", "member_id"))
    .select(["connection.connection_id", "connection.client_name", "connection.created_at", "member.email"])
    .where("connection.tenant_id", "=", tenantId)
    .orderBy((column) => column("connection.connection_id", "=", askedId), "desc")
    .orderBy("connection.created_at", "desc")
    .orderBy("connection.connection_id")
    .limit(MOST_CONNECTIONS)
    .execute();
}

/** The operations a trail speaks of; one look into the index for each, however long the trail is. */
export async function selectOperations(tx: Transaction, tenantId: string) {
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
