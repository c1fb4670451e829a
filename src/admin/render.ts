import type { z } from "zod";

type Json = z.core.util.JSONType;

/**
 * A result as a person reads it: a table for a list, a line a field for one thing. A table that is wider than the terminal
 * would be torn apart: its rows stand one below the other, a line a field. Unknown `columns` are as many as it takes.
 */
export function render(result: Json, columns = Number.POSITIVE_INFINITY): string {
  if (Array.isArray(result)) {
    const rows = result.filter(isObject);
    const whole = table(rows);
    return whole.split("\n").every((line) => width(line) <= columns) ? whole : rows.map(lines).join("\n\n");
  }
  if (isObject(result)) return lines(result);
  return cell(result);
}

function table(rows: readonly Record<string, Json>[]): string {
  const first = rows[0];
  if (first === undefined) return "none";
  const columns = Object.keys(first);
  const cells = [columns, ...rows.map((row) => columns.map((column) => cell(row[column] ?? null)))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => width(row[index] ?? ""))));
  return cells
    .map((row) =>
      row
        .map((text, index) => pad(text, widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function lines(result: Record<string, Json>): string {
  const longest = Math.max(...Object.keys(result).map((key) => key.length));
  return Object.entries(result)
    .map(([key, value]) => `${key.padEnd(longest)}  ${cell(value)}`)
    .join("\n");
}

function cell(value: Json): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && !value.some(isObject)) return value.length === 0 ? "–" : value.map(cell).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const width = (text: string): number => Array.from(text).length;
const pad = (text: string, to: number): string => text + " ".repeat(Math.max(0, to - width(text)));

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
