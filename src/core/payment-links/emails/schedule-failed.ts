import type { Transaction } from "../../../store/store.ts";
import type { Core } from "../../gate/dependencies.ts";
import { lockUnsentEmails, type OfUnsent, scheduleAnew } from "./failed-email-queries.ts";
import { DEFAULT_SEND_AT, nextTimeOfDay } from "./send-time.ts";

/** How long emails that a person kept as they turned their workflow off wait until they can be sent: none comes as a surprise. */
const KEPT_MS = 7 * 86_400_000;

/**
 * Schedules emails that were not sent again, for the next time of day that their workflow mails at, as far as their links
 * may be asked for ({@link lockUnsentEmails}). Answers how many; what was sent never is.
 */
export async function scheduleFailedEmails(
  tx: Transaction,
  core: Pick<Core, "clock">,
  tenantId: string,
  which: OfUnsent,
) {
  if ("linkIds" in which && which.linkIds.length === 0) return 0;
  const since = new Date(core.clock.now().getTime() - KEPT_MS).toISOString();
  const emails = await lockUnsentEmails(tx, tenantId, which, since);
  for (const [time, of] of Map.groupBy(emails, ({ send_at }) => send_at)) {
    const timezone = of[0]?.timezone ?? "UTC";
    await scheduleAnew(tx, tenantId, of, nextTimeOfDay(core.clock.now(), timezone, time ?? DEFAULT_SEND_AT));
  }
  return emails.length;
}
