import { type RawBuilder, type SqlBool, sql } from "kysely";
import { z } from "zod";
import { cursorsAfter, invalidCursor, openCursor } from "../gate/cursor.ts";
import type { ListedPage } from "../gate/pagination.ts";
import { ranksByMoney } from "../gate/ranking.ts";
import type { RunContext } from "../gate/run-context.ts";
import { nearestCustomers } from "../gate/search-queries.ts";
import type { BusinessDay } from "../workspace/business-day-queries.ts";
import type { InvoiceFilters } from "./list-filters.ts";
import { type InvoiceRecord, matchingInvoices } from "./list-queries.ts";

/** completions §10. */
export const InvoiceSort = z
  .enum(["created", "outstanding_desc", "overdue_desc", "due_asc", "invoice_date_desc"])
  .default("created")
  .describe("Amounts rank within a currency; due_asc: by collection_due_date");
export type InvoiceSort = z.output<typeof InvoiceSort>;

/** One of the values by which rows are ordered, all ascending, and its type in the store. */
type Key = readonly [column: string | RawBuilder<unknown>, type: "text" | "date" | "uuid" | "integer"];

/** Invoices of a list that share an order: one part of it comes after the other. */
interface Stretch {
  readonly keys: readonly Key[];
  readonly where?: RawBuilder<SqlBool>;
}

const ID: Key = ["invoices.invoice_id", "uuid"];
const CURRENCY: Key = ["figures.currency", "text"];
const OUTSTANDING: Key = ["figures.rank_outstanding", "text"];
const OVERDUE: Key = ["figures.rank_overdue", "text"];
const NEWEST: Key = [sql`('9999-12-31'::date - invoices.invoice_date)`, "integer"];
const FIGURE_ID: Key = ["figures.invoice_id", "uuid"];

/** The orders of completions §10, each but that by invoice date along an index; amounts rank within a currency. */
const STRETCHES: Readonly<Record<Exclude<InvoiceSort, "created">, readonly Stretch[]>> = {
  outstanding_desc: [{ keys: [CURRENCY, OUTSTANDING, FIGURE_ID] }],
  overdue_desc: [{ keys: [CURRENCY, OVERDUE, OUTSTANDING, FIGURE_ID] }],
  due_asc: [
    { keys: [["invoices.collection_due_date", "date"], ID], where: sql`invoices.collection_due_date is not null` },
    { keys: [ID], where: sql`invoices.collection_due_date is null` },
  ],
  invoice_date_desc: [
    { keys: [NEWEST, ID], where: sql`invoices.invoice_date is not null` },
    { keys: [ID], where: sql`invoices.invoice_date is null` },
  ],
};

type RankedInvoice = InvoiceRecord & { place: string[] };

interface RankedInput extends InvoiceFilters {
  limit: number;
  cursor?: string | undefined;
  include_total: boolean;
  sort: Exclude<InvoiceSort, "created">;
  /** Invoices of each currency, in a sort that ranks amounts. */
  limit_per_currency?: number | undefined;
}

/**
 * One page of invoices in another order than that of their creation. The cursor holds the values that the last row was
 * ordered by, so that rows which stay as they are come exactly once. Throws `invalid_cursor`.
 */
export async function rankedPage(
  context: RunContext,
  {
    operation,
    input,
    today,
    readUpTo,
  }: { operation: string; input: RankedInput } & Pick<BusinessDay, "today" | "readUpTo">,
): Promise<ListedPage<InvoiceRecord, never>> {
  const { actor, core, tx } = context;
  const { limit, cursor, include_total: _, ...query } = input;
  const { sort, limit_per_currency: first, ...filters } = query;
  const { tenantId } = actor;
  const scope = { operation, tenantId, query };
  const stretches = STRETCHES[sort];
  const [began = "0", asOf = readUpTo, ...place] = cursor === undefined ? [] : openCursor(core.secrets, scope, cursor);
  let at = Number(began);
  if (stretches[at] === undefined) throw invalidCursor();

  const found: { row: RankedInvoice; at: number }[] = [];
  let after: readonly string[] | null = cursor === undefined ? null : place;
  for (let stretch = stretches[at]; stretch !== undefined && found.length <= limit; stretch = stretches[at]) {
    const those = (filters: InvoiceFilters) => matchingInvoices(tx, { tenantId, today }, filters, ranksByMoney(sort));
    const all = those(filters);
    const wanted = first === undefined ? all : those({}).where(firstOfEach(all, stretch, first));
    const rows = await rankedFrom(wanted, stretch, { after, limit: limit + 1 - found.length });
    for (const row of rows) found.push({ row, at });
    after = null;
    at += 1;
  }
  const page = found.slice(0, limit);
  const placeOf = (one: (typeof found)[number]) => [String(one.at), asOf, ...one.row.place];
  const cursorAfter = cursorsAfter(context, scope, { rows: page, placeOf });
  const hasMore = found.length > limit;
  return {
    rows: page.map(({ row: { place: _, ...row } }) => row),
    pagination: {
      next_cursor: hasMore ? cursorAfter(limit - 1) : null,
      has_more: hasMore,
      limit,
      as_of: asOf,
    },
    ...(await nearestCustomers(context, query.search, page.length === 0 && cursor === undefined)),
  };
}

const columnsOf = (keys: readonly Key[]) => keys.map(([name]) => (typeof name === "string" ? sql.ref(name) : name));

/**
 * True for the first invoices of each currency of a ranking. They are found before anything is joined to them: a planner that
 * expects one row would find them again for each row.
 */
function firstOfEach(all: ReturnType<typeof matchingInvoices>, { keys }: Stretch, count: number) {
  const place = sql`row_number() over (partition by figures.currency order by ${sql.join(columnsOf(keys))})`;
  const placed = all.clearSelect().select(["invoices.invoice_id", place.as("place")]);
  return sql<SqlBool>`invoices.invoice_id = any(array(
    select placed.invoice_id from (${placed}) as placed where placed.place <= ${count}))`;
}

/** The invoices of a stretch, from a place on. */
function rankedFrom(
  invoices: ReturnType<typeof matchingInvoices>,
  { keys, where }: Stretch,
  { after, limit }: { after: readonly string[] | null; limit: number },
): Promise<RankedInvoice[]> {
  const columns = columnsOf(keys);
  let query = invoices.select(sql<string[]>`array[${sql.join(columns.map((name) => sql`${name}::text`))}]`.as("place"));
  if (where !== undefined) query = query.where(where);
  if (after !== null) {
    if (after.length !== keys.length) throw invalidCursor();
    const values = keys.map(([, type], index) => sql`${after[index]}::${sql.raw(type)}`);
    query = query.where(sql<SqlBool>`(${sql.join(columns)}) > (${sql.join(values)})`);
  }
  for (const column of columns) query = query.orderBy(column);
  return query.limit(limit).execute();
}
