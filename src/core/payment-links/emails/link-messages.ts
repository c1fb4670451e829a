import type { Transaction } from "../../../store/store.ts";
import { committed } from "../../gate/committed.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import type { MailOutcome } from "../../mail/member-mails.ts";
import type { Message } from "../../mail/message.ts";
import { paymentLinkEmail } from "../../mail/payment-link-email.ts";
import { money } from "../../shared/money.ts";
import { RETRY, retryAt } from "../../shared/retry.ts";
import type { ClaimedMessage } from "./claim-message-queries.ts";
import { type LinkToMail, linksToMail, settleEmails } from "./link-message-queries.ts";

/** A message that is ready to go. */
export interface ReadyMessage {
  readonly to: string;
  readonly workspaceName: string;
  /** Throws RangeError for what cannot be put into a mail. */
  compose(): Message;
}

/**
 * The message as it stands now, to the customer's billing email of now. Emails that must not be sent any more are
 * cancelled: the link has ended, its installment is not collectible, or owes less than the link asks for. Those that go
 * to another address by now leave the message. Null when nothing is left of it.
 */
export async function readyLinkMessage(core: Core, claimed: ClaimedMessage): Promise<ReadyMessage | null> {
  const links = await core.store.read(claimed.tenant_id, (tx) => linksToMail(tx, claimed));
  const ended = links.filter((link) => !isAskable(link));
  const [bad, good] = [[] as LinkToMail[], [] as LinkToMail[]];
  for (const link of links.filter(isAskable)) (isWebAddress(link.url) ? good : bad).push(link);
  const to = good[0]?.customer_email ?? null;
  const own = good.filter((link) => link.customer_email === to);
  const others = good.filter((link) => link.customer_email !== to);
  if (ended.length + bad.length + others.length > 0)
    await written(core, claimed, async (tx) => {
      await settleEmails(tx, claimed, { status: "cancelled" }, idsOf(ended));
      await settleEmails(tx, claimed, { status: "failed" }, idsOf(bad));
      await settleEmails(tx, claimed, { message_id: null }, idsOf(others));
    });
  const [first] = own;
  if (first === undefined || to === null) return null;
  const { workspace_name: workspaceName, customer_name: customerName } = first;
  const items = own.map((link) => ({
    invoiceId: link.invoice_id,
    invoiceNumber: link.invoice_number,
    amount: money(link.amount),
    currency: link.currency,
    dueDate: link.due_date,
    url: link.url ?? "",
  }));
  return { to, workspaceName, compose: () => paymentLinkEmail({ workspaceName, customerName, links: items }) };
}

/** Writes down how an attempt ended, of every link in the message; `to` is where a sent one went. */
export function settleLinkMessage(
  core: Core,
  claimed: ClaimedMessage,
  outcome: MailOutcome,
  to: string,
): Promise<void> {
  const change =
    outcome.status === "retry"
      ? { next_attempt_at: outcome.at }
      : {
          status: outcome.status,
          ...(outcome.status === "sent" ? { recipient: to, sent_at: nowOf(core) } : {}),
        };
  return written(core, claimed, (tx) => settleEmails(tx, claimed, change));
}

/** Gives the lease back after an attempt that failed unexpectedly: the same message is tried again soon. */
export function releaseLinkMessage(core: Core, claimed: ClaimedMessage): Promise<void> {
  const change = { next_attempt_at: retryAt(core, RETRY.unexpected, claimed.attempts) };
  return written(core, claimed, (tx) => settleEmails(tx, claimed, change));
}

function written(core: Core, claimed: ClaimedMessage, work: (tx: Transaction) => Promise<void>): Promise<void> {
  return committed(() => core.store.write(claimed.tenant_id, work));
}

/** Whether the link may still be asked for, of a customer who can be told. */
function isAskable(link: LinkToMail): boolean {
  if (link.status !== "scheduled" || link.state !== "active" || link.paid_at !== null) return false;
  if (!link.collectible || link.url === null || link.customer_email === null) return false;
  return money(link.amount).lessThanOrEqualTo(money(link.collection_outstanding));
}

function isWebAddress(address: string | null): boolean {
  const url = address === null ? null : URL.parse(address);
  return url !== null && ["https:", "http:"].includes(url.protocol);
}

const idsOf = (links: readonly LinkToMail[]): string[] => links.map((link) => link.payment_link_id);
