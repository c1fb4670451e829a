import { sql } from "kysely";
import type { CustomerSort } from "./list-parameters.ts";
import type { Slice } from "./slice.ts";

/**
 * The orders of customers (service.md §4.10, `sort`), all ascending, so that a comparison of rows finds the next page, and each along an index. In one
 * bucket, and in all but `current`, what is overdue and what is outstanding go together.
 */
export function customerOrder({ name }: Slice, sort: CustomerSort) {
  if (sort === "days_late_desc") return sql`late_rank, customer_key, currency`;
  if (sort === "customer_asc") return sql`currency, sort_name, customer_key`;
  if (name !== "all") return sql.raw(`currency, rank_${name}, customer_key`);
  return sort === "overdue_desc"
    ? sql`currency, rank_overdue, rank_all, customer_key`
    : sql`currency, rank_all, rank_overdue, customer_key`;
}

/** The one order of installments (service.md §4.10): by due date, invoice and installment; one without a number comes last. */
export const INSTALLMENT_ORDER = sql.raw("due_date, invoice_id, coalesce(sequence_number, 2147483647), debt_id");
