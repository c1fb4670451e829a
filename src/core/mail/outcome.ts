import { endClaim } from "../gate/claims.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { mayRetry, RETRY, retryAt } from "../gate/retry.ts";
import type { MailFailure } from "./failure.ts";
import type { ClaimedMail } from "./outgoing-queries.ts";

/** Records the outcome of an attempt. */
export async function recordMailOutcome(core: Core, mail: ClaimedMail, outcome: MailOutcome) {
  const change =
    outcome.status === "retry"
      ? { next_attempt_at: outcome.at }
      : { status: outcome.status, ...(outcome.status === "sent" ? { sent_at: nowOf(core) } : {}) };
  await endClaim(core, "outgoing_mails", mail, change);
}

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
