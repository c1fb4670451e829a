import { type RawBuilder, type Selectable, sql } from "kysely";
import { anyOf } from "../../../store/recordset.ts";
import type { Transaction } from "../../../store/store.ts";
import type { InstallmentRow, InvoiceRow } from "../../../store/tables/invoices.ts";
import type { PaymentLinkRow } from "../../../store/tables/payment-links.ts";
import type { TenantRow } from "../../../store/tables/workspace.ts";

/** The email that has been due longest, and whom it goes to. */
export type DueEmail = Pick<Selectable<PaymentLinkRow>, "tenant_id" | "payment_link_id" | "email_batch_id"> &
  Pick<PaymentLinkRow, "email_to"> &
  Pick<InvoiceRow, "customer_id" | "customer_email"> &
  Pick<TenantRow, "timezone">;

/** The instant, and how far off a pause or a lease may be: one beyond `farthest` was set by a clock that was wrong. */
export interface Instants {
  readonly now: string;
  readonly farthest: string;
}

/** Emails looked at together. Where other workers are claiming those of all their customers, the first is waited for. */
const EMAILS_AT_ONCE = 10;

/**
 * The next email of any tenant that is due and that nobody is sending, with all emails of its customer held until the transaction
 * ends; undefined when none is. Or two workers would each find half of a customer's links.
 */
export async function holdNextEmail(tx: Transaction, instants: Instants): Promise<DueEmail | undefined> {
  const { now, farthest } = instants;
  const range = (where: RawBuilder<unknown>, time = sql`link.email_next_attempt_at, link.payment_link_id`) => sql`
    select * from (
      select link.tenant_id, link.payment_link_id from payment_links as link
      where link.email_status = 'scheduled' and link.state = 'active' and ${where}
      order by ${time} limit ${EMAILS_AT_ONCE}) as range`;
  // Each range is one of an index: what was scheduled for later, or is being sent, is not looked at.
  const { rows } = await sql<DueEmail & { customer: string; held: boolean }>`
    with range as (
      ${range(sql`link.email_lease_expires_at is null and link.email_next_attempt_at <= ${now}`)}
      union all
      ${range(sql`link.email_lease_expires_at is null and ${isAstray(instants)}`)}
      union all
      ${range(sql`link.email_lease_expires_at <= ${now}`, sql`link.email_lease_expires_at`)}
      union all
      ${range(sql`link.email_lease_expires_at > ${farthest}`, sql`link.email_lease_expires_at`)}
    ), due as materialized (
      select link.tenant_id, link.payment_link_id, link.email_batch_id, link.email_to,
        invoice.customer_id, invoice.customer_email, tenant.timezone,
        jsonb_build_array('emails to', link.tenant_id, coalesce(invoice.customer_id::text, link.email_to),
          invoice.customer_email)::text as customer
      from range
      join payment_links as link on link.tenant_id = range.tenant_id and link.payment_link_id = range.payment_link_id
      join tenants as tenant on tenant.tenant_id = link.tenant_id
      join invoices as invoice on invoice.tenant_id = link.tenant_id and invoice.invoice_id = link.invoice_id
      where ${isDue(instants)}
      order by link.email_next_attempt_at, link.payment_link_id limit ${EMAILS_AT_ONCE}
    )
    select * from (
      select due.*, true as held from due
      where pg_try_advisory_xact_lock(hashtextextended(due.customer, 0)) limit 1) as free
    union all
    select due.*, false from due limit 1`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { held, customer, ...due } = row;
  if (!held) await sql`select pg_advisory_xact_lock(hashtextextended(${customer}, 0))`.execute(tx);
  return due;
}

/** A link whose email is to go into a message. */
export type GroupedEmail = Pick<PaymentLinkRow, "payment_link_id"> & {
  email_moved_by_person: boolean;
  attempts: number;
  /** The time of day its workflow mails at; null where no workflow made it. */
  workflow_send_at: string | null;
};

/** Whose emails go out together: a customer's to one address; without a customer, those scheduled to one address. */
const isOfCustomer = ({ tenant_id, customer_id, customer_email, email_to }: DueEmail) => sql`
  link.tenant_id = ${tenant_id} and invoice.tenant_id = ${tenant_id} and invoice.invoice_id = link.invoice_id
  and invoice.customer_email is not distinct from ${customer_email}::text
  and ${customer_id === null ? sql`invoice.customer_id is null and link.email_to = ${email_to}` : sql`invoice.customer_id = ${customer_id}`}`;

