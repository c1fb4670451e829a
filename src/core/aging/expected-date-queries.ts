import { sql } from "kysely";
import { usualDelay } from "../../store/aging/payment-history.ts";

/** When a debt would be paid as its customer usually pays, of tables that have them. */
const usualDate = (debt: string, customer: string) => sql`(${sql.ref(`${debt}.due_date`)} + ${usualDelay(customer)})`;

/** The same as a forecast: null where it is past, or after the last day that can be written. */
export const expectedDate = (debt: string, customer: string, today: string) => sql`
  case when ${usualDate(debt, customer)} between ${today}::date and '9999-12-31' then ${usualDate(debt, customer)} end`;

/** True of a debt that should have been paid by now, as its customer usually pays. */
export const isPastExpected = (debt: string, customer: string, today: string) =>
  sql`coalesce(${usualDate(debt, customer)} < ${today}::date, false)`;
