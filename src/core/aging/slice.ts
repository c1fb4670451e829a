import { BUCKET_PLACES, type BucketPlace } from "../../store/aging/bucket-starts.ts";
import type { AgingQuery } from "./aging-query.ts";
import { BUCKETS } from "./buckets.ts";

/** The buckets of a report as the columns of the roll-up: there are counts for all, for all but `current`, and for each. */
export interface Slice {
  readonly places: readonly BucketPlace[];
  readonly name: BucketPlace | "overdue" | "all";
}

/** Null for a report of no bucket, which has no rows. */
export function sliceOf({ buckets }: AgingQuery): Slice | null {
  const places = BUCKET_PLACES.filter((place) => buckets.some((bucket) => bucket === BUCKETS[place]));
  const [first] = places;
  if (first === undefined) return null;
  if (places.length === 1) return { places, name: first };
  return { places, name: first === 0 ? "all" : "overdue" };
}