/** Put off by a clock that was wrong: as long after its chosen time as no pause is. */
const isAstray = ({ now, farthest }: Instants) => sql`(link.email_send_at <= ${now}
  and link.email_next_attempt_at - link.email_send_at > interval '2 hours' and link.email_next_attempt_at > ${farthest})`;

/** Of an email whose chosen time has not come, its next attempt is that time. */
const isDue = (instants: Instants) => sql`
  link.email_status = 'scheduled' and link.state = 'active'
  and (link.email_next_attempt_at <= ${instants.now} or ${isAstray(instants)})
  and (link.email_lease_expires_at is null or link.email_lease_expires_at <= ${instants.now}
    or link.email_lease_expires_at > ${instants.farthest})`;

/** The emails of a message that was claimed before and not sent for all that is known, locked; nothing joins it. */
export async function lockBatch(tx: Transaction, due: DueEmail, instants: Instants): Promise<GroupedEmail[]> {
  return lockEmails(
    tx,
    sql`link.tenant_id = ${due.tenant_id} and link.email_batch_id = ${due.email_batch_id}
    and invoice.tenant_id = link.tenant_id and invoice.invoice_id = link.invoice_id and ${isDue(instants)}`,
  );
}

/** All emails of the customer that are due and in no message yet, locked. */
export async function lockDueEmails(tx: Transaction, due: DueEmail, instants: Instants): Promise<GroupedEmail[]> {
  return lockEmails(tx, sql`${isOfCustomer(due)} and link.email_batch_id is null and ${isDue(instants)}`);
}

async function lockEmails(tx: Transaction, which: ReturnType<typeof sql>): Promise<GroupedEmail[]> {
  const { rows } = await sql<GroupedEmail>`
    select link.payment_link_id, link.email_moved_by_person, link.email_attempts as attempts,
      workflow.send_at as workflow_send_at
    from payment_links as link
    cross join invoices as invoice
    left join workflows as workflow
      on workflow.tenant_id = link.tenant_id and workflow.workflow_id = link.created_by_id
    where ${which}
    order by link.payment_link_id for update of link`.execute(tx);
  return rows;
}

/** What of a customer stands between their due emails and a message. */
export interface Standing {
  /** A link that belongs into it is being made at its provider. */
  is_being_made: boolean;
  /** Another message is being sent, or tried again. */
  is_under_way: boolean;
  was_sent: boolean;
}

/** `since` and `until` are the day's; reservations from before `reservedSince` are not waited for. */
export async function standingOf(
  tx: Transaction,
  due: DueEmail,
  { now, since, until, reservedSince }: { now: string; since: string; until: string; reservedSince: string },
): Promise<Standing> {
  const some = (condition: ReturnType<typeof sql>) => sql`exists (
    select from payment_links as link cross join invoices as invoice where ${isOfCustomer(due)} and ${condition})`;
  const { rows } = await sql<Standing>`
    select ${some(sql`link.email_status = 'scheduled' and link.state = 'reserved' and link.email_send_at <= ${now}
        and coalesce(link.lease_expires_at, link.next_attempt_at) > ${now} and link.created_at > ${reservedSince}`)} as is_being_made,
      ${some(sql`link.email_status = 'scheduled' and link.state = 'active' and link.email_batch_id is not null`)} as is_under_way,
      ${some(sql`link.email_status = 'sent' and link.email_to = ${due.customer_email ?? due.email_to}
        and link.email_sent_at >= ${since} and link.email_sent_at < ${until}`)} as was_sent`.execute(tx);
  return rows[0] ?? { is_being_made: false, is_under_way: false, was_sent: false };
}

/** Puts emails off until `at`; `moved` says that this is their time from now on. */
export async function postponeEmails(
  tx: Transaction,
  tenantId: string,
  linkIds: readonly string[],
  { at, moved }: { at: string; moved: boolean },
): Promise<void> {
  if (linkIds.length === 0) return;
  await tx
    .updateTable("payment_links")
    .set({ email_next_attempt_at: at, ...(moved ? { email_send_at: at } : {}) })
    .where("tenant_id", "=", tenantId)
    .where("payment_link_id", "=", anyOf(linkIds, "uuid"))
    .execute();
}

/** A message that a worker has claimed, until the lease ends: the emails that hold both the batch and the lease. */
export interface ClaimedMessage {
  readonly tenant_id: string;
  /** The message's own id: the same at every attempt. */
  readonly email_batch_id: string;
  /** Counts this one. */
  readonly attempts: number;
  readonly lease_expires_at: string;
}

