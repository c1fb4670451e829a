import { BUCKET_STARTS } from "../../store/aging/bucket-starts.ts";
import { addDays } from "../kernel/calendar.ts";

export { UNASSIGNED } from "../../store/aging/rollup-parts.ts";
export { UNKNOWN_CURRENCY } from "../../store/aging/unknown-names.ts";

/** Aging buckets, youngest debt first (service.md §4.10). */
export const BUCKETS = ["current", "days_1_30", "days_31_60", "days_61_90", "over_90"] as const;
export type Bucket = (typeof BUCKETS)[number];

/** The bucket of a debt by its days overdue; `current` through the due date itself (completions §6). */
export function bucketOf(daysOverdue: number) {
  const bucket = BUCKETS[BUCKET_STARTS.filter((start) => daysOverdue >= start).length];
  if (bucket === undefined) throw new RangeError("more edges than buckets");
  return bucket;
}

/** Buckets that a report covers. Both filters hold at once: `current` with `overdue_only` covers none. */
export function coveredBuckets(filters: { bucket?: Bucket | undefined; overdue_only: boolean }) {
  return BUCKETS.filter(
    (bucket) =>
      (filters.bucket === undefined || bucket === filters.bucket) && !(filters.overdue_only && bucket === "current"),
  );
}

/**
 * The range of due dates, both ends included, of `buckets` (adjacent ones, as {@link coveredBuckets} gives them) on the day of
 * the report; `-infinity` and `infinity` are dates to the store. Without a bucket the range is empty.
 */
export function dueDates(buckets: readonly Bucket[], reportDate: string) {
  const [youngest] = buckets;
  const oldest = buckets.at(-1);
  if (youngest === undefined || oldest === undefined) return { from: "infinity", through: "-infinity" };
  const least = BUCKET_STARTS[BUCKETS.indexOf(youngest) - 1];
  const tooMany = BUCKET_STARTS[BUCKETS.indexOf(oldest)];
  return {
    from: tooMany === undefined ? "-infinity" : addDays(reportDate, 1 - tooMany),
    through: least === undefined ? "infinity" : addDays(reportDate, -least),
  };
}
