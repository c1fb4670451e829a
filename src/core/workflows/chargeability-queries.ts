import { sql } from "kysely";
import { UNKNOWN_CURRENCY } from "../../store/aging/unknown-names.ts";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables/workflows.ts";

/**
 * Whether the workspace has a connected payment provider, and how many invoices, by currency, none of them charges; of
 * Payment Arrangement, those that its rule matches.
 */
export async function chargeability(tx: Transaction, tenantId: string, workflow: WorkflowRow) {
  const connected = await tx
    .selectFrom("payment_integrations")
    .select("payment_integration_id")
    .where((column) => column.and({ tenant_id: tenantId, status: "connected" }))
    .limit(1)
    .executeTakeFirst();
  const { customer_ids: customers, minimum_amount: minimum } = workflow;
  const ofCustomers = customers === null ? sql`` : sql`and invoice.customer_id = ${anyOf(customers, "uuid")}`;
  const { rows } = await sql<{ currency: string; invoices: string }>`
    select coalesce(invoice.currency, ${sql.lit(UNKNOWN_CURRENCY)}) as currency, count(distinct invoice.invoice_id) as invoices
    from installments as installment
    join invoices as invoice
      on invoice.tenant_id = installment.tenant_id and invoice.invoice_id = installment.invoice_id
    where installment.tenant_id = ${tenantId} and installment.not_collectible_reason = 'currency_not_supported'
      and coalesce(invoice.total_amount, invoice.collection_outstanding) >= ${minimum ?? "-Infinity"}::numeric ${ofCustomers}
    group by invoice.currency order by invoice.currency`.execute(tx);
  return {
    provider_connected: connected !== undefined,
    not_chargeable: rows.map(({ currency, invoices }) => ({ currency, invoices: Number(invoices) })),
  };
}
