import type { CellStyle, CellValue } from "hucre/xlsx";
import { type FileColumn, type FileContent, headOf, valueIn } from "./columns.ts";

interface Cell {
  readonly value: CellValue;
  readonly style: CellStyle;
}

/** What spreadsheets keep of a number, and of a text. */
const MOST_DIGITS = 15;
const MOST_CHARACTERS = 32_767;

const DAY_MS = 86_400_000;
/** The day from which spreadsheets count days; those before March 1900 they count differently. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST_DAY = 61;

const PLAIN: CellStyle = {};
const HEAD: CellStyle = { font: { bold: true, name: "Calibri", size: 11 } };
const NARROWEST = 14;

/** A list as an Office Open XML workbook, row by row: amounts, days and times are numbers, and texts never formulas. */
export async function* asWorkbook({ name, columns, timezone, pages }: FileContent) {
  const { writeXlsxStream } = await import("hucre/xlsx");
  // A column is asked for its style at each row, after the row was taken and before the next.
  let styles = columns.map(() => HEAD);
  const shown = columns.map((column, index) => {
    const header = headOf(column, timezone);
    const width = Math.max(NARROWEST, header.length + 2);
    return {
      header,
      width,
      get style() {
        return styles[index] ?? PLAIN;
      },
    };
  });
  async function* rows() {
    for await (const page of pages)
      for (const row of page) {
        const cells = columns.map((column) => cellOf(column, valueIn(column, row, timezone)));
        styles = cells.map(({ style }) => style);
        yield cells.map(({ value }) => value);
      }
  }
  yield* writeXlsxStream(rows(), { name: name.replace(/.*\//, ""), columns: shown, freezePane: { rows: 1 } });
}

function cellOf({ holds }: FileColumn, value: unknown): Cell {
  if (value === null || value === undefined || value === "") return { value: null, style: PLAIN };
  if (typeof value === "number" || typeof value === "boolean") return { value, style: PLAIN };
  const text = String(value);
  const typed = holds === "amount" ? amountCell(text) : holds && dayCell(text);
  return typed ?? { value: safeText(text), style: PLAIN };
}

/** With the decimals that it is written with, which are its currency's; null where a number would not be exact. */
function amountCell(text: string): Cell | null {
  const [isAmount, whole = "", decimals = ""] = /^-?0*(\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  if (isAmount === undefined || whole.length + decimals.length > MOST_DIGITS) return null;
  return { value: Number(text), style: { numFmt: `#,##0${decimals && `.${"0".repeat(decimals.length)}`}` } };
}

/** `2026-11-26`, and `2026-11-26 14:05`. */
function dayCell(text: string): Cell | null {
  const [day = "", time] = text.split(" ");
  const value = (Date.parse(`${day}T${time ?? "00:00"}Z`) - DAY_ZERO) / DAY_MS;
  return value >= FIRST_DAY ? { value, style: { numFmt: time ? "yyyy-mm-dd hh:mm" : "yyyy-mm-dd" } } : null;
}

/** A text without what XML cannot hold; one that would be read as an escape, such as `_x0041_`, is kept from it. */
function safeText(text: string) {
  const whole = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
  return whole
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu, "\uFFFD")
    .replace(/_(?=x[\da-f]{4}_)/gi, "_x005F_");
}
