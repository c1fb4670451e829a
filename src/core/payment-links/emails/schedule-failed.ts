import type { Transaction } from "../../../store/store.ts";
import type { Core } from "../../gate/dependencies.ts";
import { lockFailedEmails, type OfFailed, scheduleAnew } from "./failed-email-queries.ts";
import { DEFAULT_SEND_AT, nextTimeOfDay } from "./send-time.ts";

/**
 * Schedules the failed emails of some links again, for the next time of day that their workflow mails at, as far as the links
 * may be asked for ({@link lockFailedEmails}). Answers how many; what was sent never is.
 */
export async function scheduleFailedEmails(
  tx: Transaction,
  core: Pick<Core, "clock">,
  tenantId: string,
  which: OfFailed,
) {
  if ("linkIds" in which && which.linkIds.length === 0) return 0;
  const emails = await lockFailedEmails(tx, tenantId, which);
  for (const { payment_link_id: linkId, timezone, send_at } of emails)
    await scheduleAnew(tx, tenantId, linkId, nextTimeOfDay(core.clock.now(), timezone, send_at ?? DEFAULT_SEND_AT));
  return emails.length;
}
