import { parseLossless } from "../../gateways/erp/lossless-json.ts";
import type { FusionItem } from "./records.ts";

/** What a file holds. */
export interface Dataset {
  readonly invoices: FusionItem[];
  readonly accounts: FusionItem[];
}

/** One item a line: `{"resource":"receivablesInvoices","item":{…}}`. Throws, with the line's number, where it is not. */
export function parseNdjson(text: string): Dataset {
  const dataset: Dataset = { invoices: [], accounts: [] };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const parsed = parsedLine(line);
    if (parsed === undefined)
      throw new Error(`line ${index + 1} is not {"resource": …, "item": {…}} of a known resource`);
    dataset[parsed.resource].push(parsed.item);
  }
  return dataset;
}

function parsedLine(line: string): { resource: keyof Dataset; item: FusionItem } | undefined {
  let value: unknown;
  try {
    value = parseLossless(line, (digits) => JSON.rawJSON(digits));
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !isRecord(value.item)) return undefined;
  if (value.resource === "receivablesInvoices") return { resource: "invoices", item: value.item };
  return value.resource === "accounts" ? { resource: "accounts", item: value.item } : undefined;
}

function isRecord(value: unknown): value is FusionItem {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
