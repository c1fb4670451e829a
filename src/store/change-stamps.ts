import { type RawBuilder, sql } from "kysely";
import { prepared } from "./driver/statements.ts";
import { partsLessLinks } from "./live-links.ts";
import { preparedStatement } from "./prepared.ts";
import { anyOf } from "./recordset.ts";
import type { Transaction } from "./tables/index.ts";
import { here } from "./tenancy/here.ts";

/** What callers poll for changes of (completions §13). */
export type Polled = "invoice" | "payment" | "payment_link" | "task";

type SqlPart = RawBuilder<unknown>;

/** Rows whose shown values a transaction may have changed: all that hangs on these invoices, and on those of the others. */
export interface Changed {
  readonly invoices: Set<string>;
  readonly payments: Set<string>;
  readonly links: Set<string>;
}

/** What a list of links shows of who made one: the key's, the workflow's or the member's name, a member's email without one. */
export const creatorName = (tenantId: string) => sql<string | null>`case
  when payment_links.created_by_kind = 'api_key' then (select key.name from api_keys as key
    where key.tenant_id = ${tenantId} and key.key_id = payment_links.created_by_id)
  when payment_links.created_by_kind = 'workflow' then (select workflow.name from workflows as workflow
    where workflow.tenant_id = ${tenantId} and workflow.workflow_id = payment_links.created_by_id)
  else (select coalesce(member.name, member.email) from members as member
    where member.tenant_id = ${tenantId} and member.member_id = payment_links.created_by_id) end`;

/** Every table names the tenant, or workers refuse the statement. */
const withInvoices = (tenantId: string, table: string) =>
  sql`${sql.ref(table)} join invoices on invoices.tenant_id = ${tenantId} and invoices.invoice_id = ${sql.ref(`${table}.invoice_id`)}`;

/** What is shown of the installments of each of some invoices, and what links could still be made for: all at once, in any plan. */
const partsOfEach = (tenantId: string, invoices: SqlPart): SqlPart => sql`
  select invoice_id, sum(available) filter (where collectible) as available, string_agg(row(
    trim_scale(collection_outstanding), trim_scale(available), collectible, not_collectible_reason
  )::text, '' order by installment_id) as shown
  from (${partsLessLinks(tenantId, invoices)}) as part group by invoice_id`;

/** For each kind the rows, by the table's own name, and the values that callers see of one; those that never change are left out. */
const KINDS = (tenantId: string): Record<Polled, { id: string; from: SqlPart; shown: SqlPart }> => ({
  invoice: {
    id: "invoices.invoice_id",
    from: sql`invoices left join parts on parts.invoice_id = invoices.invoice_id where true`,
    shown: sql`invoices.collection_status, trim_scale(invoices.collection_outstanding),
      trim_scale(coalesce(parts.available, 0)), trim_scale(invoices.amount_collected), invoices.erp_push_state,
      invoices.has_held_payment, invoices.has_active_payment_link, invoices.collection_due_date, parts.shown`,
  },
  payment: {
    id: "payments.payment_id",
    from: sql`${withInvoices(tenantId, "payments")} where payment_link_id is not null`,
    shown: sql`erp_push_status, erp_push_error, push_attempted_at, erp_receipt_number, confirmed_at, refunded_minor,
      payments.disputed, invoice_number, invoices.customer_id, customer_number, customer_name`,
  },
  payment_link: {
    id: "payment_links.payment_link_id",
    from: sql`${withInvoices(tenantId, "payment_links")}
      left join link_emails on link_emails.tenant_id = ${tenantId} and link_emails.payment_link_id = payment_links.payment_link_id
      where state in ('active', 'paid', 'deactivated')`,
    shown: sql`state, url, paid_at, deactivated_at, invoice_number, customer_id, customer_name, ${creatorName(tenantId)},
      status, case when status = 'scheduled' then coalesce(customer_email, recipient) else recipient end, send_at,
      sent_at, failed_at, failure, server_codes, server_words`,
  },
  task: {
    id: "tasks.task_id",
    from: sql`${withInvoices(tenantId, "tasks")}
      left join members on members.tenant_id = ${tenantId} and members.member_id = tasks.assignee_id and removed_at is null
      where true`,
    shown: sql`state, configured_at, dismissed_at, invoice_number, customer_id, customer_name, invoices.currency,
      trim_scale(collection_outstanding), members.member_id, coalesce(members.name, members.email)`,
  },
});

const freshOf = (tenantId: string, invoices: SqlPart) =>
  sql.join(
    Object.entries(KINDS(tenantId)).map(
      ([kind, { id, from, shown }]) => sql`
        select ${sql.lit(kind)} as kind, ${sql.ref(id)} as object_id, md5(row(${shown})::text)::uuid as shown
        from ${from} and ${sql.ref(`${id.split(".")[0]}.tenant_id`)} = ${tenantId} and invoices.invoice_id = ${invoices}`,
    ),
    sql` union all `,
  );

/**
 * Stamps what changed of all that hangs on some invoices with an instant; what shows the same keeps its own. A workspace in its first
 * sync is one of few rows to the planner: no part may be looked up by the tenant for each row of another.
 */
