import type { Core } from "../core.ts";

/** How an attempt to send a mail ended; `retry` says when the next is due. */
export type MailOutcome =
  | { readonly status: "sent" }
  | { readonly status: "cancelled" }
  | { readonly status: "failed" }
  | { readonly status: "retry"; readonly at: string };

const MINUTE_MS = 60_000;
/** Minutes between attempts; the last one repeats. */
const PAUSES = [1, 5, 15, 30, 60] as const;
/** About a day of them. */
const MAX_ATTEMPTS = 27;

/** What a temporary failure of attempt number `attempts` leads to: another one later, for about a day. */
export function afterTemporaryFailure(core: Pick<Core, "clock">, attempts: number): MailOutcome {
  if (attempts >= MAX_ATTEMPTS) return { status: "failed" };
  const minutes = PAUSES[Math.min(attempts, PAUSES.length) - 1] ?? 60;
  return { status: "retry", at: new Date(core.clock.now().getTime() + minutes * MINUTE_MS).toISOString() };
}
