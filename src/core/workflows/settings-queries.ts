import { anyOf } from "../../store/recordset.ts";
import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables/workflows.ts";

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
export async function upsertWorkflow(tx: Transaction, row: WorkflowRow): Promise<void> {
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
    .where((column) => column.and({ "member.tenant_id": tenantId, "member.removed_at": null }))
    .execute();
}