async function stamp(tx: Transaction, tenantId: string, invoiceIds: readonly string[], at: string): Promise<void> {
  const invoices = anyOf(invoiceIds, "uuid");
  const statement = sql`
    with parts as materialized (${partsOfEach(tenantId, invoices)}),
    fresh as materialized (${freshOf(tenantId, invoices)}),
    stamped as (
      insert into change_stamps (tenant_id, kind, object_id, shown, changed_at)
      select here.tenant_id, fresh.kind, fresh.object_id, fresh.shown, ${at}::timestamptz
      from fresh left join lateral (
        select change.shown from change_stamps as change
        where change.tenant_id = ${tenantId} and change.kind = fresh.kind and change.object_id = fresh.object_id offset 0
      ) as before on true cross join ${here(tenantId)}
      where before.shown is distinct from fresh.shown
      on conflict (tenant_id, kind, object_id) do update set shown = excluded.shown, changed_at = excluded.changed_at
    ) select from tenants where tenant_id = ${tenantId}`.compile(tx);
  // For a few invoices it takes longer to plan than to run.
  await tx.executeQuery(invoiceIds.length <= FEW ? prepared(statement) : statement);
}

/** Invoices of one statement; and how many are few. */
const [BATCH, FEW] = [500, 20];

async function stampEach(tx: Transaction, tenantId: string, invoiceIds: readonly string[], at: string): Promise<void> {
  for (let start = 0; start < invoiceIds.length; start += BATCH)
    await stamp(tx, tenantId, invoiceIds.slice(start, start + BATCH), at);
}

const idsOf = async (tx: Transaction, asked: SqlPart) =>
  (await sql<{ invoice_id: string }>`${asked}`.execute(tx)).rows.map((row) => row.invoice_id);

/** Stamps what a transaction changed, at its end and under the roll-up's lock. */
export async function stampChanged(tx: Transaction, tenantId: string, changed: Changed, at: string): Promise<void> {
  const { invoices, payments, links } = changed;
  const others =
    payments.size + links.size === 0
      ? []
      : await idsOf(
          tx,
          sql`
    select invoice_id from payments where tenant_id = ${tenantId} and payment_id = ${anyOf([...payments], "uuid")}
    union select invoice_id from payment_links where tenant_id = ${tenantId} and payment_link_id = ${anyOf([...links], "uuid")}`,
        );
  await stampEach(tx, tenantId, [...new Set([...invoices, ...others])], at);
}

/** Links and tasks that name a member, once the name or membership changed. */
export async function stampNamed(tx: Transaction, tenantId: string, id: string, at: string): Promise<void> {
  const named = await idsOf(
    tx,
    sql`
    select invoice_id from tasks where tenant_id = ${tenantId} and assignee_id = ${id}
    union select invoice_id from payment_links where tenant_id = ${tenantId} and created_by_id = ${id}`,
  );
  await stampEach(tx, tenantId, named, at);
}

/** A millisecond after a workspace's last stamp, by arithmetic that workers take as immutable. */
export const NEXT_STAMP = sql`(aging_state.stamped_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC'`;

/** Of a tenant: the instant before which every change is in what is read with or after it, as what comes later is stamped then or later. */
export const readUpToOf = (tenantId: SqlPart) => sql<string>`coalesce((
  select ${NEXT_STAMP} from aging_state where tenant_id = ${tenantId}), tenants.created_at)`;

const UP_TO = preparedStatement<{ tenantId: string }, { as_of: string }>((db, value) =>
  db
    .selectFrom("tenants")
    .select(readUpToOf(value("tenantId")).as("as_of"))
    .where("tenant_id", "=", value("tenantId"))
    .compile(),
);

/** That instant by itself. */
export async function readUpTo(tx: Transaction, tenantId: string): Promise<string> {
  const [found] = await UP_TO(tx, { tenantId });
  if (found === undefined) throw new Error("the workspace is gone");
  return found.as_of;
}

/** When what is shown of a row last changed, by its id's column: of one that was never stamped when it was created. */
export const changedAt = (tenantId: string, kind: Polled, id: string, createdAt: string) => sql<string>`coalesce((
  select change.changed_at from change_stamps as change
  where change.tenant_id = ${tenantId} and change.kind = ${sql.lit(kind)} and change.object_id = ${sql.ref(id)}
), ${sql.ref(createdAt)})`;

/** Whether it changed at an instant or later. */
export const changedSince = (
  tenantId: string,
  kind: Polled,
  id: string,
  since: string,
) => sql<boolean>`${sql.ref(id)} in (
  select change.object_id from change_stamps as change
  where change.tenant_id = ${tenantId} and change.kind = ${sql.lit(kind)} and change.changed_at >= ${since}::timestamptz)`;

/** A row for each object of a kind that changed at an instant or later. */
export const stampedSince = (tx: Transaction, tenantId: string, kind: Polled, since: string) =>
  tx
    .selectFrom("change_stamps")
    .select(sql`1`.as("one"))
    .where("tenant_id", "=", tenantId)
    .where("kind", "=", kind)
    .where("changed_at", ">=", since);
