import { addDays, businessDate } from "../shared/calendar.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A time of day, `HH:MM` on a 24-hour clock. */
export const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * The next instant after `now` at which clocks in `timezone` show `timeOfDay`, ISO 8601 UTC. On a day whose clocks skip
 * that time it is as much later as they skip; on one that shows it twice, the first.
 */
export function nextTimeOfDay(now: Date, timezone: string, timeOfDay: string): string {
  // The day before as well: what it skipped may still be ahead. Two days on there is always one.
  const today = businessDate(now, timezone);
  for (let day = -1; ; day += 1) {
    const instant = instantOf(addDays(today, day), timeOfDay, timezone);
    if (instant > now.getTime()) return new Date(instant).toISOString();
  }
}

/** The instant at which the day `date` begins in `timezone`, ISO 8601 UTC; what clocks skip or repeat is no matter. */
export function startOfDay(date: string, timezone: string): string {
  return timeOn(date, "00:00", timezone);
}

/** The instant of a time of day on a date, as {@link nextTimeOfDay} has it. */
export function timeOn(date: string, timeOfDay: string, timezone: string): string {
  return new Date(instantOf(date, timeOfDay, timezone)).toISOString();
}

/** The instant of a local date and time; one that does not exist is read by the clock as it was before. */
function instantOf(date: string, timeOfDay: string, timezone: string): number {
  const local = Date.parse(`${date}T${timeOfDay}:00Z`);
  const offsets = [offsetAt(local - DAY_MS, timezone), offsetAt(local + DAY_MS, timezone)];
  const candidates = offsets.map((offset) => local - offset);
  const exact = candidates.filter((instant) => instant + offsetAt(instant, timezone) === local);
  return exact.length > 0 ? Math.min(...exact) : (candidates[0] ?? local);
}

/** How far local clocks are ahead of UTC at an instant, in milliseconds. */
function offsetAt(instant: number, timezone: string): number {
  const whole = Math.floor(instant / MINUTE_MS) * MINUTE_MS;
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: timezone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(new Date(whole));
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? "00";
  const shown = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:00Z`;
  return Date.parse(shown) - whole;
}
