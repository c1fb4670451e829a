import type { InferResult } from "kysely";
import { z } from "zod";
import { RECEIVABLES_READ } from "../../gate/actor.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { operation } from "../../gate/operation.ts";
import { listPage, Pagination } from "../../gate/pagination.ts";
import { formatStored } from "../../kernel/money.ts";
import { inInstants } from "../../workspace/days-in-filters.ts";
import { TASK_FILTERS } from "../list-filters.ts";
import { matchingTasks } from "../list-queries.ts";
import { Task } from "../schema.ts";

/** service.md §4.8. */
export const listTasks = operation({
  id: "listTasks",
  tag: "Tasks",
  summary: "List tasks",
  description:
    "Newest first. `state=open` are the invoices still waiting for their first payment link. `updated_since` with `pagination.as_of` of the last walk returns what changed since, and misses none: `updated_at` moves with every field shown.",
  ...RECEIVABLES_READ,
  input: z.strictObject({ ...TASK_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({ data: z.array(Task), pagination: Pagination }),
  async run(context, given) {
    const input = await inInstants(context, given);
    const { rows, pagination } = await listPage(context, {
      operation: "listTasks",
      input,
      query: matchingTasks(context.tx, context.actor.tenantId, input),
      columns: { createdAt: "tasks.created_at", id: "tasks.task_id" },
      idOf: (row) => row.task_id,
    });
    return { data: rows.map(taskOnWire), pagination };
  },
});

/** A task as callers see it (service.md §2.5). */
export function taskOnWire({
  task_id,
  ...shown
}: InferResult<ReturnType<typeof matchingTasks>>[number]): z.output<typeof Task> {
  return { id: task_id, ...shown, collection_outstanding: formatStored(shown.collection_outstanding, shown.currency) };
}
