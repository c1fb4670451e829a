import { z } from "zod";
import { READERS } from "../../gate/actor.ts";
import { examplePage, WORKFLOW } from "../../gate/example-book.ts";
import { operation } from "../../gate/operation.ts";
import { LIST_PARAMETERS } from "../../shared/list-parameters.ts";
import { listPage, Pagination } from "../../shared/pagination.ts";
import { matchingWorkflows } from "../list-queries.ts";
import { WORKFLOW_FILTERS, Workflow } from "../schema.ts";

const id = "listWorkflows";

/** completions §5. */
export const listWorkflows = operation({
  id,
  tag: "Workflows",
  summary: "List workflows",
  description:
    "Newest first. `auto_generate` creates payment links and emails them, `payment_arrangement` opens tasks.",
  example: { answer: examplePage(WORKFLOW), parameters: { type: WORKFLOW.type } },
  callers: READERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({ ...WORKFLOW_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({ data: z.array(Workflow), pagination: Pagination }),
  async run(context, input) {
    const { rows, pagination } = await listPage(context, {
      operation: id,
      input,
      query: (db, value) => matchingWorkflows(db, value("tenantId"), input),
      columns: { createdAt: "workflows.created_at", id: "workflows.workflow_id" },
      idOf: (row) => row.workflow_id,
    });
    return { data: rows.map(({ workflow_id, ...shown }) => ({ id: workflow_id, ...shown })), pagination };
  },
});
