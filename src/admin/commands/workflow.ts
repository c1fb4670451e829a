import { z } from "zod";
import {
  disableWorkflow,
  enableWorkflow,
  listOperatorWorkflows,
  WorkflowInput,
} from "../../core/workflows/manage-workflows.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { oneOf, WorkspaceOption } from "../inputs.ts";

const I = WorkflowInput;
const TypeOption = oneOf("auto_generate", "payment_arrangement").register(flags, {
  value: "auto_generate|payment_arrangement",
  description: "which workflow",
});

export const workflowCommands: readonly Command[] = [
  command({
    noun: "workflow",
    verb: "enable",
    summary: "turn a workflow on, or change its settings; what is left out stays as it was",
    input: z.strictObject({
      workspace: WorkspaceOption,
      type: TypeOption,
      minimum_amount: I.minimumAmount.optional().register(flags, {
        value: "AMOUNT",
        description: "payment_arrangement: matches invoices of at least this amount, in their own currency",
      }),
      customer: I.customers.optional().register(flags, {
        value: "ID",
        repeatable: true,
        description: "payment_arrangement: matches this customer's invoices; repeat it",
      }),
      assignee: I.assignee.optional().register(flags, {
        value: "EMAIL",
        description: "payment_arrangement: the member who is notified of each task",
      }),
      send_at: I.sendAt.optional().register(flags, {
        value: "HH:MM",
        description: "auto_generate: when links are mailed, in the workspace's timezone (09:00 unless said otherwise)",
      }),
    }),
    async run({ core }, { workspace, type, minimum_amount: minimumAmount, customer, assignee, send_at: sendAt }) {
      const { id } = await findWorkspace(core, workspace);
      return enableWorkflow(core, id, { type, minimumAmount, customers: customer, assignee, sendAt });
    },
  }),
  command({
    noun: "workflow",
    verb: "disable",
    summary: "turn a workflow off; what it made stays",
    input: z.strictObject({ workspace: WorkspaceOption, type: TypeOption }),
    async run({ core }, { workspace, type }) {
      return disableWorkflow(core, (await findWorkspace(core, workspace)).id, type);
    },
  }),
  command({
    noun: "workflow",
    verb: "list",
    summary: "the workflows of a workspace and their settings",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      return listOperatorWorkflows(core, (await findWorkspace(core, workspace)).id);
    },
  }),
];
