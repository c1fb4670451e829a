import type { z } from "zod";

type Json = z.core.util.JSONType;

/** A result as a person reads it: a table for a list, a line a field for one thing. */
export function render(result: Json): string {
  if (Array.isArray(result)) return table(result.filter(isObject));
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
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const width = (text: string): number => Array.from(text).length;
const pad = (text: string, to: number): string => text + " ".repeat(Math.max(0, to - width(text)));

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
