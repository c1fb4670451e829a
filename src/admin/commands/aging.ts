import { z } from "zod";
import { rebuildRollup } from "../../core/aging/operations/rebuild-rollup.ts";
import { verifyRollup } from "../../core/aging/verify-rollup.ts";
import { type Command, workspaceCommand } from "../command.ts";

const Verification = z.looseObject({ differences: z.int() });

const failure = (result: unknown): string | null =>
  Verification.parse(result).differences === 0 ? null : "the roll-up does not match the invoices; run `aging rebuild`";

export const agingCommands: readonly Command[] = [
  workspaceCommand("aging verify", {
    summary: "compare the roll-up that aging reports are read from with the book",
    run: ({ operate }) => operate(verifyRollup, {}),
    failure,
  }),
  workspaceCommand("aging rebuild", {
    summary: "rebuild that roll-up from the invoices, and compare them",
    async run({ operate }) {
      await operate(rebuildRollup, {});
      return operate(verifyRollup, {});
    },
    failure,
  }),
];
