import { type Insertable, type Selectable, sql } from "kysely";
import { readyEmails } from "../../src/core/payment-links/emails/link-email-queries.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { LinkEmailRow, PaymentLinkRow } from "../../src/store/tables/payment-links.ts";

/** Columns of a link's email, as they are called beside those of the link. */
interface EmailColumns {
  email_status: LinkEmailRow["status"] | null;
  email_to: string | null;
  email_send_at: string | null;
  email_sent_at: string | null;
  email_attempts: number | null;
  email_next_attempt_at: string | null;
  email_lease_expires_at: string | null;
  email_message_id: string | null;
}

/** A link with its email, if it has one. */
export type EmailedLink = Selectable<PaymentLinkRow> & EmailColumns;

/** The same to be inserted: it has an email where `email_status` is given. */
export type NewLink = Insertable<PaymentLinkRow> & Partial<EmailColumns>;

/** What is changed of a link and of its email. */
export type LinkChange = Partial<NewLink>;

/** A row as the columns of the link, and those of its email. */
function split<Row extends LinkChange>(row: Row) {
  const {
    email_status: status,
    email_to: recipient,
    email_send_at: send_at,
    email_sent_at: sent_at,
    email_attempts: attempts,
    email_next_attempt_at: next_attempt_at,
    email_lease_expires_at: lease_expires_at,
    email_message_id: message_id,
    ...link
  } = row;
  const email = { sent_at, next_attempt_at, lease_expires_at, message_id };
  return {
    link,
    email: {
      ...email,
      status: status ?? undefined,
      recipient: recipient ?? undefined,
      send_at: send_at ?? undefined,
      attempts: attempts ?? undefined,
    },
  };
}

/** Inserts links and their emails; that of a link that is being made waits for it. */
export async function insertLinks(tx: Transaction, rows: readonly NewLink[]): Promise<void> {
  for (const row of rows) {
    const { link, email } = split(row);
    await tx.insertInto("payment_links").values(link).execute();
    const { tenant_id, payment_link_id, state } = row;
    const { status, recipient = "billing@globex.example.test", send_at = "2026-12-24T08:00:00.000Z" } = email;
    if (status === undefined) continue;
    const next_attempt_at = state === "reserved" ? null : (email.next_attempt_at ?? send_at);
    await tx
      .insertInto("link_emails")
      .values({ ...email, tenant_id, payment_link_id, status, recipient, send_at, next_attempt_at })
      .execute();
  }
}

/** Gives a link an email in some state, in the place of the one it has. */
export async function putEmail(
  tx: Transaction,
  tenantId: string,
  linkId: string,
  status: LinkEmailRow["status"],
): Promise<void> {
  const at = "2026-12-01T09:00:00.000Z";
  const ids = { tenant_id: tenantId, payment_link_id: linkId };
  await tx
    .insertInto("link_emails")
    .values({ ...ids, status, recipient: "a@b.test", send_at: at, next_attempt_at: at })
    .onConflict((conflict) => conflict.columns(["tenant_id", "payment_link_id"]).doUpdateSet({ status }))
    .execute();
}

/** Changes a link and its email; the email of one that is made now waits for its time only. */
export async function changeLink(tx: Transaction, tenantId: string, linkId: string, change: LinkChange): Promise<void> {
  const { link, email } = split(change);
  const isGiven = (columns: object) => Object.values(columns).some((value) => value !== undefined);
  if (isGiven(link))
    await tx
      .updateTable("payment_links")
      .set(link)
      .where("tenant_id", "=", tenantId)
      .where("payment_link_id", "=", linkId)
      .execute();
  if (isGiven(email))
    await tx
      .updateTable("link_emails")
      .set(email)
      .where("tenant_id", "=", tenantId)
      .where("payment_link_id", "=", linkId)
      .execute();
  if (change.state === "active") await readyEmails(tx, tenantId, [linkId]);
}

/** A tenant's links with their emails, those that came to nothing too, oldest first. */
export async function emailedLinks(tx: Transaction, tenantId: string): Promise<EmailedLink[]> {
  const { rows } = await sql<EmailedLink>`
    select link.*, email.status as email_status, email.recipient as email_to, email.send_at as email_send_at,
      email.sent_at as email_sent_at, email.attempts as email_attempts,
      email.next_attempt_at as email_next_attempt_at, email.lease_expires_at as email_lease_expires_at,
      email.message_id as email_message_id
    from payment_links as link
    left join link_emails as email on email.tenant_id = link.tenant_id and email.payment_link_id = link.payment_link_id
    where link.tenant_id = ${tenantId} order by link.created_at, link.amount_minor, link.payment_link_id`.execute(tx);
  return rows;
}
