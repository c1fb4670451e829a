import { Decimal } from "decimal.js";
import type { RawJson } from "../../gateways/erp/lossless-json.ts";
import { type FusionRecord, type FusionValue, textOf } from "./records.ts";

/** Room enough that nothing is rounded unasked. */
export const Exact = Decimal.clone({ precision: 60, toExpNeg: -60, toExpPos: 60 });

/** An amount of an item; null where it has none. */
export function amountOf(record: FusionRecord, attribute: string): Decimal | null {
  const value: FusionValue = record.attributes.get(attribute) ?? null;
  const text = textOf(value);
  return text === null || text === "" ? null : new Exact(text);
}

/** An amount to be stored and written with all its digits. */
export const rawAmount = (amount: Decimal): RawJson => JSON.rawJSON(amount.isZero() ? "0" : amount.toFixed());

/** Text of an item; null where it has none. */
export const attributeOf = (record: FusionRecord, attribute: string): string | null =>
  textOf(record.attributes.get(attribute) ?? null);
