import { sql } from "kysely";
import { UNKNOWN_CURRENCY } from "../../store/aging/unknown-names.ts";
import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables/workflows.ts";
import { givenConditions } from "../kernel/filter-conditions.ts";
import { sameTenant } from "../kernel/same-tenant.ts";
import type { ExecutionFilters, WorkflowFilters } from "./schema.ts";

/** A tenant's workflows, oldest first. */
export function workflowsOf(tx: Transaction, tenantId: string): Promise<WorkflowRow[]> {
  return tx
    .selectFrom("workflows")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .orderBy("created_at")
    .orderBy("workflow_id")
    .execute();
}

/** Writes a workflow; a tenant has one of each type. */
export async function upsertWorkflow(tx: Transaction, row: WorkflowRow) {
  const { tenant_id, workflow_id, type, created_at, ...settings } = row;
  await tx
    .insertInto("workflows")
    .values(row)
    .onConflict((conflict) => conflict.columns(["tenant_id", "workflow_id"]).doUpdateSet(settings))
    .execute();
}

/** Which of some ids are customers of the tenant. */
export async function knownCustomers(tx: Transaction, tenantId: string, customerIds: readonly string[]) {
  const rows = await tx
    .selectFrom("customers")
    .select("customer_id")
    .where("tenant_id", "=", tenantId)
    .where("customer_id", "=", anyOf(customerIds, "uuid"))
    .execute();
  return new Set(rows.map((row) => row.customer_id));
}

/** The members a workspace has now, with the addresses mail reaches them at. */
export function memberAddresses(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("members as member")
    .select(["member.member_id", "member.email"])
    .where("member.tenant_id", "=", tenantId)
    .where("member.removed_at", "is", null)
    .execute();
}

/**
 * Whether the workspace has a connected payment provider, and how many invoices, by currency, none of them charges; of
 * Payment Arrangement, those that its rule matches.
 */
export async function chargeability(tx: Transaction, tenantId: string, workflow: WorkflowRow) {
  const connected = await tx
    .selectFrom("payment_integrations")
    .select("payment_integration_id")
    .where("tenant_id", "=", tenantId)
    .where("status", "=", "connected")
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

/** What a message says of the debts that planned links ask for; those due first before the others, as in the message. */
export async function debtsToShow<Link extends { readonly installmentId: string }>(
  tx: Transaction,
  tenantId: string,
  links: readonly Link[],
) {
  const ids = links.map(({ installmentId }) => installmentId);
  const rows = await tx
    .selectFrom("installments as installment")
    .innerJoin("invoices as invoice", sameTenant("invoice", "installment", "invoice_id"))
    .leftJoin("customer_mailing as mailing", sameTenant("mailing", "invoice", "customer_id"))
    .select([
      "installment.installment_id",
      "installment.due_date",
      "invoice.invoice_id",
      "invoice.invoice_number",
      "invoice.invoice_date",
      "invoice.total_amount",
      "invoice.customer_name",
      "mailing.locale",
    ])
    .where("installment.tenant_id", "=", tenantId)
    .where("installment.installment_id", "=", anyOf(ids, "uuid"))
    .orderBy("installment.due_date")
    .orderBy("invoice.invoice_number")
    .orderBy("installment.installment_id")
    .execute();
  return rows.flatMap((debt) =>
    links.filter((link) => link.installmentId === debt.installment_id).map((link) => ({ ...debt, ...link })),
  );
}

/** The tenant's workflows that match every filter given (completions §5), unordered. */
export function matchingWorkflows(tx: Transaction, tenantId: string, filters: WorkflowFilters) {
  return tx
    .selectFrom("workflows")
    .select(["workflow_id", "type", "name", "enabled", "created_at", "updated_at"])
    .where("tenant_id", "=", tenantId)
    .where((eb) => eb.and(givenConditions(eb, filters, { enabled: "enabled", type: "type" })));
}

/** The workflow executions of the tenant that match every filter given, unordered; created when they started. */
export function matchingExecutions(tx: Transaction, tenantId: string, filters: ExecutionFilters) {
  return tx
    .selectFrom("workflow_executions")
    .innerJoin("workflows", sameTenant("workflows", "workflow_executions", "workflow_id"))
    .select([
      "workflow_executions.workflow_execution_id",
      "workflow_executions.workflow_id",
      "workflows.type as workflow_type",
      "workflow_executions.invoice_id",
      "workflow_executions.status",
      "workflow_executions.outcome",
      "workflow_executions.reason",
      "workflow_executions.started_at as created_at",
      "workflow_executions.finished_at",
    ])
    .where("workflow_executions.tenant_id", "=", tenantId)
    .where((eb) =>
      eb.and(
        givenConditions(eb, filters, {
          workflow_id: "workflow_executions.workflow_id",
          invoice_id: "workflow_executions.invoice_id",
          status: "workflow_executions.status",
        }),
      ),
    );
}

/** The same with the number and customer of each invoice. */
export function matchingHistory(tx: Transaction, tenantId: string, filters: ExecutionFilters) {
  return matchingExecutions(tx, tenantId, filters)
    .innerJoin("invoices", sameTenant("invoices", "workflow_executions", "invoice_id"))
    .select(["invoices.invoice_number", "invoices.customer_name"]);
}
