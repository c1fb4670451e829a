import { UNCLAIMED, updateClaimed } from "../../store/work-queue.ts";
import type { Core } from "../gate/dependencies.ts";
import { mayRetry, RETRY, retryAt } from "../gate/retry.ts";
import { workStep } from "../gate/work-step.ts";
import type { MailFailure } from "./failure.ts";
import { type ClaimedMail, changeNews } from "./outgoing-queries.ts";

/** Records the outcome of an attempt, where the claim still holds. */
export const recordMailOutcome = workStep({
  name: "recordMailOutcome",
  async run({ tx, now }, { mail, outcome }: { mail: ClaimedMail; outcome: MailOutcome }) {
    const { status } = outcome;
    const change =
      status === "retry" ? { next_attempt_at: outcome.at } : { status, ...(status === "sent" && { sent_at: now }) };
    const isOurs = await updateClaimed(tx, "outgoing_mails", mail, { ...change, ...UNCLAIMED });
    const { tenant_id, subject_id: member_id, news_from: told_until } = mail;
    // What no server took is told by the next mail with news.
    if (isOurs && told_until && status === "failed" && outcome.why.failure === "not_taken")
      await changeNews(tx, { tenant_id, member_id }, { told_until });
  },
});

/** The outcome of an attempt to send a mail; `retry` says when the next is due. */
export type MailOutcome =
  | { readonly status: "sent" | "cancelled" }
  | { readonly status: "failed"; readonly why: MailFailure }
  | { readonly status: "retry"; readonly at: string };

/** The outcome of temporary failure number `attempts`: retried later, for about a day. */
export function afterTemporaryFailure(
  core: Pick<Core, "clock">,
  attempts: number,
  server: Omit<MailFailure, "failure">,
): MailOutcome {
  if (!mayRetry(RETRY.mail, attempts)) return { status: "failed", why: { failure: "not_taken", ...server } };
  return { status: "retry", at: retryAt(core, RETRY.mail, attempts) };
}
