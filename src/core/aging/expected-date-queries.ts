import { sql } from "kysely";
import type { SqlPart } from "../../store/aging/rollup-parts.ts";

/** Of fewer payments nothing is concluded (completions §10). */
const FEWEST_PAYMENTS = 3;

/** When a debt would be paid as its customer usually pays, of tables that have them; half a day rounds to the later day. */
const usualDate = (debt: string, customer: string): SqlPart => sql`
  case when ${sql.ref(`${customer}.paid_installments`)} >= ${sql.lit(FEWEST_PAYMENTS)}
    then ${sql.ref(`${debt}.due_date`)} + floor(${sql.ref(`${customer}.median_days_late`)} + 0.5)::integer end`;

/** The same as a forecast: null where it is past, or after the last day that can be written. */
export const expectedDate = (debt: string, customer: string, today: string): SqlPart => sql`
  case when ${usualDate(debt, customer)} between ${today}::date and '9999-12-31' then ${usualDate(debt, customer)} end`;

/** True of a debt that should have been paid by now, as its customer usually pays. */
export const isPastExpected = (debt: string, customer: string, today: string): SqlPart =>
  sql`coalesce(${usualDate(debt, customer)} < ${today}::date, false)`;
