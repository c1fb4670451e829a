import { type RawBuilder, sql } from "kysely";

/** A queue that is a table: what of it may be claimed, and by which time. */
interface Queue {
  readonly table: string;
  readonly key: readonly string[];
  /** Claimed in the order of this, then of `ties`: there is an index of both, of the rows that `where` names. */
  readonly time: string;
  readonly ties: readonly string[];
  readonly where: RawBuilder<unknown>;
  /** What holds as well of rows whose time lies beyond `farthest`, where such a time may be right. */
  readonly astray?: RawBuilder<unknown>;
}

interface Instants {
  readonly now: string;
  /** A time beyond it counts as passed: a clock was wrong then. */
  readonly farthest: string;
}

/**
 * The keys of up to `limit` rows that are due, locked; those that other workers lock are passed over. Each of the two ranges
 * of time is read by itself: asked for together, an index would be read through all that is not due yet.
 */
export function dueRows(queue: Queue, { now, farthest }: Instants, limit: number): RawBuilder<unknown> {
  const { table, time, where, astray = sql`true` } = queue;
  const key = sql.join(queue.key.map((name) => sql.ref(name)));
  const order = sql.join([time, ...queue.ties].map((name) => sql.ref(name)));
  const range = (inTime: RawBuilder<unknown>) => sql`
    select * from (
      select ${key} from ${sql.table(table)} where ${where} and ${inTime}
      order by ${order} limit ${limit} for update skip locked) as range`;
  return sql`${range(sql`${sql.ref(time)} <= ${now}`)}
    union all ${range(sql`${sql.ref(time)} > ${farthest} and ${astray}`)} limit ${limit}`;
}
