import { rebuildRollup } from "../../core/aging/operations/rebuild-rollup.ts";
import { verifyRollup } from "../../core/aging/verify-rollup.ts";
import { type Command, command } from "../command.ts";

const failure = ({ differences }: { differences: number }): string | null =>
  differences === 0 ? null : "the roll-up does not match the invoices; run `aging rebuild`";

export const agingCommands: readonly Command[] = [
  command("aging verify", verifyRollup, {
    failure,
  }),
  command("aging rebuild", rebuildRollup, {
    async run({ operate }) {
      await operate(rebuildRollup, {});
      return operate(verifyRollup, {});
    },
    failure: (found) => failure(found),
  }),
];
