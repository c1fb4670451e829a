import { sql } from "kysely";
import { preparedStatement } from "../prepared.ts";
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

const COUNT = preparedStatement<Omit<CountedRequests, "shared" | "limit">, Window>((db, value) =>
  sql<Window>`
  insert into rate_windows (tenant_id, subject, window_start, hits)
  values (${value("tenantId")}::uuid, ${value("subject")}, ${value("minute")}::timestamptz, ${value("requests")}::int)
  on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + excluded.hits
  returning subject, hits`.compile(db),
);

const COUNT_BOTH = preparedStatement<Omit<CountedRequests, "shared" | "limit"> & { shared: string }, Window>(
  (db, value) =>
    sql<Window>`
  insert into rate_windows (tenant_id, subject, window_start, hits)
  values (${value("tenantId")}::uuid, ${value("subject")}, ${value("minute")}::timestamptz, ${value("requests")}::int),
    (${value("tenantId")}::uuid, ${value("shared")}, ${value("minute")}::timestamptz, ${value("requests")}::int)
  on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + excluded.hits
  returning subject, hits`.compile(db),
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
