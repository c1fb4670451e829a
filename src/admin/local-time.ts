/** An instant in a time zone: "24 Nov 2026, 09:00 (Europe/Berlin)". */
export function localTime(instant: string, timezone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, dateStyle: "medium", timeStyle: "short" });
  return `${format.format(new Date(instant))} (${timezone})`;
}
