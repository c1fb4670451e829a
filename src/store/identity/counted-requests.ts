import { type RawBuilder, sql } from "kysely";
import { preparedStatement, type ValueOf } from "../prepared.ts";
import type { Store } from "../store.ts";

/** Requests of one caller in a minute. */
export interface CountedRequests {
  readonly tenantId: string;
  /** Of the caller's own window. */
  readonly subject: string;
  /** Of the window that it shares with all callers of its kind in the workspace; null where it costs them nothing. */
  readonly shared: "connections" | "keys" | null;
  readonly minute: string;
  readonly requests: number;
  /** Beyond which the caller stops counting for the others; null for no limit. */
  readonly limit: number | null;
}

interface Counted {
  readonly own: number;
  readonly shared: number | null;
}

interface Window {
  readonly subject: string;
  readonly hits: number;
}

/** Counts rows of tenant, subject, start of the window and requests, each in its window. */
export const counting = (rows: RawBuilder<unknown>): RawBuilder<Window> => sql`
  insert into rate_windows (tenant_id, subject, window_start, hits) ${rows}
  on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + excluded.hits
  returning subject, hits`;

type OfCaller = Omit<CountedRequests, "shared" | "limit">;

const rowOf = (value: ValueOf<OfCaller>, subject: RawBuilder<string>) =>
  sql`(${value("tenantId")}::uuid, ${subject}, ${value("minute")}::timestamptz, ${value("requests")}::int)`;

const COUNT = preparedStatement<OfCaller, Window>((db, value) =>
  counting(sql`values ${rowOf(value, value("subject"))}`).compile(db),
);

const COUNT_BOTH = preparedStatement<OfCaller & { shared: string }, Window>((db, value) =>
  counting(sql`values ${rowOf(value, value("subject"))}, ${rowOf(value, value("shared"))}`).compile(db),
);

/**
 * Counts requests of a caller and, within its own limit, of its workspace, exactly: in one statement, or in two where there is a limit. For
 * a store on workers, which take apart what is written within another statement at many times the cost.
 */
export async function countRequests(store: Store, { shared, limit, ...own }: CountedRequests): Promise<Counted> {
  if (shared !== null && limit === null) {
    const windows = await store.statement((tx) => COUNT_BOTH(tx, { ...own, shared }));
    return { own: hitsOf(windows, own.subject), shared: hitsOf(windows, shared) };
  }
  const hits = hitsOf(await store.statement((tx) => COUNT(tx, own)), own.subject);
  if (shared === null || (limit !== null && hits > limit)) return { own: hits, shared: null };
  const others = await store.statement((tx) => COUNT(tx, { ...own, subject: shared }));
  return { own: hits, shared: hitsOf(others, shared) };
}

function hitsOf(windows: readonly Window[], subject: string): number {
  const found = windows.find((window) => window.subject === subject);
  if (found === undefined) throw new Error("a window that is counted in is answered");
  return found.hits;
}
