import { type Call, CLASSES, call, type Question } from "./question.ts";
import { major, type Read, table } from "./read.ts";
import { cash, select } from "./sql.ts";

/** A question whose class its id begins with, answered by its calls. */
export function ask(
  id: string,
  text: string,
  truth: string,
  calls: readonly Call[],
  read: Read,
  more: Pick<Question, "given" | "anyOf" | "inHeldWorkspace"> = {},
): Question {
  const found = CLASSES.find((name) => id.startsWith(`${name}-`));
  if (found === undefined) throw new Error(`${id} has no class`);
  return { id, class: found, text, truth, calls, read, ...more };
}

/** What rows of a currency come to. */
export const AMOUNT = cash("currency", "sum(amount)");

/** How a summary says what is owed. */
export const outstanding = table(0, "totals", major("outstanding"));

/** Invoices of a condition, counted by currency. */
export const invoicesThat = (condition: string): string =>
  select(["coalesce(currency, 'UNKNOWN')", "count(*)"], `from invoice where ${condition} group by currency`);

/** A list asked only how many it has, and what they come to. */
export const counting = (tool: string, filters: Record<string, unknown>) =>
  call(tool, { ...filters, include_total: true, limit: 1, fields: ["id"] });

/** How many of each currency. */
export const counts = table(0, "totals", "currency", "count");
