import { z } from "zod";
import { listAttention } from "../../core/attention/list-attention.ts";
import { resolveAttention } from "../../core/attention/operations/resolve-attention.ts";
import { operate } from "../../core/gate/operator.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { adviceAtTerminal } from "../advice.ts";
import { type Command, command, flags } from "../command.ts";
import { WorkspaceOption } from "../inputs.ts";

export const attentionCommands: readonly Command[] = [
  command({
    noun: "attention",
    verb: "list",
    summary:
      "refunds, disputes, overpayments, money in another currency, and receipts that need a person or have waited for a day",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      const entries = await listAttention(core, (await findWorkspace(core, workspace)).id);
      return entries.map(({ advice, ...entry }) => ({ ...entry, what_to_do: adviceAtTerminal(advice, workspace) }));
    },
  }),
  command({
    noun: "attention",
    verb: "resolve",
    summary: "say that an item is dealt with; it opens again when more of it happens",
    input: z.strictObject({
      workspace: WorkspaceOption,
      id: z
        .guid("must be the id of an item")
        .register(flags, { value: "ID", description: "the item, as `attention list` shows it" }),
    }),
    async run({ core }, { workspace, id }) {
      return operate(core, (await findWorkspace(core, workspace)).id, resolveAttention, { id });
    },
  }),
];
