import { sql } from "kysely";
import type { Transaction } from "../tables/index.ts";
import { recomputeClosings } from "./closed-installments.ts";
import { emptyDays } from "./day-parts.ts";
import { recomputeStale } from "./recompute-rollup.ts";
import { lockStamp } from "./rollup.ts";
import { CUSTOMER_SUMS, correctCustomers, correctSums, OTHER_SUMS, type Sums, type WrongSum } from "./wrong-sums.ts";

/** The roll-up's day, with its lock, for a change of what reports say. Throws where it has not been built. */
export async function lockedDay(tx: Transaction, tenantId: string): Promise<string> {
  const { as_of: day } = await lockStamp(tx, tenantId);
  if (day === null) throw new Error("the roll-up has not been built");
  return day;
}

/** What a rebuild puts right, on the roll-up's day, under its lock. */
export interface Wrong<T> {
  readonly tenantId: string;
  readonly day: string;
  readonly wrong: readonly T[];
}

/** Recomputes what is kept of some invoices, and of what is not an invoice any more. */
export async function rebuildInvoices(tx: Transaction, { tenantId, day, wrong }: Wrong<string>): Promise<void> {
  const ids = `{${wrong.join(",")}}`;
  await sql`delete from invoice_figures as figures where tenant_id = ${tenantId} and invoice_id = any(${ids}::uuid[])
    and not exists (
      select from invoices where invoices.tenant_id = ${tenantId} and invoices.invoice_id = figures.invoice_id
    )`.execute(tx);
  const relearned = await recomputeClosings(tx, tenantId, wrong);
  await recomputeStale(tx, tenantId, day, { invoices: wrong, relearned });
}

/** Recomputes names and payment histories of some customers. */
export async function rebuildCustomers(tx: Transaction, { tenantId, day, wrong }: Wrong<string>): Promise<void> {
  await recomputeStale(tx, tenantId, day, { invoices: [], customers: wrong, relearned: wrong });
}

/** Which sums a roll-up keeps of other rows that it keeps; those of customers first, as all others are of them. */
export const SUMS: readonly Sums[] = [CUSTOMER_SUMS, ...OTHER_SUMS];

/** Puts some sums right. */
export const rebuildSums =
  (sums: Sums) =>
  async (tx: Transaction, { tenantId, day, wrong }: Wrong<WrongSum>): Promise<void> => {
    const tenant = sql`${tenantId}`;
    const correct =
      sums === CUSTOMER_SUMS ? correctCustomers(tenant, sql`${day}`, wrong) : correctSums(sums, tenant, wrong);
    await correct.execute(tx);
    await emptyDays(tenant).execute(tx);
  };
