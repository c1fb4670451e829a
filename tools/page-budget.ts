import type { PageCursors } from "../src/core/gate/run-context.ts";
import { inertJson } from "../src/core/shared/inert-json.ts";
import { tokensAtMost } from "./token-bound.ts";

/** Tokens of a page stay below this (completions §10). */
export const PAGE_TOKENS = 20_000;

/** As a model reads it (src/mcp/tool-feature.ts). */
const textOf = (value: unknown): string => inertJson(JSON.stringify(value));

/** Data of a list, as an operation answers it. */
export type ListAnswer = Readonly<Record<string, unknown>>;

/**
 * The answer without the last rows that would make it too long; one row at least. It goes on after the last row that is
 * left, and `limit` is still what was asked for.
 */
export function withinBudget(answer: ListAnswer, page: PageCursors): object {
  const { data } = answer;
  // Each token is a byte at least.
  if (!Array.isArray(data) || Buffer.byteLength(textOf(answer)) < PAGE_TOKENS) return answer;
  const fitting = rowsThatFit(data, PAGE_TOKENS - tokensAtMost(textOf({ ...answer, data: [] })));
  if (fitting === data.length) return answer;
  const pagination = { ...Object(answer.pagination), next_cursor: page.cursorAfter(fitting - 1) };
  return {
    ...answer,
    data: data.slice(0, fitting),
    pagination: "has_more" in pagination ? { ...pagination, has_more: true } : pagination,
  };
}

/** How many of the first rows have fewer tokens than `budget`, each with the comma after it; one at least. */
function rowsThatFit(rows: readonly unknown[], budget: number): number {
  let left = budget;
  const over = rows.findIndex((row) => {
    left -= tokensAtMost(textOf(row)) + 1;
    return left <= 0;
  });
  return over === -1 ? rows.length : Math.max(over, 1);
}
