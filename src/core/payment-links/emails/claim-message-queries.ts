import { type RawBuilder, sql } from "kysely";
import { touchShown } from "../../../store/aging/rollup.ts";
import { holdName, lockNumber } from "../../../store/named-lock.ts";
import { anyOf } from "../../../store/recordset.ts";
import type { Transaction } from "../../../store/store.ts";
import type { InvoiceRow } from "../../../store/tables/invoices.ts";
import type { TenantRow } from "../../../store/tables/workspace.ts";
import {
  type Instants,
  type Lease,
  type Line,
  readyRows,
  UNCLAIMED,
  type WorkKind,
} from "../../../store/work-queue.ts";
import { billingEmailNow, changeEmails, EMAILS, type StoredEmail } from "./link-email-queries.ts";

/** Of one that was put off, its next attempt is as long after its chosen time as no pause is. */
const isAstray = (table: string) => sql`(${sql.ref(`${table}.lease_expires_at`)} is not null
  or ${sql.ref(`${table}.next_attempt_at`)} - ${sql.ref(`${table}.send_at`)} > interval '2 hours')`;

/** Emails of links that are made; those that were never put off wait for their time, however far off that is. */
export const LINK_EMAILS: WorkKind<"link_emails"> = {
  table: "link_emails",
  isWork: sql`(status = 'scheduled' and next_attempt_at is not null)`,
  isAstray: isAstray("link_emails"),
};

/** The email that has been due longest, and whom it goes to. */
export type DueEmail = Pick<StoredEmail, "tenant_id" | "payment_link_id" | "message_id" | "recipient"> &
  Pick<InvoiceRow, "customer_id" | "customer_name" | "customer_email"> &
  Pick<TenantRow, "timezone">;

/** Emails looked at together. Where other workers are claiming those of all their customers, the first is waited for. */
const EMAILS_AT_ONCE = 10;

/**
 * The next email of a line that is due and that nobody is sending, with all emails of its customer held until the transaction
 * ends; undefined when none is. Or two workers would each find half of a customer's links.
 */
export async function holdNextEmail(tx: Transaction, line: Line, instants: Instants) {
  const { rows } = await sql<DueEmail & { customer: string }>`
    with ready as materialized (${readyRows(LINK_EMAILS, line, instants, { limit: EMAILS_AT_ONCE })})
    select email.tenant_id, email.payment_link_id, email.message_id, email.recipient,
      invoice.customer_id, invoice.customer_name, invoice.customer_email, tenant.timezone,
      jsonb_build_array('emails to', link.tenant_id, coalesce(invoice.customer_id::text, email.recipient),
        invoice.customer_email)::text as customer
    from ready
    join link_emails as email on email.tenant_id = ${line.tenant_id}::uuid and email.payment_link_id = ready.payment_link_id
    join payment_links as link on link.tenant_id = email.tenant_id and link.payment_link_id = email.payment_link_id
    join tenants as tenant on tenant.tenant_id = link.tenant_id
    join invoices as invoice on invoice.tenant_id = link.tenant_id and invoice.invoice_id = link.invoice_id
    order by email.next_attempt_at, email.payment_link_id`.execute(tx);
  const customers = [...new Set(rows.map((row) => row.customer))];
  const held = customers.length === 0 ? undefined : await holdOneOf(tx, customers);
  return rows.find(({ customer }) => customer === held);
}

