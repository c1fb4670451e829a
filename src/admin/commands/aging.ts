import { z } from "zod";
import { rebuildRollup } from "../../core/aging/operations/rebuild-rollup.ts";
import { verifyRollup } from "../../core/aging/verify-rollup.ts";
import { operate } from "../../core/gate/operator.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command } from "../command.ts";
import { WorkspaceOption } from "../inputs.ts";

const Verification = z.looseObject({ differences: z.int() });

const failure = (result: unknown): string | null =>
  Verification.parse(result).differences === 0 ? null : "the roll-up does not match the invoices; run `aging rebuild`";

export const agingCommands: readonly Command[] = [
  command({
    noun: "aging",
    verb: "verify",
    summary: "compare the roll-up that aging reports are read from with the book",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      return verifyRollup(core, (await findWorkspace(core, workspace)).id);
    },
    failure,
  }),
  command({
    noun: "aging",
    verb: "rebuild",
    summary: "rebuild that roll-up from the invoices, and compare them",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      const { id } = await findWorkspace(core, workspace);
      await operate(core, id, rebuildRollup, {});
      return verifyRollup(core, id);
    },
    failure,
  }),
];
