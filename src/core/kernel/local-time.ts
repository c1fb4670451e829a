import { LAST_DAY, localParts } from "./calendar.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Beside them are years that are not written with four digits. */
const ENDS_OF_THE_CALENDAR: ReadonlySet<string> = new Set(["0001-01-01", LAST_DAY]);

/**
 * The instant at which the day `date` begins in `timezone`, ISO 8601 UTC: the first midnight where clocks show two, the
 * first time that they show where they skip it.
 */
export function startOfDay(date: string, timezone: string) {
  return timeOn(date, "00:00", timezone);
}

/** The instant of a time of day on a date, ISO 8601 UTC, as {@link instantOf} has it. */
export function timeOn(date: string, timeOfDay: string, timezone: string) {
  if (ENDS_OF_THE_CALENDAR.has(date)) return `${date}T${timeOfDay}:00.000Z`;
  return new Date(instantOf(date, timeOfDay, timezone)).toISOString();
}

/**
 * The instant of a local date and time, in milliseconds. One that clocks skip is as much later as they skip; of one that
 * they show twice, the first.
 */
export function instantOf(date: string, timeOfDay: string, timezone: string) {
  const local = Date.parse(`${date}T${timeOfDay}:00Z`);
  const offsets = [offsetAt(local - DAY_MS, timezone), offsetAt(local + DAY_MS, timezone)];
  const candidates = offsets.map((offset) => local - offset);
  const exact = candidates.filter((instant) => instant + offsetAt(instant, timezone) === local);
  return exact.length > 0 ? Math.min(...exact) : (candidates[0] ?? local);
}

/** How far local clocks are ahead of UTC at an instant, in milliseconds. */
function offsetAt(instant: number, timezone: string) {
  const whole = Math.floor(instant / MINUTE_MS) * MINUTE_MS;
  const [date, time] = localParts(new Date(whole), timezone);
  return Date.parse(`${date}T${time}:00Z`) - whole;
}
