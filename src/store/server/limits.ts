/** Time limits of the store's work, in milliseconds. */
interface Limits {
  /** One statement, on the server. */
  readonly statement: number;
  /** A lock that somebody else holds. */
  readonly lock: number;
  /** A transaction in which nothing is asked. */
  readonly idleInTransaction: number;
}

/** Of calls, which are answered within ten seconds in any state of the store. */
export const CALL_LIMITS: Limits = { statement: 7_000, lock: 4_500, idleInTransaction: 30_000 };

/** Of jobs and commands: pulls, receipts, workflows, backups. */
export const LONG_LIMITS: Limits = { statement: 15 * 60_000, lock: 2 * 60_000, idleInTransaction: 15 * 60_000 };

/** A call's statement that the server itself has not ended by then is on a connection without an answer. */
export const CALL_SILENCE_MS = 7_500;
/** A statement outside of any transaction, answered within that time or not at all. */
export const inTime = (text: string): { text: string; query_timeout: number } => ({
  text,
  query_timeout: CALL_SILENCE_MS,
});
/** To open a connection. */
export const CONNECT_MS = 7_500;
/**
 * For a free connection where a call finds all in use. A call waits for one twice, to be let in and for its work: with a lock
 * after that it is still answered within ten seconds.
 */
export const FREE_MS = 2_500;
/** The same for work that nobody waits for, while the server answers. */
export const LONG_CONNECT_MS = 2 * 60_000;
/** To ask a host whether it takes writes. */
export const PROBE_MS = 3_000;
/** Between two questions to the server on the connection that listens, and how long its answer may take. */
export const BEAT_EVERY_MS = 2_000;
export const BEAT_ANSWER_MS = 4_000;
/** An idle connection is given back to the server after that. */
export const IDLE_MS = 60_000;
/** The operating system asks a silent connection whether it is still there; the server does the same. */
export const KEEP_ALIVE_MS = 10_000;

/** Limits as settings of a session. */
export function limitSettings({ statement, lock, idleInTransaction }: Limits): Readonly<Record<string, string>> {
  return {
    statement_timeout: String(statement),
    lock_timeout: String(lock),
    idle_in_transaction_session_timeout: String(idleInTransaction),
  };
}
