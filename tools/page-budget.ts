import type { PageCursors } from "../src/core/gate/run-context.ts";
import { inertJson } from "../src/core/kernel/inert-json.ts";

/** A page has at most this many bytes, which are fewer than 20,000 tokens (completions §10). */
export const PAGE_BYTES = 36_000;

/** How long the text is that a model reads (src/mcp/tool-feature.ts). */
const bytesOf = (value: unknown) => Buffer.byteLength(inertJson(JSON.stringify(value)));

/** A list as an operation returns it. */
export type ListAnswer = Readonly<Record<string, unknown>>;

/**
 * Drops the last rows of a page that would be too long, but never the first. The cursor goes on after the last row
 * kept, and `limit` is still the requested one.
 */
export function withinBudget(answer: ListAnswer, page: PageCursors): object {
  const { data } = answer;
  if (!Array.isArray(data)) return answer;
  const fitting = rowsThatFit(data, PAGE_BYTES - bytesOf({ ...answer, data: [] }));
  if (fitting === data.length) return answer;
  const pagination = { ...Object(answer.pagination), next_cursor: page.cursorAfter(fitting - 1) };
  return {
    ...answer,
    data: data.slice(0, fitting),
    pagination: "has_more" in pagination ? { ...pagination, has_more: true } : pagination,
  };
}

/** How many of the first rows fit into `budget` bytes, each with the comma after it; at least one. */
function rowsThatFit(rows: readonly unknown[], budget: number) {
  let left = budget;
  const over = rows.findIndex((row) => {
    left -= bytesOf(row) + 1;
    return left <= 0;
  });
  return over === -1 ? rows.length : Math.max(over, 1);
}
