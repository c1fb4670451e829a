import { addDays, businessDate } from "../../kernel/calendar.ts";
import { instantOf } from "../../kernel/local-time.ts";

/** When emails go out where nobody has chosen another time of day. */
export const DEFAULT_SEND_AT = "09:00";

/** A time of day, `HH:MM` on a 24-hour clock. */
export const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * The next instant after `now` at which clocks in `timezone` show `timeOfDay`, ISO 8601 UTC. On a day whose clocks skip
 * that time it is as much later as they skip; on one that shows it twice, the first.
 */
export function nextTimeOfDay(now: Date, timezone: string, timeOfDay: string) {
  // The day before as well: what it skipped may still be ahead. Two days on there is always one.
  const today = businessDate(now, timezone);
  for (let day = -1; ; day += 1) {
    const instant = instantOf(addDays(today, day), timeOfDay, timezone);
    if (instant > now.getTime()) return new Date(instant).toISOString();
  }
}
