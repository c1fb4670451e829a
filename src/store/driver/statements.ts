import { hash } from "node:crypto";
import { CompiledQuery } from "kysely";

/** A statement with what the driver is told of it beside its text. */
interface Told<R> extends CompiledQuery<R> {
  /** Connections remember it. */
  readonly isPrepared?: true;
  /** Nobody waits for its answer. */
  readonly isAhead?: true;
  /** It is sent at once all the same, and not with the next one. */
  readonly isUrgent?: boolean;
}

/** The same statement, parsed once a connection; for lookups by key, as its plan is soon the same for all. */
export function prepared<R>(statement: CompiledQuery<R>): CompiledQuery<R> {
  const told: Told<R> = { ...statement, isPrepared: true };
  return told;
}

/** A statement whose answer is not awaited: the next is sent without a round trip, and fails where this one failed. */
export function ahead(text: string, { isUrgent = false } = {}): CompiledQuery {
  const told: Told<unknown> = { ...CompiledQuery.raw(text), isAhead: true, isUrgent };
  return told;
}

export const isAhead = (statement: Told<unknown>): boolean => statement.isAhead === true;

export const isUrgent = (statement: Told<unknown>): boolean => statement.isUrgent === true;

/** Under which name a connection prepares a statement; undefined for one that is sent whole each time. */
export type Naming = (statement: CompiledQuery) => string | undefined;

const nameOf = ({ sql }: CompiledQuery): string => hash("sha256", sql, "base64url");

/** Names nothing: behind a pooler the next transaction has another session. */
export const unnamed: Naming = () => undefined;

/** Names every statement. */
export const named: Naming = nameOf;

/** Names what is {@link prepared} and nothing else. */
export const namedWherePrepared: Naming = (statement: Told<unknown>) =>
  statement.isPrepared ? nameOf(statement) : undefined;

/** Repeated statements that are named at most; long ones, which insert many rows, never are. */
const MOST_REPEATED = 500;
const LONGEST_REPEATED = 4_000;

/** Names repeated statements, up to a number: parsing one costs the embedded store more than running it. */
export function namedWhereRepeated(): Naming {
  const seen = new Set<string>();
  return (statement) => {
    const { sql, parameters } = statement;
    if (parameters.length === 0 || sql.length > LONGEST_REPEATED) return undefined;
    if (seen.has(sql)) return nameOf(statement);
    if (seen.size < MOST_REPEATED) seen.add(sql);
    return undefined;
  };
}
