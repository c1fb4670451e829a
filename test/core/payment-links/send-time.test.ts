import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { businessDate } from "../../../src/core/kernel/calendar.ts";
import { nextTimeOfDay } from "../../../src/core/payment-links/emails/send-time.ts";

const next = (now: string, timezone: string, timeOfDay: string): string =>
  nextTimeOfDay(new Date(now), timezone, timeOfDay);

describe("the next time of day of a workspace", () => {
  it.each([
    ["2026-03-10T12:59:00Z", "America/New_York", "09:00", "2026-03-10T13:00:00.000Z", "later today"],
    ["2026-03-10T13:00:00Z", "America/New_York", "09:00", "2026-03-11T13:00:00.000Z", "now is not ahead any more"],
    ["2026-03-10T03:30:00Z", "America/New_York", "23:45", "2026-03-10T03:45:00.000Z", "still yesterday there"],
    ["2026-03-10T20:00:00Z", "Asia/Tokyo", "06:00", "2026-03-10T21:00:00.000Z", "tomorrow there already"],
    ["2026-03-10T20:00:00Z", "Asia/Kathmandu", "09:00", "2026-03-11T03:15:00.000Z", "an offset of quarters of an hour"],
    ["2026-12-31T23:30:00Z", "UTC", "00:00", "2027-01-01T00:00:00.000Z", "midnight, in the next year"],
  ])("at %s in %s, %s is %s: %s [completions.7.send-at]", (now, timezone, timeOfDay, instant) => {
    expect(next(now, timezone, timeOfDay)).toBe(instant);
  });

  it.each([
    ["2026-03-07T12:00:00Z", "America/New_York", "02:30", "2026-03-08T07:30:00.000Z", "02:30 is skipped: 03:30 then"],
    ["2026-03-08T07:29:00Z", "America/New_York", "02:30", "2026-03-08T07:30:00.000Z", "a minute before that"],
    ["2026-03-08T07:30:00Z", "America/New_York", "02:30", "2026-03-09T06:30:00.000Z", "and the day after as ever"],
    ["2026-03-08T06:59:00Z", "America/New_York", "03:00", "2026-03-08T07:00:00.000Z", "03:00 follows 01:59"],
    ["2026-10-31T12:00:00Z", "America/New_York", "01:30", "2026-11-01T05:30:00.000Z", "01:30 comes twice: the first"],
    ["2026-11-01T05:30:00Z", "America/New_York", "01:30", "2026-11-02T06:30:00.000Z", "not the second as well"],
    ["2026-03-29T00:30:00Z", "Europe/Zurich", "09:00", "2026-03-29T07:00:00.000Z", "summer time begins before it"],
    ["2026-04-04T12:00:00Z", "Australia/Lord_Howe", "01:45", "2026-04-04T14:45:00.000Z", "half an hour comes twice"],
    ["2026-10-03T12:00:00Z", "Australia/Lord_Howe", "02:15", "2026-10-03T15:45:00.000Z", "half an hour is skipped"],
    ["2026-09-05T12:00:00Z", "America/Santiago", "00:00", "2026-09-06T04:00:00.000Z", "midnight is skipped"],
    ["2011-12-30T08:00:00Z", "Pacific/Apia", "09:00", "2011-12-30T19:00:00.000Z", "a whole day is skipped"],
  ])("at %s in %s, %s is %s: %s [completions.7.send-at-dst]", (now, timezone, timeOfDay, instant) => {
    expect(next(now, timezone, timeOfDay)).toBe(instant);
  });

  it("is ahead, within 25 hours, and shows that time but where clocks skip it [completions.7.send-at-dst]", () => {
    const zones = ["America/New_York", "Europe/Zurich", "Australia/Lord_Howe", "Asia/Tokyo", "America/St_Johns"];
    const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
    const instant = fc.date({ min: new Date("2024-01-01"), max: new Date("2030-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...zones), minute, instant, (timezone, minutes, now) => {
        const pad = (number: number): string => String(number).padStart(2, "0");
        const timeOfDay = `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
        const found = new Date(nextTimeOfDay(now, timezone, timeOfDay));
        const ahead = found.getTime() - now.getTime();
        expect(ahead).toBeGreaterThan(0);
        expect(ahead).toBeLessThanOrEqual(25 * 3_600_000);
        const clock = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeStyle: "short" }).format(found);
        const skipped = clock !== timeOfDay;
        if (skipped) {
          // The clocks were changed that very day, forward.
          const day = businessDate(found, timezone);
          expect(offset(`${day}T00:00:00Z`, timezone)).toBeLessThan(offset(found.toISOString(), timezone));
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Minutes that clocks are ahead of UTC. */
function offset(instant: string, timezone: string): number {
  const name = new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "longOffset" })
    .formatToParts(new Date(instant))
    .find((part) => part.type === "timeZoneName")?.value;
  const [, sign = "+", hours = "0", minutes = "0"] = name?.match(/GMT([+-])?(\d\d)?:?(\d\d)?/) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
