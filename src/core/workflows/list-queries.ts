import type { Transaction } from "../../store/store.ts";
import { sameTenant } from "../kernel/same-tenant.ts";
import type { ExecutionFilters, WorkflowFilters } from "./schema.ts";

/** The tenant's workflows that match every filter given (completions §5), unordered. */
export function matchingWorkflows(tx: Transaction, tenantId: string, filters: WorkflowFilters) {
  let query = tx
    .selectFrom("workflows")
    .select(["workflow_id", "type", "name", "enabled", "created_at", "updated_at"])
    .where("tenant_id", "=", tenantId);
  if (filters.enabled !== undefined) query = query.where("enabled", "=", filters.enabled);
  if (filters.type !== undefined) query = query.where("type", "=", filters.type);
  return query;
}

/** The workflow executions of the tenant that match every filter given, unordered; created when they started. */
export function matchingExecutions(tx: Transaction, tenantId: string, filters: ExecutionFilters) {
  let query = tx
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
    .where("workflow_executions.tenant_id", "=", tenantId);
  if (filters.workflow_id !== undefined)
    query = query.where("workflow_executions.workflow_id", "=", filters.workflow_id);
  if (filters.invoice_id !== undefined) query = query.where("workflow_executions.invoice_id", "=", filters.invoice_id);
  if (filters.status !== undefined) query = query.where("workflow_executions.status", "=", filters.status);
  return query;
}

/** The same with the number and customer of each invoice. */
export function matchingHistory(tx: Transaction, tenantId: string, filters: ExecutionFilters) {
  return matchingExecutions(tx, tenantId, filters)
    .innerJoin("invoices", sameTenant("invoices", "workflow_executions", "invoice_id"))
    .select(["invoices.invoice_number", "invoices.customer_name"]);
}
