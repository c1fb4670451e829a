import { z } from "zod";
import { type AttentionEntry, listAttention } from "../../core/attention/list-attention.ts";
import { resolveAttention } from "../../core/attention/resolve-attention.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { WorkspaceOption } from "../inputs.ts";

const RESOLVE = "then: attention resolve --id ID";

/** One sentence for each kind, with the command. */
const WHAT_TO_DO: Readonly<Record<AttentionEntry["kind"], string>> = {
  payment_refunded: `Take the refunded amount back in the ERP, ${RESOLVE}`,
  payment_disputed: `Answer the dispute at the provider, ${RESOLVE}`,
  payment_over_owed: `Refund what is too much at the provider, or credit it in the ERP, ${RESOLVE}`,
  payment_in_other_currency: `Refund it at the provider, or enter it in the ERP, ${RESOLVE}`,
  receipt_failed: "Mend the cause, then: payment retry --payment ID, or payment settle-by-hand where the ERP has it",
  receipt_reversed:
    "Push it again: payment retry --payment ID; entered anew in the ERP: payment settle-by-hand --payment ID --receipt-number N",
  receipt_not_applied: "Apply it in the ERP, or: payment retry --payment ID",
};

function whatToDo({ kind, id, payment_id: paymentId }: AttentionEntry): string {
  return WHAT_TO_DO[kind].replace("--id ID", `--id ${id}`).replaceAll("--payment ID", `--payment ${paymentId}`);
}

export const attentionCommands: readonly Command[] = [
  command({
    noun: "attention",
    verb: "list",
    summary: "refunds, disputes, overpayments, money in another currency, and receipts that need a person",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      const entries = await listAttention(core, (await findWorkspace(core, workspace)).id);
      return entries.map((entry) => ({ ...entry, what_to_do: whatToDo(entry) }));
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
      const { id: tenantId } = await findWorkspace(core, workspace);
      const by = { actor: { kind: "operator", tenantId }, requestId: core.newId() } as const;
      return resolveAttention(core, by, { id });
    },
  }),
];
