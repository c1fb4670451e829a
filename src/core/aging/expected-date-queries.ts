import { sql } from "kysely";
import type { SqlPart } from "../../store/aging/rollup-parts.ts";

/** Of fewer payments nothing is concluded (completions §10). */
const FEWEST_PAYMENTS = 3;

/**
 * When a debt will be paid if its customer pays as before, given tables that have the debt and its customer's history; half
 * a day rounds to the later day.
 */
export const expectedDate = (debt: string, customer: string, today: string): SqlPart => sql`
  case when ${sql.ref(`${customer}.paid_installments`)} >= ${sql.lit(FEWEST_PAYMENTS)}
    then greatest(${sql.ref(`${debt}.due_date`)} + floor(${sql.ref(`${customer}.median_days_late`)} + 0.5)::integer,
      ${today}::date)
  end`;
