import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { InvoiceFilters } from "./schema.ts";

/** Up to this many rows are sorted faster than found along an index of another column. */
const FEW = 10_000;

/**
 * Whether a list's range filter leaves few rows. The planner assumes that dates of change and due dates are independent of
 * creation times, and would scan along those for rows that are all at one end.
 */
export async function fewInRange(tx: Transaction, tenantId: string, filters: InvoiceFilters): Promise<boolean> {
  const { updated_since: since, due_before: before, due_after: after } = filters;
  if (since === undefined && before === undefined && after === undefined) return false;
  const found = await tx
    .selectFrom((outer) => {
      let range = outer.selectFrom("invoices").select(sql`1`.as("one")).where("tenant_id", "=", tenantId);
      // One range is enough, and each has an index.
      if (since !== undefined) range = range.where("updated_at", ">=", since);
      else if (before !== undefined) range = range.where("collection_due_date", "<=", before);
      if (since === undefined && after !== undefined) range = range.where("collection_due_date", ">=", after);
      return range.limit(FEW + 1).as("range");
    })
    .select((eb) => eb.fn.countAll<string>().as("rows"))
    .executeTakeFirstOrThrow();
  return Number(found.rows) <= FEW;
}
