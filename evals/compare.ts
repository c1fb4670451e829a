import type { Cells } from "./questions/question.ts";

const SHOWN = 4;

/**
 * What of an answer is not the truth, in one line; null where it is exact. Rows have no order; of a truth with ties `anyOf`
 * rows are enough.
 */
export function differenceOf(answer: readonly Cells[], truth: readonly Cells[], anyOf?: number): string | null {
  const [told, right] = [answer.map(keyOf), truth.map(keyOf)];
  const wrong = leftOf(told, right);
  const missing = leftOf(right, told);
  const enough = anyOf !== undefined && told.length === Math.min(anyOf, right.length);
  if (wrong.length === 0 && (missing.length === 0 || enough)) return null;
  return [named("not in the truth", wrong), named("missing", missing)].filter((part) => part !== "").join("; ");
}

const keyOf = (cells: Cells): string => cells.join(" | ");

/** What of `some` the other list has not, counting what is there twice. */
function leftOf(some: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(other, (counts.get(other) ?? 0) + 1);
  return some.filter((one) => {
    const count = counts.get(one) ?? 0;
    counts.set(one, count - 1);
    return count < 1;
  });
}

function named(what: string, rows: readonly string[]): string {
  if (rows.length === 0) return "";
  const more = rows.length > SHOWN ? ` and ${rows.length - SHOWN} more` : "";
  return `${what}: ${rows.slice(0, SHOWN).join(" / ")}${more}`;
}
