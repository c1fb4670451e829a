import type { InferResult } from "kysely";
import { z } from "zod";
import { READERS } from "../../gate/actor.ts";
import { examplePage, TASK } from "../../gate/example-book.ts";
import { operation } from "../../gate/operation.ts";
import { LIST_PARAMETERS } from "../../shared/list-parameters.ts";
import { formatStored } from "../../shared/money.ts";
import { listPage, Pagination } from "../../shared/pagination.ts";
import { TASK_FILTERS } from "../list-filters.ts";
import { matchingTasks } from "../list-queries.ts";
import { Task } from "../schema.ts";

const id = "listTasks";

/** service.md §4.8. */
export const listTasks = operation({
  id,
  tag: "Tasks",
  summary: "List tasks",
  description: "Newest first. `state=open` are the invoices still waiting for their first payment link.",
  example: { answer: examplePage(TASK), parameters: { type: TASK.type } },
  callers: READERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({ ...TASK_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({ data: z.array(Task), pagination: Pagination }),
  async run(context, input) {
    const { rows, pagination } = await listPage(context, {
      operation: id,
      input,
      query: (db, value) => matchingTasks(db, value("tenantId"), input),
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
