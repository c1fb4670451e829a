/** A clock that can be set; every instant in the service comes from one (design: the clock is passed in). */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

const DAY_MS = 86_400_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timezone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timezone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-CA", {
      timeZone: timezone,
      calendar: "iso8601",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    });
    formatters.set(timezone, formatter);
  }
  return formatter;
}

/** True for an IANA time zone name such as `America/New_York`; offsets like `+02:00` are not names. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The last date of each timezone, with the second it was worked out for: offsets are whole seconds. */
const latest = new Map<string, { second: number; date: string }>();

/** The plain date `YYYY-MM-DD` on a calendar in `timezone` at `instant`: the workspace's business day. */
export function businessDate(instant: Date, timezone: string): string {
  const second = Math.floor(instant.getTime() / 1_000);
  const known = latest.get(timezone);
  if (known?.second === second) return known.date;
  const [date] = localParts(instant, timezone);
  latest.set(timezone, { second, date });
  return date;
}

/** The day and the time of day that clocks of a time zone show: `2026-11-22` and `14:05`. */
export function localParts(instant: Date, timezone: string): [date: string, time: string] {
  const parts = formatterOf(timezone).formatToParts(instant);
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? "";
  const date = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
  return [date, `${part("hour")}:${part("minute")}`];
}

/** True for a day that exists, written `YYYY-MM-DD`, from the year 1 on. */
export function isPlainDate(text: string): boolean {
  if (/^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/.test(text)) return true;
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
