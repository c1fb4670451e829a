import { sql } from "kysely";
import { anyOf } from "../../../store/recordset.ts";
import type { Transaction } from "../../../store/store.ts";
import { UNCLAIMED } from "../../../store/work-queue.ts";
import { changeEmails, EMAILS_OF_DEBTS, isAskable } from "./link-email-queries.ts";

/** An email that is to go out again, and what tells when. */
interface UnsentEmail {
  payment_link_id: string;
  timezone: string;
  /** The time of day that its workflow mails at; null without one. */
  send_at: string | null;
}

/** Those of some links, asked for by a person or not, or of a customer who is mailed again. */
export type OfUnsent = { linkIds: readonly string[]; byPerson: boolean } | { customerId: string };

/**
 * The unsent emails of links that may be asked for, locked. A person asks for failed ones; else they are those that failed at
 * another address than now's, and that were cancelled until they can be mailed; none of an ERP that is disconnected. While
 * their workflow is off they are only the latter, where they came due at `since` or later.
 */
export async function lockUnsentEmails(tx: Transaction, tenantId: string, which: OfUnsent, since: string) {
  const isMeant =
    "linkIds" in which
      ? sql`link.payment_link_id = ${anyOf(which.linkIds, "uuid")}`
      : sql`invoice.customer_id = ${which.customerId}`;
  const isDue = sql`connection.status is distinct from 'disconnected'
    and (email.status = 'failed' and invoice.customer_email <> email.recipient and workflow.enabled
      or email.cancelled_until = 'mailable' and (workflow.enabled or email.send_at >= ${since}))`;
  const { rows } = await sql<UnsentEmail>`
    select link.payment_link_id, tenant.timezone, workflow.send_at
    from ${EMAILS_OF_DEBTS}
    left join workflows as workflow on workflow.tenant_id = link.tenant_id and workflow.workflow_id = link.created_by_id
    left join erp_connections as connection
      on connection.tenant_id = invoice.tenant_id and connection.connection_id = invoice.connection_id
    where link.tenant_id = ${tenantId} and ${isMeant}
      and link.state = 'active' and link.paid_at is null and ${isAskable(tenantId)}
      and ${"byPerson" in which && which.byPerson ? sql`email.status = 'failed'` : isDue}
    order by link.payment_link_id for update of email`.execute(tx);
  return rows;
}

/** Why the failed email of a link is not sent again, where it is not ({@link lockUnsentEmails}), after "because". */
export async function whyNotSent(tx: Transaction, tenantId: string, linkId: string) {
  const { rows } = await sql<{ why: string }>`
    select case when link.state not in ('active', 'reserved') or link.paid_at is not null then 'it has ended'
      when invoice.customer_email is null then 'its customer has no billing email'
      when installment.collectible and link.amount <= installment.collection_outstanding
        and link.currency = invoice.currency and link.state = 'active' then 'its customer is mailed nothing'
      else 'its debt cannot be collected now' end as why
    from ${EMAILS_OF_DEBTS} where link.tenant_id = ${tenantId} and link.payment_link_id = ${linkId}`.execute(tx);
  return rows[0]?.why;
}

/** Schedules emails as if they had never been tried. */
export async function scheduleAnew(tx: Transaction, tenantId: string, emails: readonly UnsentEmail[], sendAt: string) {
  const linkIds = emails.map((email) => email.payment_link_id);
  await changeEmails(tx, tenantId, linkIds)
    .set({ ...UNCLAIMED, failure: null, server_codes: null, server_words: null, failed_at: null })
    .set({ status: "scheduled", send_at: sendAt, next_attempt_at: sendAt })
    .set({ message_id: null, moved_by_person: false, attempts: 0, cancelled_until: null })
    .execute();
}
