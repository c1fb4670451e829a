import type { StoredInstant } from "./values.ts";

/** What a request that is carried out once was answered (service.md §8). */
export interface IdempotencyRecordRow {
  tenant_id: string;
  /** `workspace` for all its API keys, or `connection:<id>`. */
  caller: string;
  operation: string;
  idempotency_key: string;
  /** SHA-256 of what was asked of `operation`. */
  request_hash: string;
  /** JSON; null while the request is still at work outside the store. */
  response: string | null;
  /** JSON of what the request reserved before it went to work outside the store. */
  reservation: string | null;
  /** Until when its worker may be believed alive. */
  held_until: StoredInstant | null;
  created_at: StoredInstant;
}

/** A round of work that one process does for all. */
export interface JobRoundRow {
  job: string;
  /** The process that began it last. */
  worker_id: string;
  /** Until when that process may be believed at work; null once it has ended. */
  lease_expires_at: StoredInstant | null;
  /** When the latest round that was done began. */
  done_at: StoredInstant | null;
}
