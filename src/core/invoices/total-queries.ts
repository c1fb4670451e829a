import { sql } from "kysely";
import type { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import { formatStored } from "../kernel/money.ts";
import type { InvoiceFilters } from "./list-filters.ts";
import { matchingInvoices } from "./list-queries.ts";
import type { InvoiceTotal } from "./schema.ts";

export type Total = z.output<typeof InvoiceTotal>;
type Stored = Record<keyof Total, string>;

const SUMS = sql`sum(total_amount) as total_amount, sum(collection_outstanding) as collection_outstanding,
  sum(overdue_outstanding) as overdue_outstanding, sum(amount_collected) as amount_collected`;

const SUMMED = [
  "currency",
  "total_amount",
  "collection_outstanding",
  "overdue_outstanding",
  "amount_collected",
] as const;

/** What the tenant's invoices that match every filter come to, by currency, as of the roll-up's day (completions §10). */
export async function invoiceTotals(
  tx: Transaction,
  { tenantId, today }: { tenantId: string; today: string },
  filters: InvoiceFilters,
) {
  const { collection_status: status, currency, ...others } = filters;
  const isKept = Object.values(others).every((filter) => filter === undefined);
  const { rows } = await (isKept
    ? sql<Stored>`
        select currency, sum(invoice_count)::text as count, ${SUMS} from invoice_totals
        where tenant_id = ${tenantId} and invoice_count > 0
          and ${status === undefined ? sql`true` : sql`collection_status = ${status}`}
          and ${currency === undefined ? sql`true` : sql`currency = ${currency}`}
        group by currency order by currency`
    : sql<Stored>`
        select currency, count(*) as count, ${SUMS} from (${matching(tx, { tenantId, today }, filters)}) as figures
        group by currency order by currency`
  ).execute(tx);
  return rows.map(({ currency, count, ...sums }) => ({
    currency,
    count: Number(count),
    total_amount: formatStored(sums.total_amount, currency),
    collection_outstanding: formatStored(sums.collection_outstanding, currency),
    overdue_outstanding: formatStored(sums.overdue_outstanding, currency),
    amount_collected: formatStored(sums.amount_collected, currency),
  }));
}

const matching = (tx: Transaction, scope: { tenantId: string; today: string }, filters: InvoiceFilters) =>
  matchingInvoices(tx, scope, filters, true)
    .clearSelect()
    .select(SUMMED.map((name) => sql.ref(`figures.${name}`).as(name)));
