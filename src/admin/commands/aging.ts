import { z } from "zod";
import { rebuildRollup, verifyRollup } from "../../core/aging/manage-rollup.ts";
import { type Command, command } from "../command.ts";
import { WorkspaceOption } from "../inputs.ts";

const Verification = z.looseObject({ differences: z.int() });

const failure = (result: unknown): string | null =>
  Verification.parse(result).differences === 0
    ? null
    : "the roll-up is not what the book says; `aging rebuild` makes it anew";

export const agingCommands: readonly Command[] = [
  command({
    noun: "aging",
    verb: "verify",
    summary: "compare the roll-up that aging reports are read from with the book",
    input: z.strictObject({ workspace: WorkspaceOption }),
    run: ({ core }, { workspace }) => verifyRollup(core, workspace),
    failure,
  }),
  command({
    noun: "aging",
    verb: "rebuild",
    summary: "make that roll-up anew from the book, and compare them",
    input: z.strictObject({ workspace: WorkspaceOption }),
    run: ({ core }, { workspace }) => rebuildRollup(core, workspace),
    failure,
  }),
];
