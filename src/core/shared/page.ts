import type { SelectQueryBuilder } from "kysely";
import { z } from "zod";
import { prepared } from "../../store/driver/statements.ts";
import { countRows, type KeysetColumns, type Position, rowsAfter } from "../../store/keyset.ts";
import { type Given, shaped } from "../../store/prepared.ts";
import type { Transaction } from "../../store/store.ts";
import type { RunContext } from "../gate/operation.ts";
import { cursorsAfter, invalidCursor, MAX_CURSOR_LENGTH, openCursor } from "./cursor.ts";

export const Cursor = z.string().min(1).max(MAX_CURSOR_LENGTH).describe("`next_cursor` of the previous page");

/** The parameters every list shares (service.md §4.1). */
export const LIST_PARAMETERS = {
  limit: z.int().min(1).max(100).default(25).describe("Page size"),
  cursor: Cursor.optional(),
  order: z.enum(["asc", "desc"]).default("desc").describe("By creation time"),
  include_total: z.boolean().default(false).describe("Also count all matching rows"),
};

/** service.md §2.7. */
export const Pagination = z.strictObject({
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
  limit: z.int(),
  total_count: z.int().optional(),
});

interface ListInput {
  limit: number;
  cursor?: string | undefined;
  order: "asc" | "desc";
  include_total: boolean;
}

interface List<DB, TB extends keyof DB, Row extends { created_at: string }> {
  operation: string;
  input: ListInput;
  /** All rows of the tenant that match the filters, unordered. It may depend on the input and on nothing else. */
  query(db: Transaction, tenantId: Given<string>): SelectQueryBuilder<DB, TB, Row>;
  columns: KeysetColumns;
  idOf(row: Row): string;
  /** For lists whose rows may be few enough to sort: the query without its filters, and whether they are. */
  few?: {
    all(db: Transaction, tenantId: Given<string>): SelectQueryBuilder<DB, TB, Row>;
    /** Asked for a first page; its cursors remember the answer. */
    test(): Promise<boolean>;
  };
}

/** How the rest of a list is found, as a cursor says it. */
const SORTED = "sorted";

/** One page of a list, newest (or oldest) first, and where it goes on. Throws `invalid_cursor`. */
export async function listPage<DB, TB extends keyof DB, Row extends { created_at: string }>(
  context: RunContext,
  { operation, input, query, columns, idOf, few }: List<DB, TB, Row>,
): Promise<{ rows: Row[]; pagination: z.infer<typeof Pagination> }> {
  const { actor, core, tx } = context;
  const { limit, cursor, order, include_total: includeTotal, ...filters } = input;
  const scope = { operation, tenantId: actor.tenantId, query: { ...filters, order } };
  const position = cursor === undefined ? null : positionOf(openCursor(core.secrets, scope, cursor));
  const isSorted = few !== undefined && (position?.isSorted ?? (await few.test()));

  const shape = JSON.stringify([operation, filters, order, limit, position !== null, isSorted]);
  const values = { tenantId: actor.tenantId, createdAt: position?.createdAt ?? "", id: position?.id ?? "" };
  const statement = shaped(shape, values, (db, value) =>
    rowsAfter(query(db, value("tenantId")), columns, {
      position: position === null ? null : { createdAt: value("createdAt"), id: value("id") },
      order,
      limit: limit + 1,
      fetch: isSorted ? few.all(db, value("tenantId")) : undefined,
    }).compile(),
  );
  // Without a filter it is the order's index, from a place on; which index is best for a filter hangs on its value.
  const hasOnePlan = Object.values(filters).every((filter) => filter === undefined);
  const { rows: found } = await tx.executeQuery(hasOnePlan ? prepared(statement) : statement);
  const rows = found.slice(0, limit);
  const placeOf = (row: Row): string[] => [row.created_at, idOf(row), ...(isSorted ? [SORTED] : [])];
  const cursorAfter = cursorsAfter(context, scope, { rows, placeOf });
  const hasMore = found.length > limit;
  return {
    rows,
    pagination: {
      next_cursor: hasMore ? cursorAfter(limit - 1) : null,
      has_more: hasMore,
      limit,
      ...(includeTotal ? { total_count: await countRows(tx, query(tx, actor.tenantId)) } : {}),
    },
  };
}

function positionOf([createdAt, id, ...rest]: string[]): Position & { isSorted: boolean } {
  if (createdAt === undefined || id === undefined) throw invalidCursor();
  return { createdAt, id, isSorted: rest.includes(SORTED) };
}
