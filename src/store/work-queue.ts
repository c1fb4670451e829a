import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Transaction } from "./store.ts";
import type { LeaseColumns, WorkColumns } from "./tables/values.ts";

/** A row that a worker claims, as it is read. */
export type LeasedRow = { tenant_id: string } & { [Name in keyof LeaseColumns]: unknown };

/** The same of work that is tried again. */
export type WorkRow = LeasedRow & { next_attempt_at: unknown; attempts: number };

/** A table whose rows workers claim. */
export interface LeasedTable<Row extends LeasedRow, Key extends keyof Row & string> {
  readonly table: string;
  /** Names a row of a tenant. */
  readonly key: Key;
  /** A row of it, for types only. */
  readonly row?: Row;
}

/** A kind of work: the rows of a table that are a queue, and in which order they are claimed. */
export interface WorkKind<Row extends WorkRow, Key extends keyof Row & string> extends LeasedTable<Row, Key> {
  /** Which rows are work. There is an index of these by `line`, {@link READY_AT} and `key`. */
  readonly isWork: RawBuilder<unknown>;
  /** Whose rows stand in one line: the lines are claimed from by turns. */
  readonly line: readonly (keyof Row & string)[];
  /** When a row may be claimed; {@link READY_AT} unless it says so. */
  readonly readyAt?: RawBuilder<unknown>;
  /** Which rows no right clock has put off beyond the farthest; all unless it says so. There is an index of them too. */
  readonly isAstray?: RawBuilder<unknown>;
}

/** Once the lease of whoever is at it has run out, else at its next attempt. */
export const READY_AT = sql`coalesce(lease_expires_at, next_attempt_at)`;

/** The instant of a claim. A time beyond `farthest` counts as passed: a clock was wrong then. */
export interface Instants {
  readonly now: string;
  readonly farthest: string;
}

/** A claim that is being made. */
export interface Lease extends Instants {
  readonly claimId: string;
  readonly expiresAt: string;
}

/** One of the lines of a kind: its columns by name, all ids. */
export type Line = Readonly<Record<string, string>>;

const FIRST_ID = "00000000-0000-0000-0000-000000000000";

const columns = (names: readonly string[], alias?: string): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql.ref(alias === undefined ? name : `${alias}.${name}`)));

const place = (names: readonly string[], line: Line | null): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql`${line?.[name] ?? FIRST_ID}::uuid`));

/**
 * `line as (…)` of a recursive query: the lines after a given one in which something is ready. One place of an index is looked at
 * for each line that anything waits in, however many rows that are.
 */
export function readyLines<Row extends WorkRow, Key extends keyof Row & string>(
  { table, isWork, line, readyAt = READY_AT, isAstray = sql`true` }: WorkKind<Row, Key>,
  after: Line | null,
  { now, farthest }: Instants,
): RawBuilder<unknown> {
  const next = (from: RawBuilder<unknown>) => sql`
    select ${columns(line)}, ${readyAt} as ready_at from ${sql.table(table)}
    where ${isWork} and (${columns(line)}) > (${from}) order by ${columns(line)}, ${readyAt} limit 1`;
  return sql`
    waiting as (
      select * from (${next(place(line, after))}) as first
      union all
      select next.* from waiting cross join lateral (${next(columns(line, "waiting"))}) as next
    ), line as (
      select ${columns(line, "waiting")} from waiting
      where waiting.ready_at <= ${now} or (
        select ${readyAt} from ${sql.table(table)}
        where ${isWork} and ${isAstray} and (${columns(line)}) = (${columns(line, "waiting")})
        order by ${readyAt} desc limit 1) > ${farthest}
    )`;
}

/** The next line after a given one in which something is ready; undefined after the last. For the system. */
export async function nextLine<Row extends WorkRow, Key extends keyof Row & string>(
  tx: Transaction,
  kind: WorkKind<Row, Key>,
  after: Line | null,
  instants: Instants,
): Promise<Line | undefined> {
  const { rows } = await sql<Line>`
    with recursive ${readyLines(kind, after, instants)} select * from line limit 1`.execute(tx);
  return rows[0];
}

/**
 * Claims up to `limit` rows of a line, those that have been ready longest; what other workers are claiming is passed over.
 * Each of the two ranges of time is read by itself: asked for together, an index would be read through all that is not ready yet.
 */
export async function claimOfLine<Row extends WorkRow, Key extends keyof Row & string>(
  tx: Transaction,
  { table, key, isWork, line: names, readyAt = READY_AT, isAstray = sql`true` }: WorkKind<Row, Key>,
  line: Line,
  { claimId, expiresAt, now, farthest }: Lease,
  { limit, unless = sql`false` }: { limit: number; unless?: RawBuilder<unknown> },
): Promise<Row[]> {
  const range = (isReady: RawBuilder<unknown>) => sql`
    select * from (
      select tenant_id, ${sql.ref(key)} from ${sql.table(table)}
      where ${isWork} and (${columns(names)}) = (${place(names, line)}) and ${isReady} and not ${unless}
      order by ${readyAt}, ${sql.ref(key)} limit ${limit} for update skip locked) as range`;
  const { rows } = await sql<Row>`
    update ${sql.table(table)} as work
    set claim_id = ${claimId}, lease_expires_at = ${expiresAt}, attempts = work.attempts + 1
    from (${range(sql`${readyAt} <= ${now}`)}
      union all ${range(sql`${readyAt} > ${farthest} and ${isAstray}`)} limit ${limit}) as ready
    where work.tenant_id = ready.tenant_id and work.${sql.ref(key)} = ready.${sql.ref(key)}
    returning work.*`.execute(tx);
  return rows;
}

/** A row under the claim of a worker. */
export type Claimed<Row extends LeasedRow, Key extends keyof Row> = Pick<Row, "tenant_id" | "claim_id" | Key>;

/** What is written to a row of work. */
export type Change<Row> = Partial<Row> | Partial<Selectable<WorkColumns>>;

/** Writes to a claimed row and keeps its lease; false, and nothing written, where the claim does not hold any more. */
export async function updateClaimed<Row extends LeasedRow, Key extends keyof Row & string>(
  tx: Transaction,
  { table, key }: LeasedTable<Row, Key>,
  row: Claimed<Row, Key>,
  change: Change<Row>,
): Promise<boolean> {
  const set = Object.keys(change).map((name) => sql`${sql.ref(name)} = ${Reflect.get(change, name)}`);
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.join(set)}
    where tenant_id = ${row.tenant_id} and ${sql.ref(key)} = ${row[key]} and claim_id is not distinct from ${row.claim_id}`.execute(
    tx,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

/** The columns of a row that nobody is at. */
export const UNCLAIMED = { claim_id: null, lease_expires_at: null } as const;

/** Whether nobody is at a row, or whoever was is gone. */
export const isUnclaimed = (alias: string, { now, farthest }: Instants) => sql<boolean>`(
  ${sql.ref(`${alias}.lease_expires_at`)} is null or ${sql.ref(`${alias}.lease_expires_at`)} <= ${now}
  or ${sql.ref(`${alias}.lease_expires_at`)} > ${farthest})`;
