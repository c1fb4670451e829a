import { describe, expect, it } from "vitest";
import { businessDate, canonicalTimezone, isPlainDate } from "../../src/core/kernel/calendar.ts";

describe("the business day", () => {
  it.each([
    ["2026-03-10T03:59:59.999Z", "America/New_York", "2026-03-09"],
    ["2026-03-10T04:00:00.000Z", "America/New_York", "2026-03-10"],
    // The spring change: the offset is an hour less from 8 March on.
    ["2026-03-08T04:59:59.999Z", "America/New_York", "2026-03-07"],
    ["2026-03-08T05:00:00.000Z", "America/New_York", "2026-03-08"],
    ["2026-03-09T03:59:59.999Z", "America/New_York", "2026-03-08"],
    ["2026-03-09T18:14:59.999Z", "Asia/Kathmandu", "2026-03-09"],
    ["2026-03-09T18:15:00.000Z", "Asia/Kathmandu", "2026-03-10"],
    ["2026-03-10T10:00:00.000Z", "Pacific/Kiritimati", "2026-03-11"],
    // Samoa left out 30 December 2011.
    ["2011-12-30T09:59:59.999Z", "Pacific/Apia", "2011-12-29"],
    ["2011-12-30T10:00:00.000Z", "Pacific/Apia", "2011-12-31"],
  ])("at %s in %s is %s", (instant, timezone, date) => {
    expect(businessDate(new Date(instant), timezone)).toBe(date);
  });

  it("knows time zones by name only, and calls them as IANA does [contract.admin.workspace.timezone]", () => {
    const own = ["UTC", "Europe/Zurich", "America/Argentina/Buenos_Aires", "Asia/Kolkata", "America/Port-au-Prince"];
    for (const name of own) {
      expect(canonicalTimezone(name)).toBe(name);
      expect(canonicalTimezone(name.toLowerCase())).toBe(name);
    }
    expect(["us/eastern", "ASIA/CALCUTTA", "europe/kiev"].map(canonicalTimezone)).toEqual([
      ...["America/New_York", "Asia/Kolkata", "Europe/Kyiv"],
    ]);
    expect(["", "Mars/Olympus", "+02:00", "Europe/Zürich"].map(canonicalTimezone)).toEqual(Array(4).fill(null));
  });

  it("knows which dates exist", () => {
    expect(["2024-02-29", "2026-12-31"].every(isPlainDate)).toBe(true);
    expect(["2026-02-29", "2026-13-01", "2026-1-01", "2026-01-01T00:00:00Z", ""].some(isPlainDate)).toBe(false);
  });
});
