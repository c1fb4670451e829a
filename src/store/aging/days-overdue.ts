import { type RawBuilder, sql } from "kysely";
import { BUCKET_STARTS } from "./bucket-starts.ts";

/** Days from a due date to a day: negative before it is due, zero on it (completions §6). */
export const daysOverdue = (
  day: RawBuilder<unknown> | string,
  due: RawBuilder<unknown> = sql`due_date`,
): RawBuilder<unknown> => sql`${day}::date - ${due}`;

/** The place of the bucket of a row with a due date, on a day (service.md §4.10). */
export const bucketOn = (day: RawBuilder<unknown> | string) =>
  sql`width_bucket(${daysOverdue(day)}, array[${sql.join(BUCKET_STARTS.map((start) => sql.lit(start)))}])`;
