import type { SelectQueryBuilder } from "kysely";
import type { Given } from "../../store/prepared.ts";
import type { Transaction } from "../../store/store.ts";
import type { Tables } from "../../store/tables/index.ts";
import type { InvoiceRow } from "../../store/tables/invoices.ts";
import type { TaskRow } from "../../store/tables/workflows.ts";
import type { MemberRow } from "../../store/tables/workspace.ts";
import type { TaskFilters } from "./schema.ts";

/** A task with what a response needs; its assignee is null once that member was removed. */
export type TaskRecord = Omit<TaskRow, "tenant_id" | "assignee_id"> &
  Pick<InvoiceRow, "invoice_number" | "customer_name" | "currency" | "collection_outstanding"> & {
    assignee_id: MemberRow["member_id"] | null;
    /** The email address of a member without a name. */
    assignee_name: string | null;
  };

type TaskQuery<TB extends keyof Tables> = SelectQueryBuilder<Tables, TB, TaskRecord>;

/** The tenant's tasks that match every filter given (service.md §4.8), unordered. */
export function matchingTasks(
  tx: Transaction,
  tenantId: Given<string>,
  filters: TaskFilters,
): TaskQuery<"tasks" | "invoices" | "members" | "people"> {
  let query = tx
    .selectFrom("tasks")
    .innerJoin("invoices", (join) =>
      join.onRef("invoices.tenant_id", "=", "tasks.tenant_id").onRef("invoices.invoice_id", "=", "tasks.invoice_id"),
    )
    .leftJoin("members", (join) =>
      join
        .onRef("members.tenant_id", "=", "tasks.tenant_id")
        .onRef("members.member_id", "=", "tasks.assignee_id")
        .on("members.removed_at", "is", null),
    )
    .leftJoin("people", "people.person_id", "members.person_id")
    .select(({ fn }) => [
      "tasks.task_id",
      "tasks.type",
      "tasks.invoice_id",
      "invoices.invoice_number",
      "invoices.customer_name",
      "invoices.currency",
      "invoices.collection_outstanding",
      "members.member_id as assignee_id",
      fn.coalesce("people.name", "people.email").as("assignee_name"),
      "tasks.state",
      "tasks.configured_at",
      "tasks.dismissed_at",
      "tasks.created_at",
    ])
    .where("tasks.tenant_id", "=", tenantId);
  if (filters.invoice_id !== undefined) query = query.where("tasks.invoice_id", "=", filters.invoice_id);
  if (filters.state !== undefined) query = query.where("tasks.state", "=", filters.state);
  if (filters.type !== undefined) query = query.where("tasks.type", "=", filters.type);
  return query;
}
