import { Decimal } from "decimal.js";
import { type Condition, type Literal, type Operator, QueryError } from "./query-parser.ts";
import { type FusionRecord, type FusionValue, textOf } from "./records.ts";
import type { AttributeType, Resource } from "./resources.ts";

type Predicate = (record: FusionRecord) => boolean;
type Comparable = string | Decimal;

const DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** Whether an item fits. Throws QueryError for an attribute the resource has not, or a value of the wrong type. */
export function matcher(resource: Resource, condition: Condition): Predicate {
  switch (condition.kind) {
    case "and": {
      const parts = condition.of.map((part) => matcher(resource, part));
      return (record) => parts.every((part) => part(record));
    }
    case "or": {
      const parts = condition.of.map((part) => matcher(resource, part));
      return (record) => parts.some((part) => part(record));
    }
    case "compare": {
      const type = typeOf(resource, condition.attribute);
      const wanted = comparable(type, condition.value);
      return (record) => holds(comparableOf(record, condition.attribute, type), condition.operator, wanted);
    }
    case "in": {
      const type = typeOf(resource, condition.attribute);
      const wanted = new Set(condition.values.map((value) => canonical(comparable(type, value))));
      return (record) => {
        const value = comparableOf(record, condition.attribute, type);
        return value !== null && wanted.has(canonical(value));
      };
    }
    case "like": {
      typeOf(resource, condition.attribute);
      const pattern = likePattern(condition.pattern);
      return (record) => pattern.test(textOf(record.attributes.get(condition.attribute) ?? null) ?? "");
    }
    case "null":
      typeOf(resource, condition.attribute);
      return (record) => ((record.attributes.get(condition.attribute) ?? null) === null) !== condition.negated;
  }
}

/** The order of two items by an attribute; what has no value comes last. */
export function compareBy(resource: Resource, attribute: string): (a: FusionRecord, b: FusionRecord) => number {
  const type = typeOf(resource, attribute);
  const known = new Map<FusionRecord, Comparable | null>();
  const value = (record: FusionRecord): Comparable | null => {
    const cached = known.get(record);
    if (cached !== undefined) return cached;
    const found = comparableOf(record, attribute, type);
    known.set(record, found);
    return found;
  };
  return (a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return (left === null ? 1 : 0) - (right === null ? 1 : 0);
    return compare(left, right);
  };
}

function typeOf(resource: Resource, attribute: string): AttributeType {
  const type = Object.hasOwn(resource.attributes, attribute) ? resource.attributes[attribute] : undefined;
  if (type === undefined) throw new QueryError(`the attribute ${attribute} is not queryable`);
  return type;
}

function comparable(type: AttributeType, value: Literal): Comparable {
  if (type === "number") {
    if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(value.text))
      throw new QueryError(`"${value.text}" is not a number`);
    return new Decimal(value.text);
  }
  if (type === "date" && !(value.quoted && DATE.test(value.text)))
    throw new QueryError(`"${value.text}" is not a date`);
  return value.text;
}

function comparableOf(record: FusionRecord, attribute: string, type: AttributeType): Comparable | null {
  const value: FusionValue = record.attributes.get(attribute) ?? null;
  const text = textOf(value);
  return text === null || type !== "number" ? text : new Decimal(text);
}

function compare(left: Comparable, right: Comparable): number {
  if (typeof left === "string" || typeof right === "string") {
    const [a, b] = [String(left), String(right)];
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return left.cmp(right);
}

function holds(value: Comparable | null, operator: Operator, wanted: Comparable): boolean {
  if (value === null) return false;
  const order = compare(value, wanted);
  switch (operator) {
    case "=":
      return order === 0;
    case "!=":
    case "<>":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

const canonical = (value: Comparable): string => (typeof value === "string" ? value : value.toFixed());

/** `%` is any text, `_` any one character. */
function likePattern(pattern: string): RegExp {
  const source = [...pattern].map((sign) => (sign === "%" ? ".*" : sign === "_" ? "." : RegExp.escape(sign))).join("");
  return new RegExp(`^${source}$`, "su");
}
