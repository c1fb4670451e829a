import { type SelectQueryBuilder, sql } from "kysely";
import type { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { AmountTotal } from "../kernel/amount-totals.ts";
import { formatStored } from "../kernel/money.ts";

type Total = z.output<typeof AmountTotal>;

/** What all rows of a list come to, by currency (completions §10). */
export async function amountTotals<DB, TB extends keyof DB, Row>(
  tx: Transaction,
  list: SelectQueryBuilder<DB, TB, Row>,
  table: "payments" | "payment_links" | "matched",
): Promise<Total[]> {
  const [currency, amount] = [sql.ref(`${table}.currency`), sql.ref(`${table}.amount`)];
  const totals = list
    .clearSelect()
    .select([currency.as("currency"), sql`count(*)::text`.as("count"), sql`sum(${amount})::text`.as("amount")])
    .groupBy(currency)
    .orderBy(currency);
  const { rows } = await tx.executeQuery<Record<keyof Total, string>>(totals.compile());
  return rows.map((row) => ({ ...row, count: Number(row.count), amount: formatStored(row.amount, row.currency) }));
}
