import { type FileContent, headOf, valueIn } from "./columns.ts";

/** The byte order mark, by which spreadsheets recognize UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** A list as text (RFC 4180), a page of rows at a time. */
export async function* asCsv({ columns, timezone, pages }: FileContent) {
  yield BYTE_ORDER_MARK + csvLine(columns.map((column) => headOf(column, timezone)));
  for await (const rows of pages)
    yield rows.map((row) => csvLine(columns.map((column) => valueIn(column, row, timezone)))).join("");
}

/** A line with its line break. */
export function csvLine(values: readonly unknown[]) {
  return `${values.map(csvCell).join(",")}\r\n`;
}

/** After these some spreadsheets begin another cell, quoted or not: their list separator is the computer's. */
const AFTER_SEPARATOR = /(?<=[;,\t\r\n])/;
/** How spreadsheets recognize a formula, some of them behind white space and in full width too. */
const FORMULA = /^[\s\p{C}"]*[=+\-@]/u;
/** The only one of them that an exact amount can begin with. */
const NEGATIVE = /^-\d+(\.\d+)?$/;

/** A cell: what a spreadsheet would take for a formula gets an apostrophe first, anywhere in it; amounts stay exact. */
export function csvCell(value: unknown) {
  if (value === null || value === undefined) return "";
  const text = String(value);
  const safe = NEGATIVE.test(text) ? text : withoutFormulas(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function withoutFormulas(text: string) {
  const parts = text.split(AFTER_SEPARATOR).map((part) => (FORMULA.test(part.normalize("NFKC")) ? `'${part}` : part));
  return `${/^[\t\r\n]/.test(text) ? "'" : ""}${parts.join("")}`;
}
