import type { z } from "zod";
import { type InInstants, InstantOrDay, Uuid } from "../kernel/wire-types.ts";
import { TaskState, TaskType } from "./schema.ts";

/** Filters of service.md §4.8. */
export const TASK_FILTERS = {
  invoice_id: Uuid.optional().describe("Invoice"),
  state: TaskState.optional().describe("Task state"),
  type: TaskType.optional().describe("Task type"),
  updated_since: InstantOrDay.optional().describe("Inclusive, by `updated_at`"),
};

export type TaskFilters = InInstants<z.output<z.ZodObject<typeof TASK_FILTERS>>>;
