/** Rows as the store holds them: exact decimal strings, dates `YYYY-MM-DD`, instants ISO 8601 UTC with milliseconds. */
import type { Generated } from "kysely";

export type StoredAmount = string;
export type StoredDate = string;
export type StoredInstant = string;

/** What every row has that a worker claims (src/store/work-queue.ts). */
export interface LeaseColumns {
  /** The claim of the worker that is at it, new each time; it writes nothing once the row has another. */
  claim_id: Generated<string | null>;
  /** Until when that worker may be believed at work; null while nobody is. */
  lease_expires_at: Generated<StoredInstant | null>;
}

/** The same of work that is tried again. */
export interface WorkColumns extends LeaseColumns {
  /** How often it was claimed since it last was new. */
  attempts: Generated<number>;
  next_attempt_at: StoredInstant | null;
}
