import { z } from "zod";
import { RECEIVABLES_READ } from "../../gate/actor.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { listing } from "../../gate/listing.ts";
import { operation } from "../../gate/operation.ts";
import { WORKFLOW_FILTERS, Workflow } from "../schema.ts";
import { matchingWorkflows } from "../settings-queries.ts";

/** completions §5. */
export const listWorkflows = operation(
  listing({
    id: "listWorkflows",
    tag: "Workflows",
    summary: "List workflows",
    description:
      "Newest first. `auto_generate` creates payment links and emails them, `payment_arrangement` opens tasks.",
    ...RECEIVABLES_READ,
    input: z.strictObject({ ...WORKFLOW_FILTERS, ...LIST_PARAMETERS }),
    row: Workflow,
    query: matchingWorkflows,
    columns: { createdAt: "workflows.created_at", id: "workflows.workflow_id" },
    onWire: ({ workflow_id, ...shown }) => ({ id: workflow_id, ...shown }),
  }),
);
