/** Days overdue on which each bucket but `current` starts (service.md §4.10). */
export const BUCKET_STARTS = [1, 31, 61, 91] as const;

/** Places of the buckets, `current` first; they name the roll-up's columns. */
export const BUCKET_PLACES = [0, 1, 2, 3, 4] as const;

export type BucketPlace = (typeof BUCKET_PLACES)[number];
