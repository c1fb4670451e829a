import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { AgingQuery } from "./aging-query.ts";
import { daysToGroup, debtsToGroup, grainOf } from "./debt-queries.ts";
import type { AgingGrouping } from "./list-parameters.ts";
import { sliceOf } from "./slice.ts";
import { asOfRow } from "./source-queries.ts";

/** Debts of a currency that have something in common; amounts as the store holds them. */
export interface AgingGroup {
  currency: string;
  key: string;
  outstanding: string;
  overdue: string;
  installment_count: number;
  /** Of one ERP's debts: when it was last read to its end. */
  as_of: string | null;
}

/** What the debts of a report come to by currency and group, at most `limit` of them: by time, else the largest first. */
export async function readGroups(
  tx: Transaction,
  query: AgingQuery,
  { by, limit }: { by: AgingGrouping; limit: number },
) {
  const slice = sliceOf(query);
  if (slice === null) return [];
  const grain = grainOf(query);
  const hasDays = by !== "connection" && !query.history && (grain === "currencies" || grain === "days");
  const order = by === "month" || by === "week" ? sql`key` : sql`sum(amount) desc, key`;
  const source = by === "connection" ? sql`connection_id` : sql`null::uuid`;
  const { rows } = await sql<AgingGroup>`
    with ${hasDays ? daysToGroup(query) : debtsToGroup(query, slice)},
    keyed as (select *, ${source} as source_id, ${keyOf(query, by)} as key from chosen),
    grouped as (
      select currency, key, source_id as connection_id, sum(amount)::text as outstanding,
        coalesce(sum(amount) filter (where due_date < ${query.reportDate}::date), 0)::text as overdue,
        sum(debts)::integer as installment_count, row_number() over (order by currency, ${order}) as place
      from keyed group by currency, key, source_id
    )
    select currency, key, outstanding, overdue, installment_count, ${asOfRow(query.tenantId, "grouped")} as as_of
    from grouped order by place limit ${limit}`.execute(tx);
  return rows;
}

/** Days are those on which payment is expected where these are asked for; a week is named by its Monday. */
function keyOf({ expected_from: from, expected_to: to }: AgingQuery, by: AgingGrouping) {
  const day = from === undefined && to === undefined ? sql`due_date` : sql`expected_date`;
  if (by === "month") return sql`to_char(${day}, 'YYYY-MM')`;
  if (by === "week") return sql`to_char(date_trunc('week', ${day}), 'YYYY-MM-DD')`;
  if (by === "connection") return sql`coalesce(connection_id::text, 'none')`;
  return sql`case when collectible then 'collectible' else coalesce(nullif(reason, ''), 'no_installments') end`;
}
