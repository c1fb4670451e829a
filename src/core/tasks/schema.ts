import { z } from "zod";
import { describeSpelling, Instant, MoneyString, nameSchemas, Uuid } from "../kernel/wire-types.ts";

/** service.md §3.4. */
export const TaskState = z.enum(["open", "configured", "dismissed", "not_needed"]);
export const TaskType = z.enum(["payment_arrangement"]);

/** service.md §2.5. */
export const Task = z.strictObject({
  id: Uuid,
  type: TaskType,
  invoice_id: Uuid,
  invoice_number: z.string().nullable(),
  customer_id: Uuid.nullable(),
  customer_name: z.string().nullable(),
  currency: describeSpelling(z.string().nullable(), "ISO 4217 code"),
  collection_outstanding: MoneyString.nullable().describe("Of the invoice"),
  assignee_id: Uuid.nullable().describe("Who was notified"),
  assignee_name: z.string().nullable(),
  state: TaskState,
  configured_at: Instant.nullable().describe("First payment link"),
  dismissed_at: Instant.nullable(),
  created_at: Instant,
  updated_at: Instant,
});

nameSchemas({ Task, TaskState, TaskType });
