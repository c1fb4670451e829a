import { type RawBuilder, sql } from "kysely";
import type { SqlPart } from "./rollup-parts.ts";

/**
 * What of an invoice is overdue on a day: those of its debts that count ({@link freshDebts}) and were due before it, added up
 * (completions §10). `invoice` is its alias.
 */
export function overdueOf(
  invoice: string,
  { tenantId, today }: { tenantId: string; today: string },
): RawBuilder<string> {
  const column = (name: string): SqlPart => sql.ref(`${invoice}.${name}`);
  return sql<string>`case
    when ${column("retired_at")} is not null then 0
    when ${column("has_installments")} then coalesce((
      select sum(part.collection_outstanding) from installments as part
      where part.tenant_id = ${tenantId} and part.invoice_id = ${column("invoice_id")}
        and part.removed_at is null and not part.closed and part.collection_outstanding > 0
        and part.due_date < ${today}::date), 0)
    when ${column("due_date")} < ${today}::date then greatest(${column("collection_outstanding")}, 0)
    else 0 end`;
}
