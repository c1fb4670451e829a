import { sql } from "kysely";
import type { SqlPart } from "../../store/aging/rollup-parts.ts";
import { UNKNOWN_CURRENCY } from "../../store/aging/unknown-names.ts";
import type { Transaction } from "../../store/store.ts";
import { NOT_COLLECTIBLE_REASONS } from "../collection/not-collectible-reason.ts";

/**
 * In their order, each what it adds: to `outstanding` from the ERP's balance, then to `aged`; those behind it split what is aged. `received`
 * is what payments lower (completions §6); of the reasons in §4 `retired` and `closed` are not aged (service.md §4.10).
 */
export const BRIDGE_STEPS = [
  ...(["erp_balance", "schedule", "credit", "received", "local", "outstanding"] as const),
  ...(["retired", "closed", "undated", "aged", "collectible", "no_installments"] as const),
  ...NOT_COLLECTIBLE_REASONS.filter((reason) => reason !== "retired" && reason !== "removed" && reason !== "closed"),
] as const;
export type BridgeStep = (typeof BRIDGE_STEPS)[number];

const AGED = sql`outcome not in ('retired', 'closed', 'undated')`;
const CURRENCY = sql`coalesce(invoice.currency, ${sql.lit(UNKNOWN_CURRENCY)}) as currency`;

/** The parts of debts that a step is about, where those are few. */
const PARTS: Partial<Record<BridgeStep, SqlPart>> = {
  ...{ erp_balance: sql`false`, schedule: sql`true`, outstanding: sql`true`, aged: AGED },
  ...{ credit: sql`erp < 0`, received: sql`owed <> greatest(erp, 0)`, local: sql`not is_erp` },
};

/** What a step adds, of parts or of sums of them; the others split what is aged, or are taken off before it, by the outcome. */
const ADDS: Partial<Record<BridgeStep, SqlPart>> = {
  erp_balance: sql`balance`,
  schedule: sql`case when is_erp then erp - balance else 0 end`,
  credit: sql`case when is_erp then credit else 0 end`,
  received: sql`case when is_erp then owed - erp - credit else 0 end`,
  local: sql`case when is_erp then 0 else owed end`,
  outstanding: sql`owed`,
  aged: sql`case when ${AGED} then owed else 0 end`,
};
const BY_OUTCOME = sql`case when ${AGED} then owed else -owed end`;
const EACH = [
  ...Object.entries(ADDS).map(([step, adds]) => sql`(${sql.lit(step)}, ${adds})`),
  sql`(outcome, ${BY_OUTCOME})`,
];

/** `parts`: those of debts, each of which counts for the first reason that keeps it from being aged, and the ERP's balances. */
const partsOf = (tenantId: string, { parts, balances }: { parts: SqlPart; balances: boolean }) => sql`
  debts as (
    select invoice.invoice_id, ${CURRENCY}, invoice.origin = 'erp' as is_erp,
      coalesce(case when invoice.has_installments then part.erp_outstanding else invoice.erp_invoice_open_balance end, 0) as erp,
      case when invoice.has_installments then part.collection_outstanding else invoice.collection_outstanding end as owed,
      case when invoice.retired_at is not null then 'retired' when part.closed then 'closed'
        when case when invoice.has_installments then part.due_date else invoice.due_date end is null then 'undated'
        when part.collectible then 'collectible'
        else coalesce(part.not_collectible_reason, invoice.not_collectible_reason, 'no_installments') end as outcome
    from invoices as invoice left join installments as part
      on part.tenant_id = ${tenantId} and part.invoice_id = invoice.invoice_id and part.removed_at is null
    where invoice.tenant_id = ${tenantId} and (part.installment_id is not null or not invoice.has_installments)
  ),
  parts as (
    select *, greatest(-erp, 0) as credit, 0 as balance from debts where ${parts}
    union all
    select invoice_id, ${CURRENCY}, true, 0, 0, '', 0, coalesce(erp_invoice_open_balance, 0)
    from invoices as invoice where invoice.tenant_id = ${tenantId} and invoice.origin = 'erp' and ${sql.lit(balances)}
  )`;

/** What the steps of each currency come to, its sums and those that come to something. */
export async function bridgeFigures(tx: Transaction, tenantId: string) {
  const { rows } = await sql<{ currency: string; step: BridgeStep; amount: string }>`
    with ${partsOf(tenantId, { parts: sql`true`, balances: true })},
    sums as (
      select currency, is_erp, outcome, sum(erp) as erp, sum(credit) as credit, sum(owed) as owed, sum(balance) as balance
      from parts group by currency, is_erp, outcome
    )
    select currency, step, sum(amount)::text as amount
    from sums cross join lateral (values ${sql.join(EACH)}) as each(step, amount)
    group by currency, step having sum(amount) <> 0 or step in ('outstanding', 'aged')
    order by currency, array_position(string_to_array(${BRIDGE_STEPS.join()}, ','), step)`.execute(tx);
  return rows;
}

/** The tenant's invoices of a step, unordered, with what each adds to it. */
export function invoicesOfStep(
  tx: Transaction,
  tenantId: string,
  { step, currency }: { step: BridgeStep; currency?: string | undefined },
) {
  const parts = PARTS[step] ?? sql`outcome = ${step}`;
  const adds = ADDS[step] ?? BY_OUTCOME;
  const balances = step === "erp_balance" || step === "schedule";
  const matched = sql<{ invoice_id: string; currency: string; amount: string }>`(
    with ${partsOf(tenantId, { parts, balances })}
    select invoice_id, currency, sum(${adds}) as amount from parts
    where ${currency === undefined ? sql`true` : sql`currency = ${currency}`}
    group by invoice_id, currency having sum(${adds}) <> 0)`;
  return tx
    .selectFrom("invoices")
    .innerJoin(matched.as("matched"), "matched.invoice_id", "invoices.invoice_id")
    .select([...COLUMNS, "matched.currency", "matched.amount"])
    .where("invoices.tenant_id", "=", tenantId);
}

const COLUMNS = ["invoices.invoice_id", "invoice_number", "customer_name", "created_at"] as const;
