import { type RawBuilder, sql } from "kysely";
import { preparedStatement } from "../prepared.ts";
import type { Store } from "../store.ts";

/** Requests of one caller in a minute. */
interface CountedRequests {
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

/** A window, and the requests in it. */
export interface Window {
  readonly subject: string;
  readonly hits: number;
}

/** Counts rows of tenant, subject, start of the window and requests, each in its window. */
export const counting = (rows: RawBuilder<unknown>): RawBuilder<Window> => sql`
  insert into rate_windows (tenant_id, subject, window_start, hits) ${rows}
  on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + excluded.hits
  returning subject, hits`;

const COUNT = preparedStatement<Omit<CountedRequests, "shared" | "limit">, Window>((db, value) =>
  counting(sql`values (${value("tenantId")}::uuid, ${value("subject")}, ${value("minute")}::timestamptz,
    ${value("requests")}::int)`).compile(db),
);

/** What a statement has counted already, in windows that were there. */
export type AlreadyCounted = { readonly [W in "own" | "shared"]?: number | undefined };

/**
 * Counts requests of a caller and, within its own limit, of its workspace, exactly; a statement for each. For a store on workers, which
 * take apart what is written within another statement at many times the cost.
 */
export async function countRequests(
  store: Store,
  { shared, limit, ...requests }: CountedRequests,
  already: AlreadyCounted = {},
): Promise<Counted> {
  const count = async (more: Partial<typeof requests>): Promise<number> => {
    const [window] = await store.statement((tx) => COUNT(tx, { ...requests, ...more }));
    if (window === undefined) throw new Error("a window that is counted in is answered");
    return window.hits;
  };
  const own = already.own ?? (await count({}));
  if (shared !== null && (limit === null || own <= limit))
    return { own, shared: already.shared ?? (await count({ subject: shared })) };
  // What is beyond a caller's own limit is not on the account of the others.
  if (shared !== null && already.shared !== undefined) await count({ subject: shared, requests: -requests.requests });
  return { own, shared: null };
}
