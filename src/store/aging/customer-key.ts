import { type RawBuilder, sql } from "kysely";

/** Begins the key of an invoice without a customer; its id follows (service.md §2.6). */
export const UNASSIGNED = "unassigned:";

/** Key of the customer that a row with `customer_id` and `invoice_id` is of (service.md §2.6). */
export const customerKey = (alias: string): RawBuilder<unknown> =>
  sql`coalesce(${sql.ref(`${alias}.customer_id`)}::text, ${sql.lit(UNASSIGNED)} || ${sql.ref(`${alias}.invoice_id`)}::text)`;
