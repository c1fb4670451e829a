import { type RawBuilder, type SqlBool, sql } from "kysely";
import { z } from "zod";
import { cursorsAfter, invalidCursor, openCursor } from "../gate/cursor.ts";
import type { ListedPage } from "../gate/pagination.ts";
import type { RunContext } from "../gate/run-context.ts";
import { sameTenant } from "../kernel/same-tenant.ts";
import type { InvoiceFilters } from "./list-filters.ts";
import { type InvoiceRecord, matchingInvoices } from "./list-queries.ts";

/** completions §10. */
export const InvoiceSort = z
  .enum(["created", "outstanding_desc", "overdue_desc", "due_asc"])
  .default("created")
  .describe("Amounts rank within a currency: give it; due_asc: collection_due_date, null last");
export type InvoiceSort = z.output<typeof InvoiceSort>;

/** One of the values by which rows are ordered, all ascending, and its type in the store. */
type Key = readonly [column: string, type: "text" | "date" | "uuid"];

/** Invoices of a list that share an order: one part of it comes after the other. */
interface Stretch {
  readonly keys: readonly Key[];
  readonly where?: RawBuilder<SqlBool>;
}

const ID: Key = ["invoices.invoice_id", "uuid"];
const CURRENCY: Key = ["figures.currency", "text"];
const OUTSTANDING: Key = ["figures.rank_outstanding", "text"];
const OVERDUE: Key = ["figures.rank_overdue", "text"];
const FIGURE_ID: Key = ["figures.invoice_id", "uuid"];

/** The orders of completions §10, each along an index; amounts rank within a currency. */
const STRETCHES: Readonly<Record<Exclude<InvoiceSort, "created">, readonly Stretch[]>> = {
  outstanding_desc: [{ keys: [CURRENCY, OUTSTANDING, FIGURE_ID] }],
  overdue_desc: [{ keys: [CURRENCY, OVERDUE, OUTSTANDING, FIGURE_ID] }],
  due_asc: [
    { keys: [["invoices.collection_due_date", "date"], ID], where: sql`invoices.collection_due_date is not null` },
    { keys: [ID], where: sql`invoices.collection_due_date is null` },
  ],
};

/** Whether an order is read from the roll-up's figures. */
export const ranksByFigures = (sort: InvoiceSort): boolean => sort === "outstanding_desc" || sort === "overdue_desc";

type RankedInvoice = InvoiceRecord & { place: string[] };

interface RankedInput extends InvoiceFilters {
  limit: number;
  cursor?: string | undefined;
  include_total: boolean;
  sort: Exclude<InvoiceSort, "created">;
}

/**
 * One page of invoices in another order than that of their creation. The cursor holds the values that the last row was
 * ordered by, so that rows which stay as they are come exactly once. Throws `invalid_cursor`.
 */
export async function rankedPage(
  context: RunContext,
  { operation, input, today }: { operation: string; input: RankedInput; today: string },
): Promise<ListedPage<InvoiceRecord, never>> {
  const { actor, core, tx } = context;
  const { limit, cursor, include_total: _, ...query } = input;
  const { sort, ...filters } = query;
  const { tenantId } = actor;
  const scope = { operation, tenantId, query };
  const stretches = STRETCHES[sort];
  const [first = "0", ...place] = cursor === undefined ? [] : openCursor(core.secrets, scope, cursor);
  let at = Number(first);
  if (stretches[at] === undefined) throw invalidCursor();

  const found: { row: RankedInvoice; at: number }[] = [];
  let after: readonly string[] | null = cursor === undefined ? null : place;
  for (let stretch = stretches[at]; stretch !== undefined && found.length <= limit; stretch = stretches[at]) {
    const all = matchingInvoices(tx, { tenantId, today }, filters).$if(ranksByFigures(sort), withFigures);
    const rows = await rankedFrom(all, stretch, { after, limit: limit + 1 - found.length });
    for (const row of rows) found.push({ row, at });
    after = null;
    at += 1;
  }
  const page = found.slice(0, limit);
  const placeOf = (one: (typeof found)[number]): string[] => [String(one.at), ...one.row.place];
  const cursorAfter = cursorsAfter(context, scope, { rows: page, placeOf });
  const hasMore = found.length > limit;
  return {
    rows: page.map(({ row }) => row),
    pagination: {
      next_cursor: hasMore ? cursorAfter(limit - 1) : null,
      has_more: hasMore,
      limit,
    },
  };
}

const withFigures = (query: ReturnType<typeof matchingInvoices>) =>
  query.innerJoin("invoice_figures as figures", sameTenant("figures", "invoices", "invoice_id"));

/** The invoices of a stretch, from a place on. */
function rankedFrom(
  invoices: ReturnType<typeof matchingInvoices>,
  { keys, where }: Stretch,
  { after, limit }: { after: readonly string[] | null; limit: number },
): Promise<RankedInvoice[]> {
  const columns = keys.map(([name]) => sql.ref(name));
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
