import type { Expression, ExpressionBuilder, SqlBool, StringReference } from "kysely";

/** The condition of a filter that was given; none for one that was left out. */
export function ifGiven<T>(value: T | undefined, condition: (value: T) => Expression<SqlBool>): Expression<SqlBool>[] {
  return value === undefined ? [] : [condition(value)];
}

type Compared = "=" | ">=" | "<=" | "<" | "in";

/** The conditions of the filters that were given, each on its column: equal, or compared as said. */
export function givenConditions<DB, TB extends keyof DB, Filters extends object>(
  eb: ExpressionBuilder<DB, TB>,
  filters: Filters,
  columns: {
    readonly [Name in keyof Filters]?: StringReference<DB, TB> | readonly [StringReference<DB, TB>, Compared];
  },
) {
  const given = new Map(Object.entries(filters));
  return Object.entries(columns).flatMap(([name, column]) => {
    const reference: StringReference<DB, TB> = Array.isArray(column) ? column[0] : column;
    const compared: Compared = Array.isArray(column) ? column[1] : "=";
    return ifGiven(given.get(name), (value) => eb(reference, compared, value));
  });
}
