import { type Core, nowOf } from "../core.ts";
import type { MailOutcome } from "../mail/attempts.ts";
import type { Message } from "../mail/message.ts";
import { paymentLinkEmail } from "../mail/payment-link-email.ts";
import { money } from "../money.ts";
import { type ClaimedEmail, claimEmails, linkToMail, settleEmail } from "./link-email-queries.ts";

/** An email that is ready to go. */
export interface ReadyEmail {
  readonly to: string;
  readonly workspaceName: string;
  /** Throws RangeError for what cannot be put into a mail. */
  compose(): Message;
}

/** Takes up to `limit` due emails of payment links for `leaseMs`; from then on, another worker may. */
export function claimLinkEmails(
  core: Core,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<ClaimedEmail[]> {
  const leaseUntil = new Date(core.clock.now().getTime() + leaseMs).toISOString();
  return core.store.system((tx) => claimEmails(tx, { now: nowOf(core), leaseUntil, limit }));
}

/**
 * The email as it stands now, to the invoice's billing email of now; null when it must not be sent any more: the link has
 * ended, its installment is not collectible, or owes less than the link asks for.
 */
export async function readyLinkEmail(core: Core, claimed: ClaimedEmail): Promise<ReadyEmail | null> {
  const link = await core.store.read(claimed.tenant_id, (tx) => linkToMail(tx, claimed));
  if (link === undefined || link.state !== "active" || link.paid_at !== null || !link.collectible) return null;
  const amount = money(link.amount);
  if (amount.greaterThan(money(link.collection_outstanding))) return null;
  const { url, customer_email: to, workspace_name: workspaceName } = link;
  if (url === null || to === null) return null;
  const email = {
    workspaceName,
    customerName: link.customer_name,
    invoiceNumber: link.invoice_number,
    amount,
    currency: link.currency,
    dueDate: link.due_date,
    url,
  };
  return { to, workspaceName, compose: () => paymentLinkEmail(email) };
}

/** Writes down how an attempt ended; `to` is where a sent one went. */
export function settleLinkEmail(
  core: Core,
  claimed: ClaimedEmail,
  outcome: MailOutcome,
  to: string | null,
): Promise<void> {
  const change =
    outcome.status === "retry"
      ? { email_next_attempt_at: outcome.at }
      : {
          email_status: outcome.status,
          ...(outcome.status === "sent" && to !== null ? { email_to: to, email_sent_at: nowOf(core) } : {}),
        };
  return core.store.write(claimed.tenant_id, (tx) => settleEmail(tx, claimed, change));
}
