import type { Transaction } from "../../../store/store.ts";
import { ServiceError } from "../../kernel/error.ts";
import { issuedSince, lockIssuing } from "../link-queries.ts";

/** Links that an assistant connection may issue in any hour, by all routes and in batches of any size. */
export const MAX_LINKS_AN_HOUR = 60;

const HOUR_MS = 3_600_000;

/**
 * Refuses links beyond {@link MAX_LINKS_AN_HOUR} with `rate_limit_exceeded`. What came to nothing does not count. Exact across
 * processes: requests of one connection take turns until the transaction ends.
 */
export async function assertWithinHour(
  tx: Transaction,
  { tenantId, connectionId, links, now }: { tenantId: string; connectionId: string; links: number; now: string },
): Promise<void> {
  await lockIssuing(tx, connectionId);
  const since = new Date(Date.parse(now) - HOUR_MS).toISOString();
  const issued = await issuedSince(tx, { tenantId, connectionId, since });
  const excess = issued.length + links - MAX_LINKS_AN_HOUR;
  if (excess <= 0) return;
  const freed = Date.parse(issued[excess - 1] ?? now) + HOUR_MS;
  const retryAfterSeconds = Math.max(1, Math.ceil((freed - Date.parse(now)) / 1_000));
  const left = Math.max(0, MAX_LINKS_AN_HOUR - issued.length);
  const message = `An assistant issues at most ${MAX_LINKS_AN_HOUR} payment links an hour; ${left} are left now. Try again in ${retryAfterSeconds} seconds.`;
  throw new ServiceError("rate_limit_exceeded", message, { retryAfterSeconds });
}
