import type { InferResult } from "kysely";
import { z } from "zod";
import { RECEIVABLES_READ } from "../../gate/actor.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { listing } from "../../gate/listing.ts";
import { operation } from "../../gate/operation.ts";
import { formatStored } from "../../kernel/money.ts";
import { TASK_FILTERS } from "../list-filters.ts";
import { matchingTasks } from "../list-queries.ts";
import { Task } from "../schema.ts";

/** service.md §4.8. */
export const listTasks = operation(
  listing({
    id: "listTasks",
    tag: "Tasks",
    summary: "List tasks",
    description: "Newest first. `state=open` are the invoices still waiting for their first payment link.",
    ...RECEIVABLES_READ,
    input: z.strictObject({ ...TASK_FILTERS, ...LIST_PARAMETERS }),
    row: Task,
    query: matchingTasks,
    columns: { createdAt: "tasks.created_at", id: "tasks.task_id" },
    onWire: taskOnWire,
  }),
);

/** A task as callers see it (service.md §2.5). */
export function taskOnWire({
  task_id,
  ...shown
}: InferResult<ReturnType<typeof matchingTasks>>[number]): z.output<typeof Task> {
  return { id: task_id, ...shown, collection_outstanding: formatStored(shown.collection_outstanding, shown.currency) };
}
