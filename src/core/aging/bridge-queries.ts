import { sql } from "kysely";
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
const CURRENCY = sql`coalesce(invoice.currency, ${sql.lit(UNKNOWN_CURRENCY)})`;

/** `bridge`: what each invoice adds to each step; an installment counts for the one reason that keeps it from being aged, or as aged. */
const bridge = (tenantId: string) => sql`
  units as (
    select invoice.invoice_id, ${CURRENCY} as currency, invoice.origin = 'erp' as is_erp,
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
  bridge as (
    select invoice_id, currency, step, amount from units cross join lateral (values
      ('schedule', case when is_erp then erp end),
      ('credit', case when is_erp then greatest(-erp, 0) end),
      ('received', case when is_erp then owed - greatest(erp, 0) end),
      ('local', case when not is_erp then owed end),
      ('outstanding', owed),
      ('aged', case when ${AGED} then owed end),
      (outcome, case when ${AGED} then owed else -owed end)
    ) as each(step, amount)
    union all
    select invoice.invoice_id, ${CURRENCY}, step, amount from invoices as invoice cross join lateral (values
      ('erp_balance', invoice.erp_invoice_open_balance), ('schedule', -invoice.erp_invoice_open_balance)
    ) as each(step, amount) where invoice.tenant_id = ${tenantId} and invoice.origin = 'erp'
  )`;

/** What the steps of each currency come to, its sums and those that come to something. */
export async function bridgeFigures(tx: Transaction, tenantId: string) {
  const { rows } = await sql<{ currency: string; step: BridgeStep; amount: string }>`with ${bridge(tenantId)}
    select currency, step, coalesce(sum(amount), 0)::text as amount from bridge
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
  const matched = sql<{ invoice_id: string; currency: string; amount: string }>`(
    with ${bridge(tenantId)} select invoice_id, currency, sum(amount) as amount from bridge
    where step = ${step} and ${currency === undefined ? sql`true` : sql`currency = ${currency}`}
    group by invoice_id, currency having sum(amount) <> 0)`;
  return tx
    .selectFrom("invoices")
    .innerJoin(matched.as("matched"), "matched.invoice_id", "invoices.invoice_id")
    .select([
      "invoices.invoice_id",
      "invoice_number",
      "customer_name",
      "matched.currency",
      "matched.amount",
      "created_at",
    ])
    .where("invoices.tenant_id", "=", tenantId);
}
