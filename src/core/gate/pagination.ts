import type { SelectQueryBuilder } from "kysely";
import { z } from "zod";
import { readUpTo } from "../../store/change-stamps.ts";
import { prepared } from "../../store/driver/statements.ts";
import { countRows, type KeysetColumns, type Position, rowsAfter } from "../../store/keyset.ts";
import { Count, Instant, nameSchemas } from "../kernel/wire-types.ts";
import { cursorsAfter, invalidCursor, openCursor } from "./cursor.ts";
import type { RunContext } from "./operation.ts";
import { type Nearest, nearestCustomers } from "./search-queries.ts";

/** completions §13: the same on every page of a walk. */
export const ReadUpTo = Instant.describe("All changes before it are in the list: hand it in as the next `…_since`");

/** service.md §2.7. */
export const Pagination = z.strictObject({
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
  limit: Count,
  total_count: Count.optional(),
  as_of: ReadUpTo,
});
nameSchemas({ Pagination });

export interface ListInput {
  limit: number;
  cursor?: string | undefined;
  order?: "asc" | "desc" | undefined;
  include_total: boolean;
  search?: string | undefined;
}

interface List<DB, TB extends keyof DB, Row extends { created_at: string }, Total> {
  operation: string;
  input: ListInput;
  /** All rows of the tenant that match the filters, unordered. */
  query: SelectQueryBuilder<DB, TB, Row>;
  columns: KeysetColumns;
  idOf(row: Row): string;
  /** What all matching rows come to, by currency (completions §10); for lists whose rows are amounts. */
  totals?(): Promise<Total[]>;
  /** Where the caller has read it. */
  readUpTo?: string;
  /** For lists that are polled, or whose rows may be few enough to sort: the query without its filters. */
  range?: {
    all: SelectQueryBuilder<DB, TB, Row>;
    /** Asked for a first page, whose cursors remember whether they are few; null where no filter is a range. */
    count(): Promise<{ isEmpty: boolean; isFew: boolean } | null>;
  };
}

/** A page, with `include_total` what all rows come to, and where a search found nothing the customers most like it. */
export interface ListedPage<Row, Total> {
  rows: Row[];
  pagination: z.infer<typeof Pagination>;
  totals?: Total[];
  nearest?: z.output<typeof Nearest>;
}

/** How the rest of a list is found, as a cursor says it. */
const SORTED = "sorted";

/** One page of a list, newest (or oldest) first, and where it goes on. Throws `invalid_cursor`. */
export async function listPage<
  DB,
  TB extends keyof DB,
  Row extends { created_at: string },
  Total extends { count: number } = never,
>(
  context: RunContext,
  { operation, input, query, columns, idOf, totals, range, readUpTo: upTo }: List<DB, TB, Row, Total>,
): Promise<ListedPage<Row, Total>> {
  const { actor, core, tx } = context;
  const { limit, cursor, order = "desc", include_total: includeTotal, ...filters } = input;
  const { tenantId } = actor;
  const scope = { operation, tenantId, query: { ...filters, order } };
  const position = cursor === undefined ? null : positionOf(openCursor(core.secrets, scope, cursor));
  const inRange = position === null && range !== undefined ? await range.count() : null;
  const isSorted = position?.isSorted ?? inRange?.isFew ?? false;

  const fetch = isSorted ? range?.all : undefined;
  const page = rowsAfter(query, columns, { position, order, limit: limit + 1, fetch });
  // Without a filter it is the order's index, from a place on; which index is best for a filter hangs on its value.
  const hasOnePlan = Object.values(filters).every((filter) => filter === undefined);
  // Read before the page, which then has every change before it.
  const asOf = position?.asOf ?? upTo ?? (await readUpTo(tx, tenantId));
  const statement = () => (hasOnePlan ? prepared(page.compile()) : page.compile());
  const found = inRange?.isEmpty ? [] : (await tx.executeQuery(statement())).rows;
  const rows = found.slice(0, limit);
  const placeOf = (row: Row) => [row.created_at, idOf(row), asOf, ...(isSorted ? [SORTED] : [])];
  const cursorAfter = cursorsAfter(context, scope, { rows, placeOf });
  const hasMore = found.length > limit;
  const pagination = { next_cursor: hasMore ? cursorAfter(limit - 1) : null, has_more: hasMore, limit, as_of: asOf };
  const nearest = await nearestCustomers(context, input.search, rows.length === 0 && position === null);
  const listed = { rows, pagination, ...nearest };
  if (!includeTotal) return listed;
  if (totals !== undefined) return withTotals(listed, await totals());
  return { ...listed, pagination: { ...pagination, total_count: await countRows(tx, query) } };
}

/** The page with what all rows come to, and how many they are. */
export function withTotals<Row, Total extends { count: number }>(
  { rows, pagination, nearest }: ListedPage<Row, never>,
  totals: Total[],
): ListedPage<Row, Total> {
  const count = totals.reduce((sum, total) => sum + total.count, 0);
  return { rows, pagination: { ...pagination, total_count: count }, totals, ...(nearest && { nearest }) };
}

function positionOf([createdAt, id, asOf, ...rest]: string[]): Position & { asOf: string; isSorted: boolean } {
  if (createdAt === undefined || id === undefined || asOf === undefined) throw invalidCursor();
  return { createdAt, id, asOf, isSorted: rest.includes(SORTED) };
}
