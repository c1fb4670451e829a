import type { Core } from "../gate/dependencies.ts";
import { mayRetry, RETRY, retryAt } from "../shared/retry.ts";

/** How an attempt to send a mail ended; `retry` says when the next is due. */
export type MailOutcome =
  | { readonly status: "sent" }
  | { readonly status: "cancelled" }
  | { readonly status: "failed" }
  | { readonly status: "retry"; readonly at: string };

/** What a temporary failure of attempt number `attempts` leads to: another one later, for about a day. */
export function afterTemporaryFailure(core: Pick<Core, "clock">, attempts: number): MailOutcome {
  if (!mayRetry(RETRY.mail, attempts)) return { status: "failed" };
  return { status: "retry", at: retryAt(core, RETRY.mail, attempts) };
}
