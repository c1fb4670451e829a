import { type Core, nowOf } from "../../gate/dependencies.ts";
import { workStep } from "../../gate/work-step.ts";
import type { MailOutcome } from "../../mail/member-mails.ts";
import type { Message } from "../../mail/message.ts";
import { paymentLinkEmail } from "../../mail/payment-link-email.ts";
import { money } from "../../shared/money.ts";
import { RETRY, retryAt } from "../../shared/retry.ts";
import type { ClaimedMessage } from "./claim-message-queries.ts";
import { type LinkToMail, linksToMail, updateEmails } from "./link-message-queries.ts";

/** A message that is ready to go. */
interface ReadyMessage {
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
    await endEmails(core, claimed.tenant_id, {
      claimed,
      changes: [
        { change: { status: "cancelled" }, linkIds: idsOf(ended) },
        { change: { status: "failed" }, linkIds: idsOf(bad) },
        { change: { message_id: null }, linkIds: idsOf(others) },
      ],
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

/** What is written to the emails of a message: to those of some links, or to all. */
interface EmailsEnd {
  readonly change: Parameters<typeof updateEmails>[2];
  readonly linkIds?: readonly string[];
}

/** Writes down how an attempt ended, of every link in the message; `to` is where a sent one went. */
export function endLinkMessage(core: Core, claimed: ClaimedMessage, outcome: MailOutcome, to: string): Promise<void> {
  const change =
    outcome.status === "retry"
      ? { next_attempt_at: outcome.at }
      : {
          status: outcome.status,
          ...(outcome.status === "sent" ? { recipient: to, sent_at: nowOf(core) } : {}),
        };
  return endEmails(core, claimed.tenant_id, { claimed, changes: [{ change }] });
}

/** Gives the lease back after an attempt that failed unexpectedly: the same message is tried again soon. */
export function releaseLinkMessage(core: Core, claimed: ClaimedMessage): Promise<void> {
  const change = { next_attempt_at: retryAt(core, RETRY.unexpected, claimed.attempts) };
  return endEmails(core, claimed.tenant_id, { claimed, changes: [{ change }] });
}

const endEmails = workStep({
  name: "endLinkEmails",
  async run({ tx }, { claimed, changes }: { claimed: ClaimedMessage; changes: readonly EmailsEnd[] }) {
    for (const { change, linkIds } of changes) await updateEmails(tx, claimed, change, linkIds);
  },
});

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