/** Takes the lock of the first name that nobody else has, until the transaction ends; where all are taken, waits for the first. */
async function holdOneOf(tx: Transaction, names: readonly string[]) {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as one (name)
    where pg_try_advisory_xact_lock(${lockNumber(sql.ref("name"))}) limit 1`.execute(tx);
  if (rows[0] !== undefined) return rows[0].name;
  const [first = ""] = names;
  await holdName(tx, first);
  return first;
}

/** An email that is to go into a message. */
export type GroupedEmail = Pick<StoredEmail, "payment_link_id" | "moved_by_person" | "attempts"> & {
  /** The time of day its workflow mails at; null where no workflow made its link. */
  workflow_send_at: string | null;
};

/** Whose emails go out together. */
type Debtor = Pick<DueEmail, "tenant_id" | "customer_id" | "customer_name" | "customer_email" | "recipient">;

/** A customer's emails to one address; of invoices whose customers the service does not know, those of one name. */
const isOfCustomer = ({ tenant_id, customer_id, customer_name, customer_email, recipient }: Debtor) => sql`
  email.tenant_id = ${tenant_id}
  and invoice.customer_email is not distinct from ${customer_email}::text
  and ${
    customer_id === null
      ? sql`invoice.customer_id is null and email.recipient = ${recipient}
          and invoice.customer_name is not distinct from ${customer_name}::text`
      : sql`invoice.customer_id = ${customer_id}`
  }`;

/** How many other links are planned to go out with one. */
export async function plannedBeside(tx: Transaction, own: Debtor & Pick<StoredEmail, "payment_link_id" | "send_at">) {
  const { rows } = await sql<{ others: string }>`select count(*) as others from ${EMAILS}
    where ${isOfCustomer(own)} and email.payment_link_id <> ${own.payment_link_id} and email.status = 'scheduled'
      and email.send_at = ${own.send_at} and link.state = 'active' and link.paid_at is null`.execute(tx);
  return Number(rows[0]?.others);
}

/** The emails of a message that was claimed before and not sent for all that is known, locked; nothing joins it. */
export function lockMessage(tx: Transaction, due: DueEmail, instants: Instants) {
  return lockEmails(tx, sql`email.tenant_id = ${due.tenant_id} and email.message_id = ${due.message_id}`, instants);
}

/** The most links in a message: a customer with more has the rest in the next one. */
export const MOST_LINKS = 500;

/** Emails of the customer that are due and in no message yet, locked: all that one message may hold. */
export function lockDueEmails(tx: Transaction, due: DueEmail, instants: Instants) {
  return lockEmails(tx, sql`${isOfCustomer(due)} and email.message_id is null`, instants);
}

async function lockEmails(tx: Transaction, which: RawBuilder<unknown>, { now, farthest }: Instants) {
  const { rows } = await sql<GroupedEmail>`
    select email.payment_link_id, email.moved_by_person, email.attempts, workflow.send_at as workflow_send_at
    from ${EMAILS}
    left join workflows as workflow
      on workflow.tenant_id = link.tenant_id and workflow.workflow_id = link.created_by_id
    where ${which} and email.status = 'scheduled' and email.next_attempt_at is not null
      and (coalesce(email.lease_expires_at, email.next_attempt_at) <= ${now}
        or coalesce(email.lease_expires_at, email.next_attempt_at) > ${farthest}
          and ${isAstray("email")})
    order by email.payment_link_id limit ${MOST_LINKS} for update of email`.execute(tx);
  return rows;
}

/** What of a customer stands between their due emails and a message. */
interface Standing {
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
) {
  const some = (condition: RawBuilder<unknown>) =>
    sql`exists (select from ${EMAILS} where ${isOfCustomer(due)} and ${condition})`;
  const { rows } = await sql<Standing>`
    select ${some(sql`email.status = 'scheduled' and link.state = 'reserved' and email.send_at <= ${now}
        and coalesce(link.lease_expires_at, link.next_attempt_at) > ${now} and link.created_at > ${reservedSince}`)} as is_being_made,
      ${some(sql`email.status = 'scheduled' and link.state = 'active' and email.message_id is not null`)} as is_under_way,
      ${some(sql`email.status = 'sent' and email.recipient = ${due.customer_email ?? due.recipient}
        and email.sent_at >= ${since} and email.sent_at < ${until}`)} as was_sent`.execute(tx);
  return rows[0];
}

/** Puts emails off until `at`; `moved` says that this is their time from now on. */
export async function postponeEmails(
  tx: Transaction,
  tenantId: string,
  linkIds: readonly string[],
  { at, moved }: { at: string; moved: boolean },
) {
  if (linkIds.length === 0) return;
  await changeEmails(tx, tenantId, linkIds)
    .set({ ...UNCLAIMED, next_attempt_at: at, ...(moved ? { send_at: at } : {}) })
    .execute();
}

/** A message that a worker has claimed: the emails that are in it and under the claim. */
export type ClaimedMessage = Pick<StoredEmail, "tenant_id" | "attempts"> & {
  claim_id: string;
  message_id: string;
  /** Decides which day's message it is. */
  claimed_at: string;
};

/** Puts emails into a message and under its claim. */
export async function leaseEmails(
  tx: Transaction,
  { tenant_id, claimed_at: _, ...claimed }: ClaimedMessage,
  { expiresAt, linkIds }: Pick<Lease, "expiresAt"> & { linkIds: readonly string[] },
) {
  await changeEmails(tx, tenant_id, linkIds)
    .set({ ...claimed, lease_expires_at: expiresAt })
    .execute();
}

/** Holds the customers and invoices of a claimed message: no billing email changes meanwhile, nobody is mailed again. */
export async function holdDebtorsOf(tx: Transaction, { tenant_id, claim_id }: ClaimedMessage) {
  const own = sql`from ${EMAILS} where email.tenant_id = ${tenant_id} and email.claim_id = ${claim_id}`;
  await sql`select from customers where tenant_id = ${tenant_id} and customer_id in (select invoice.customer_id ${own})
    order by customer_id for share`.execute(tx);
  await sql`select from invoices where tenant_id = ${tenant_id} and invoice_id in (select invoice.invoice_id ${own})
    order by invoice_id for share`.execute(tx);
}

/**
 * Writes how an attempt ended, of emails that are still this worker's: some, or all of the message. What was sent counts
 * as sent though it was cancelled with its link meanwhile; anything else holds for a scheduled one only. Answers whose they are.
 */
export async function updateEmails(
  tx: Transaction,
  { tenant_id, message_id, claim_id }: ClaimedMessage,
  change: Partial<StoredEmail>,
  linkIds?: readonly string[],
) {
  let query = tx
    .updateTable("link_emails")
    .set({ ...change, ...UNCLAIMED })
    .where((column) => column.and({ tenant_id, message_id, claim_id }));
  if (change.status === "cancelled") query = query.set({ recipient: billingEmailNow(tenant_id) });
  if (linkIds !== undefined) query = query.where("payment_link_id", "=", anyOf(linkIds, "uuid"));
  if (change.status !== "sent") query = query.where("status", "=", "scheduled");
  const rows = await query.returning("payment_link_id").execute();
  const ids = rows.map((row) => row.payment_link_id);
  touchShown(tx, "links", ids);
  return ids;
}
