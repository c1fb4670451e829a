import { setImmediate as nextTurn } from "node:timers/promises";
import { beyondBound, ERP_BOUNDS, Patience } from "../bounds.ts";
import { unusable } from "./errors.ts";
import type { FusionHttp } from "./http.ts";
import { Collection, inForm } from "./schema.ts";

/** How Fusion is read. */
export interface FusionReading {
  readonly http: FusionHttp;
  /** Rows a page, 2 to 499: Fusion caps at 500, and is said to err at the cap itself. */
  readonly pageSize: number;
  /** Ids in one query, so that its address stays short. */
  readonly idsPerQuery: number;
  readonly installmentsOfInvoice: number;
  readonly minutesWithoutProgress: number;
}

/** A collection whose items have an id, a whole number in the attribute `idAttribute`. */
interface Listing<Row> {
  readonly path: string;
  readonly idAttribute: string;
  toRow(item: unknown): Row;
  idOf(row: Row): string;
  /** Of the rows of a look-up; `rowsOfLookUp` where it is left out. */
  readonly bound?: "installmentsOfInvoice";
}

/** Rows that the first step back goes, each other twice as far, up to a page. */
const FIRST_STEP_BACK = 8;
const ROWS_A_TURN = 100;

/**
 * Reads a collection page by page with `offset`. Rows that vanish between two pages move later ones forward, past an
 * offset that was right before; so each page starts with the last row of the one before, and one that starts after it
 * is given up for an earlier one. Yields non-empty lists of rows with ever greater ids.
 */
export async function* readRows<Row>(
  { http, pageSize }: FusionReading,
  listing: Listing<Row>,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  let offset = 0;
  let last: bigint | undefined;
  let stepsBack = 0;
  let stalled = 0;
  let repeated = 0;
  let previous = "";
  for (;;) {
    const paging = { orderBy: `${listing.idAttribute}:asc`, limit: String(pageSize), offset: String(offset) };
    const page = await readPage(http, listing, { ...query, ...paging }, signal);
    const first = page.ids[0];
    if (last !== undefined && offset > 0 && (first === undefined || first > last)) {
      if (stepsBack >= ERP_BOUNDS.stepsBack) throw unusable("its pages do not fit together");
      offset = Math.max(0, offset - Math.min(FIRST_STEP_BACK * 2 ** stepsBack, pageSize - 1));
      stepsBack += 1;
      continue;
    }
    const known = last;
    const { ids } = page;
    const fresh = page.rows.filter((_row, index) => {
      const id = ids[index] ?? 0n;
      return (known === undefined || id > known) && id !== ids[index - 1];
    });
    last = fresh.length > 0 ? ids.at(-1) : last;
    if (fresh.length > 0) {
      stepsBack = 0;
      yield fresh;
    }
    if (isLast(page, fresh.length, pageSize)) return;
    stalled = fresh.length > 0 ? 0 : stalled + 1;
    repeated = ids.join() === previous ? repeated + 1 : 0;
    previous = ids.join();
    if (stalled >= ERP_BOUNDS.pagesWithoutNews || repeated >= ERP_BOUNDS.samePages)
      throw unusable("it repeats the same page");
    offset += page.rows.length - 1;
  }
}

/** All rows of a look-up, at most as many as its bound allows, within the time for a reading. */
export async function lookUp<Row>(
  reading: FusionReading,
  listing: Listing<Row>,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
) {
  const { bound = "rowsOfLookUp" } = listing;
  const most = { ...ERP_BOUNDS, ...reading }[bound];
  const patience = new Patience("minutesWithoutProgress", reading.minutesWithoutProgress);
  const rows: Row[] = [];
  try {
    for await (const page of readRows(reading, listing, query, AbortSignal.any([signal, patience.signal]))) {
      rows.push(...page);
      if (rows.length > most) throw beyondBound(bound, most);
    }
    return rows;
  } finally {
    patience.pause();
  }
}

/** Looks up the rows of distinct ids; ids that are not digits, and rows that were not asked for, are left out. */
export async function* readRowsOfIds<Row>(
  reading: FusionReading,
  listing: Listing<Row>,
  ids: readonly string[],
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const distinct = [...new Set(ids)].filter((id) => /^\d{1,19}$/.test(id));
  for (let start = 0; start < distinct.length; start += reading.idsPerQuery) {
    const wanted = new Set(distinct.slice(start, start + reading.idsPerQuery));
    const q = `${listing.idAttribute} in (${[...wanted].join(",")})`;
    const rows = await lookUp(reading, listing, { ...query, q }, signal);
    yield rows.filter((row) => wanted.has(listing.idOf(row)));
  }
}

async function readPage<Row>(
  http: FusionHttp,
  { path, idAttribute, toRow, idOf }: Listing<Row>,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
) {
  const answer = await http.get(path, { onlyData: "true", ...query }, signal);
  const { items, hasMore } = inForm(Collection, answer);
  const rows: Row[] = [];
  for (const item of items) {
    // Some items a turn, so that a large page does not hold up everybody else.
    if (rows.length > 0 && rows.length % ROWS_A_TURN === 0) await nextTurn();
    rows.push(toRow(item));
  }
  const ids = rows.map((row) => BigInt(idOf(row)));
  if (ids.some((id, index) => id < (ids[index - 1] ?? 0n))) throw unusable(`it is not in the order of ${idAttribute}`);
  return { rows, ids, hasMore };
}

/** Whether this is the last page. `hasMore` is not reliable: after a full page another one is read in any case. */
function isLast(
  { ids, hasMore }: Pick<Awaited<ReturnType<typeof readPage>>, "ids" | "hasMore">,
  fresh: number,
  pageSize: number,
) {
  if (ids.length === 0 || (fresh === 0 && ids.length === 1)) return true;
  return ids.length < pageSize && hasMore !== true;
}
