import { z } from "zod";
import type { PageCursors } from "../src/core/gate/run-context.ts";
import type { ListAnswer } from "./page-budget.ts";

/** Rows that stand together under one `sort`, and what they share: asked for nothing else, the first of them answers for all. */
export interface SharedFields {
  readonly sort: string;
  /** Their key comes first. */
  readonly fields: readonly [key: string, ...others: string[]];
}

/** The most rows that an operation answers at once. */
export const MOST_ROWS = 100;

const Page = z.looseObject({
  data: z.array(z.looseObject({})),
  pagination: z.looseObject({ next_cursor: z.string().nullable() }),
});

/** The key of the rows that share all that a call asks for, in the order in which they stand together; null otherwise. */
export function sharedKey(
  shared: SharedFields | undefined,
  args: { readonly sort?: unknown },
  asked: readonly string[],
): string | null {
  if (shared === undefined || args.sort !== shared.sort) return null;
  return asked.every((name) => shared.fields.includes(name)) ? shared.fields[0] : null;
}

/**
 * The first `limit` keys of a page of all the rows an operation answers at once, each with its first row. Rows of the last
 * key may be on the operation's next page: it is left for that. `total_count`, which counts rows, is left out.
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
  const cursorAfter = (at: number): string => all.page.cursorAfter((firsts[at + 1] ?? data.length) - 1);
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
