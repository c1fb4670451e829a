import { describe, expect, it } from "vitest";
import { bucketOf, coveredBuckets, dueDates } from "../../../src/core/aging/buckets.ts";

describe("aging buckets", () => {
  it.each([
    [-365, "current"],
    [-1, "current"],
    [0, "current"],
    [1, "days_1_30"],
    [30, "days_1_30"],
    [31, "days_31_60"],
    [60, "days_31_60"],
    [61, "days_61_90"],
    [90, "days_61_90"],
    [91, "over_90"],
    [5000, "over_90"],
  ])("%i days overdue is %s [service.4.10.bucket]", (days, bucket) => {
    expect(bucketOf(days)).toBe(bucket);
  });

  it("combines with overdue_only: what is current is never overdue [service.4.10.overdue-only]", () => {
    expect(coveredBuckets({ overdue_only: false })).toHaveLength(5);
    expect(coveredBuckets({ overdue_only: true })).toEqual(["days_1_30", "days_31_60", "days_61_90", "over_90"]);
    expect(coveredBuckets({ bucket: "days_31_60", overdue_only: true })).toEqual(["days_31_60"]);
    expect(coveredBuckets({ bucket: "current", overdue_only: true })).toEqual([]);
  });

  it("covers the due dates of its days, both ends included", () => {
    expect(dueDates(["current"], "2026-03-10")).toEqual({ from: "2026-03-10", through: "infinity" });
    expect(dueDates(["days_1_30"], "2026-03-10")).toEqual({ from: "2026-02-08", through: "2026-03-09" });
    expect(dueDates(["days_31_60", "days_61_90"], "2026-03-10")).toEqual({ from: "2025-12-10", through: "2026-02-07" });
    expect(dueDates(["over_90"], "2026-03-10")).toEqual({ from: "-infinity", through: "2025-12-09" });
  });
});
