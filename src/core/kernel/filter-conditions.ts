import type { Expression, SqlBool } from "kysely";

/** The condition of a filter that was given; none for one that was left out. */
export function ifGiven<T>(value: T | undefined, condition: (value: T) => Expression<SqlBool>) {
  return value === undefined ? [] : [condition(value)];
}
