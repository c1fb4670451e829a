import { changedAt, changedSince } from "../../store/change-stamps.ts";
import type { Transaction } from "../../store/store.ts";
import { givenConditions, ifGiven } from "../kernel/filter-conditions.ts";
import { sameTenant } from "../kernel/same-tenant.ts";
import type { TaskFilters } from "./list-filters.ts";

/** A tenant's tasks, with their invoices and the members they are assigned to. */
export function assignedTasks(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("tasks")
    .innerJoin("invoices", sameTenant("invoices", "tasks", "invoice_id"))
    .leftJoin("members", (join) =>
      sameTenant("members", "tasks", "member_id", "assignee_id")(join).on("members.removed_at", "is", null),
    )
    .where("tasks.tenant_id", "=", tenantId);
}

/** The tenant's tasks that match every filter given (service.md §4.8), unordered; the assignee is null once that member was removed. */
export function matchingTasks(tx: Transaction, tenantId: string, filters: TaskFilters) {
  return assignedTasks(tx, tenantId)
    .select(({ fn }) => [
      "tasks.task_id",
      "tasks.type",
      "tasks.invoice_id",
      "invoices.invoice_number",
      "invoices.customer_id",
      "invoices.customer_name",
      "invoices.currency",
      "invoices.collection_outstanding",
      "members.member_id as assignee_id",
      fn.coalesce("members.name", "members.email").as("assignee_name"),
      "tasks.state",
      "tasks.configured_at",
      "tasks.dismissed_at",
      "tasks.created_at",
      changedAt(tenantId, "task", "tasks.task_id", "tasks.created_at").as("updated_at"),
    ])
    .where((eb) =>
      eb.and([
        ...givenConditions(eb, filters, { invoice_id: "tasks.invoice_id", state: "tasks.state", type: "tasks.type" }),
        ...ifGiven(filters.updated_since, (since) => changedSince(tenantId, "task", "tasks.task_id", since)),
      ]),
    );
}
