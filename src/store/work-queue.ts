import { type RawBuilder, type Selectable, sql } from "kysely";
import { columns } from "./recordset.ts";
import type { Shards } from "./shards.ts";
import type { Transaction } from "./store.ts";
import type { TenantTables } from "./tables/index.ts";
import type { WorkColumns } from "./tables/values.ts";

/** Tables whose rows workers claim, and what names a row of a tenant in them. */
const KEYS = {
  link_emails: "payment_link_id",
  outgoing_mails: "mail_id",
  payment_integrations: "payment_integration_id",
  payment_links: "payment_link_id",
  payments: "payment_id",
  sync_runs: "sync_run_id",
  workflow_work: "invoice_id",
} as const satisfies Partial<Record<keyof TenantTables, string>>;

export type LeasedTable = keyof typeof KEYS;

/** A table whose rows are tried again. A sync run whose lease is lost fails, and another one is made in its time. */
export type WorkTable = Exclude<LeasedTable, "sync_runs">;

/** A row of it, as claims read it. */
export type WorkRow<Table extends LeasedTable> = Selectable<TenantTables[Table]>;

/** A kind of work: the rows of a table that are a queue, and in which order they are claimed. */
export interface WorkKind<Table extends WorkTable> {
  readonly table: Table;
  /** Which rows are work. There is an index of these by `line`, {@link READY_AT} and the table's key. */
  readonly isWork: RawBuilder<unknown>;
  /** Whose rows stand in one line: the lines are claimed from by turns. The tenant's unless it says so. */
  readonly line?: readonly string[];
  /** When a row may be claimed; {@link READY_AT} unless it says so. */
  readonly readyAt?: RawBuilder<unknown>;
  /** Which rows no right clock has put off beyond the farthest; all unless it says so. There is an index of them too. */
  readonly isAstray?: RawBuilder<unknown>;
}

/** Once the lease of its worker has run out, else at its next attempt. */
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
export type Line = Readonly<Record<string, string>> & { readonly tenant_id: string };

const FIRST_ID = "00000000-0000-0000-0000-000000000000";

const place = (names: readonly string[], line: Line | null) =>
  sql.join(names.map((name) => sql`${line?.[name] ?? FIRST_ID}::uuid`));

/** Each column by its value, so that a line's tenant is known before the statement is. */
const equal = (names: readonly string[], line: Line) =>
  sql.join(
    names.map((name) => sql`${sql.ref(name)} = ${line[name] ?? FIRST_ID}::uuid`),
    sql` and `,
  );

const OF_TENANT = ["tenant_id"];

