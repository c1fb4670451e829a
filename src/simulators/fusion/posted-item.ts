import type { Decimal } from "decimal.js";
import { parseLossless } from "../../gateways/erp/lossless-json.ts";
import { FusionFault } from "./answers.ts";
import { Exact } from "./exact.ts";
import type { FusionItem } from "./records.ts";

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/** Reads a JSON object of known attributes; throws a 415 or 400 for anything else. */
export function readItem(
  contentType: string,
  accepted: readonly string[],
  text: string,
  attributes: Iterable<string>,
): FusionItem {
  if (!accepted.includes(contentType.split(";")[0]?.trim().toLowerCase() ?? "")) {
    throw new FusionFault(415, `The content type ${contentType} is not supported.`);
  }
  let parsed: unknown;
  try {
    parsed = parseLossless(text, (digits) => JSON.rawJSON(digits));
  } catch {
    throw new FusionFault(400, "The request body is not JSON.");
  }
  return knownItem(parsed, attributes);
}

/** An object that has no attributes but these. */
export function knownItem(value: unknown, attributes: Iterable<string>): FusionItem {
  if (!isItem(value)) throw new FusionFault(400, "An object is expected.");
  const known = new Set(attributes);
  const stranger = Object.keys(value).find((name) => !known.has(name));
  if (stranger !== undefined) throw new FusionFault(400, `The attribute ${stranger} is not known.`);
  return value;
}

/** Text of an attribute; null when missing. */
export function textIn(item: FusionItem, name: string, maxLength = 2_000): string | null {
  const value = item[name] ?? null;
  if (value === null || value === "") return null;
  if (typeof value !== "string") throw new FusionFault(400, `The attribute ${name} must be text.`);
  if (value.length > maxLength) throw new FusionFault(400, `The attribute ${name} is longer than ${maxLength}.`);
  return value;
}

/** A number of an attribute, sent as such or as text; null when missing. */
export function numberIn(item: FusionItem, name: string): Decimal | null {
  const value = item[name] ?? null;
  if (value === null) return null;
  const text = JSON.isRawJSON(value) ? value.rawJSON : value;
  if (typeof text === "string" && NUMBER.test(text)) return new Exact(text);
  throw new FusionFault(400, `The attribute ${name} must be a number.`);
}

/** A calendar day of an attribute; null when missing. */
export function dateIn(item: FusionItem, name: string): string | null {
  const value = textIn(item, name);
  const isDay = value === null || (/^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)));
  if (!isDay) throw new FusionFault(400, `The attribute ${name} must be a date.`);
  return value;
}

const isItem = (value: unknown): value is FusionItem =>
  typeof value === "object" && value !== null && !Array.isArray(value);