/** Puts emails under a message and its lease. */
export async function leaseEmails(
  tx: Transaction,
  { tenant_id, email_batch_id, attempts, lease_expires_at }: ClaimedMessage,
  linkIds: readonly string[],
): Promise<void> {
  await tx
    .updateTable("payment_links")
    .set({ email_batch_id, email_lease_expires_at: lease_expires_at, email_attempts: attempts })
    .where("tenant_id", "=", tenant_id)
    .where("payment_link_id", "=", anyOf(linkIds, "uuid"))
    .execute();
}

/** Cancels the emails of links that have ended, of all tenants; answers how many. One being sent is not cancelled. */
export async function cancelEndedEmails(tx: Transaction, { now, farthest }: Instants): Promise<number> {
  const { numAffectedRows } = await sql`
    update payment_links as link set email_status = 'cancelled'
    from (
      select tenant_id, payment_link_id from payment_links
      where email_status = 'scheduled' and state in ('paid', 'deactivated', 'withdrawn')
        and (email_lease_expires_at is null or email_lease_expires_at <= ${now} or email_lease_expires_at > ${farthest})
      order by payment_link_id limit 500 for update skip locked
    ) as ended
    where link.tenant_id = ended.tenant_id and link.payment_link_id = ended.payment_link_id`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** What an email tells of its link, and what must hold for it to be sent. */
export type LinkToMail = Pick<PaymentLinkRow, "payment_link_id" | "state" | "paid_at" | "amount" | "currency" | "url"> &
  Pick<PaymentLinkRow, "email_status"> &
  Pick<InvoiceRow, "invoice_id" | "invoice_number" | "customer_name" | "customer_email"> &
  Pick<InstallmentRow, "due_date" | "collectible" | "collection_outstanding"> & { workspace_name: TenantRow["name"] };

/** The links of a claimed message, those due first before the others. */
export function linksToMail(tx: Transaction, claimed: ClaimedMessage): Promise<LinkToMail[]> {
  return tx
    .selectFrom("payment_links as link")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "link.tenant_id")
    .innerJoin("invoices as invoice", (join) =>
      join.onRef("invoice.tenant_id", "=", "link.tenant_id").onRef("invoice.invoice_id", "=", "link.invoice_id"),
    )
    .innerJoin("installments as installment", (join) =>
      join
        .onRef("installment.tenant_id", "=", "link.tenant_id")
        .onRef("installment.installment_id", "=", "link.installment_id"),
    )
    .select([
      "link.payment_link_id",
      "link.state",
      "link.paid_at",
      "link.amount",
      "link.currency",
      "link.url",
      "link.email_status",
      "invoice.invoice_id",
      "invoice.invoice_number",
      "invoice.customer_name",
      "invoice.customer_email",
      "installment.due_date",
      "installment.collectible",
      "installment.collection_outstanding",
      "tenant.name as workspace_name",
    ])
    .where("link.tenant_id", "=", claimed.tenant_id)
    .where("link.email_batch_id", "=", claimed.email_batch_id)
    .where("link.email_lease_expires_at", "=", claimed.lease_expires_at)
    .orderBy("installment.due_date")
    .orderBy("invoice.invoice_number")
    .orderBy("link.payment_link_id")
    .execute();
}

type EmailColumns = Pick<
  Selectable<PaymentLinkRow>,
  "email_status" | "email_to" | "email_sent_at" | "email_next_attempt_at" | "email_batch_id"
>;

/**
 * Writes how an attempt ended, of emails that are still this worker's: some, or all of the message. What was sent counts
 * as sent though it was cancelled with its link meanwhile; anything else holds for a scheduled one alone.
 */
export async function settleEmails(
  tx: Transaction,
  claimed: ClaimedMessage,
  change: Partial<EmailColumns>,
  linkIds?: readonly string[],
): Promise<void> {
  let query = tx
    .updateTable("payment_links")
    .set({ ...change, email_lease_expires_at: null })
    .where("tenant_id", "=", claimed.tenant_id)
    .where("email_batch_id", "=", claimed.email_batch_id)
    .where("email_lease_expires_at", "=", claimed.lease_expires_at);
  if (linkIds !== undefined) query = query.where("payment_link_id", "=", anyOf(linkIds, "uuid"));
  if (change.email_status !== "sent") query = query.where("email_status", "=", "scheduled");
  await query.execute();
}
