import { z } from "zod";
import type { PageCursors } from "../src/core/gate/run-context.ts";
import type { ListAnswer } from "./page-budget.ts";

/**
 * Rows with the same key, adjacent under one `sort`, and the fields they share: where only those are requested, one row
 * stands for all.
 */
export interface SharedFields {
  readonly sort: string;
  /** The key first. */
  readonly fields: readonly [key: string, ...others: string[]];
}

/** Most rows that an operation returns at once. */
export const MOST_ROWS = 100;

const Page = z.looseObject({
  data: z.array(z.looseObject({})),
  pagination: z.looseObject({ next_cursor: z.string().nullable() }),
});

/**
 * The key of rows that share all requested fields, in the order in which they are adjacent; null if there is no such
 * key.
 */
export function sharedKey(
  shared: SharedFields | undefined,
  args: { readonly sort?: unknown },
  asked: readonly string[],
) {
  if (shared === undefined || args.sort !== shared.sort) return null;
  return asked.every((name) => shared.fields.includes(name)) ? shared.fields[0] : null;
}

/**
 * The first row of each of the first `limit` keys, from a full page of the operation. The page's last key may go on in
 * the next page, so it is left for that. `total_count` is omitted, because it counts rows.
 */
export function onceEach(
  all: { readonly list: ListAnswer; readonly page: PageCursors },
  { key, limit }: { key: string; limit: number },
): { list: ListAnswer; page: PageCursors } {
  const { data, pagination: whole, ...rest } = Page.parse(all.list);
  const { total_count: _, ...pagination } = whole;
  const firsts = data.flatMap((row, at) => (row[key] === data[at - 1]?.[key] ? [] : [at]));
  const goesOn = whole.next_cursor !== null;
  const kept = Math.min(limit, goesOn && firsts.length > 1 ? firsts.length - 1 : firsts.length);
  const cursorAfter = (at: number) => all.page.cursorAfter((firsts[at + 1] ?? data.length) - 1);
  const nextCursor = kept < firsts.length || goesOn ? cursorAfter(kept - 1) : null;
  return {
    list: {
      ...rest,
      data: firsts.slice(0, kept).map((at) => data[at]),
      pagination: { ...pagination, limit, next_cursor: nextCursor },
    },
    page: { cursorAfter },
  };
}