/** `line as (…)`: the lines after a given one with something ready, each found at one place of an index. */
function readyLines<Table extends WorkTable>(
  { table, isWork, line = OF_TENANT, readyAt = READY_AT, isAstray = sql`true` }: WorkKind<Table>,
  after: Line | null,
  { now, farthest }: Instants,
) {
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

/** The same where tenants lie on workers, each of which groups its own: no recursion goes there. */
function readyLinesOfWorkers<Table extends WorkTable>(
  { table, isWork, line = OF_TENANT, readyAt = READY_AT, isAstray = sql`true` }: WorkKind<Table>,
  after: Line | null,
  { now, farthest }: Instants,
  shards: Shards,
) {
  return sql`
    line as (
      select ${columns(line)} from ${sql.table(table)}
      where ${isWork} and (${columns(line)}) > (${place(line, after)}) and ${shards.has(sql.ref("tenant_id"))}
        and (${readyAt} <= ${now} or ${readyAt} > ${farthest} and ${isAstray})
      group by ${columns(line)}
    )`;
}

/** What a look for lines asks for. */
interface LineSearch {
  readonly after: Line | null;
  readonly limit?: number;
  /** Which of the lines count, by the columns of `line`; and of which tenants none does. */
  readonly where?: RawBuilder<unknown>;
  readonly except?: readonly string[] | undefined;
}

/**
 * The next lines after a given one in which something is ready; none after the last. On one server they are looked at one by one,
 * in their order: `is true` keeps the planner from a join, whose rows may come in any other.
 */
export async function nextLines<Table extends WorkTable>(
  tx: Transaction,
  shards: Shards,
  kind: WorkKind<Table>,
  instants: Instants,
  { after, limit = 1, where = sql`true`, except = [] }: LineSearch,
): Promise<Line[]> {
  const names = columns(kind.line ?? OF_TENANT, "line");
  const chosen = sql`line.tenant_id <> all(${`{${except.join(",")}}`}::uuid[]) and ${where}`;
  const lines = shards.isDistributed
    ? sql`with ${readyLinesOfWorkers(kind, after, instants, shards)}
        select ${names} from line where ${chosen} order by ${names}`
    : sql`with recursive ${readyLines(kind, after, instants)} select ${names} from line where (${chosen}) is true`;
  const { rows } = await sql<Line>`${lines} limit ${limit}`.execute(tx);
  return rows;
}

interface Choice {
  readonly limit: number;
  readonly unless?: RawBuilder<unknown>;
}

/**
 * The keys of up to `limit` rows of a line, those that have been ready longest. Each of the two ranges of time is read by itself:
 * asked for together, an index would be read through all that is not ready yet.
 */
export function readyRows<Table extends WorkTable>(
  { table, isWork, line: names = OF_TENANT, readyAt = READY_AT, isAstray = sql`true` }: WorkKind<Table>,
  line: Line,
  { now, farthest }: Instants,
  { limit, unless = sql`false`, lock = sql`` }: Choice & { lock?: RawBuilder<unknown> },
) {
  const key = sql.ref(KEYS[table]);
  const range = (isReady: RawBuilder<unknown>) => sql`
    select * from (
      select tenant_id, ${key} from ${sql.table(table)}
      where ${isWork} and ${equal(names, line)} and ${isReady} and not ${unless}
      order by ${readyAt}, ${key} limit ${limit} ${lock}) as range`;
  return sql`${range(sql`${readyAt} <= ${now}`)}
    union all ${range(sql`${readyAt} > ${farthest} and ${isAstray}`)} limit ${limit}`;
}

/**
 * Claims up to `limit` rows of a line, those that have been ready longest; what other workers are claiming is passed over. They
 * are chosen once, before the update: a join could choose again for each row, and claim rows that no worker is told of.
 */
export async function claimOfLine<Table extends WorkTable>(
  tx: Transaction,
  kind: WorkKind<Table>,
  line: Line,
  lease: Lease,
  choice: Choice,
): Promise<WorkRow<Table>[]> {
  const key = KEYS[kind.table];
  const { rows } = await sql<WorkRow<Table>>`
    with ready as materialized (${readyRows(kind, line, lease, { ...choice, lock: sql`for update skip locked` })})
    update ${sql.table(kind.table)} as work
    set claim_id = ${lease.claimId}, lease_expires_at = ${lease.expiresAt}, attempts = work.attempts + 1
    from ready
    where work.tenant_id = ${line.tenant_id}::uuid and work.tenant_id = ready.tenant_id and work.${sql.ref(key)} = ready.${sql.ref(key)}
    returning work.*`.execute(tx);
  return rows;
}

/** A row under the claim of a worker. */
export type Claimed<Table extends LeasedTable> = { tenant_id: string; claim_id: string | null } & Record<
  (typeof KEYS)[Table],
  string
>;

/** What is written to a claimed row. */
export type Change<Table extends LeasedTable> = Partial<WorkRow<Table>> | Partial<Selectable<WorkColumns>>;

/** Writes to a claimed row and keeps its lease; false, and nothing written, where the claim does not hold any more. */
export async function updateClaimed<Table extends LeasedTable>(
  tx: Transaction,
  table: Table,
  row: Claimed<Table>,
  change: Change<Table>,
): Promise<boolean> {
  const key = KEYS[table];
  const set = Object.keys(change).map((name) => sql`${sql.ref(name)} = ${Reflect.get(change, name)}`);
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.join(set)}
    where tenant_id = ${row.tenant_id} and ${sql.ref(key)} = ${Reflect.get(row, key)}
      and claim_id is not distinct from ${row.claim_id}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** The columns of a row that nobody is at. */
export const UNCLAIMED = { claim_id: null, lease_expires_at: null } as const;

/** Whether no worker is at a row, or the one that was is gone. */
export const isUnclaimed = (alias: string, { now, farthest }: Instants) => sql<boolean>`(
  ${sql.ref(`${alias}.lease_expires_at`)} is null or ${sql.ref(`${alias}.lease_expires_at`)} <= ${now}
  or ${sql.ref(`${alias}.lease_expires_at`)} > ${farthest})`;
