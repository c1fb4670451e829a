import { type Command, Help } from "commander";

/** The maximum width, and the default. */
const WIDEST = 100;
const USUAL = 80;
/** A longer option gets a line of its own, to leave room for its description. */
const WIDEST_TERM = 30;

const ORDINARY = new Help();

/** Help that fits a terminal of `columns`, or of the default width where that is unknown. */
export function helpFor(columns: number | undefined): Partial<Help> {
  return {
    helpWidth: Math.min(columns ?? USUAL, WIDEST),
    padWidth: (command: Command, helper: Help) => Math.min(ORDINARY.padWidth(command, helper), WIDEST_TERM),
    formatItem(term: string, termWidth: number, description: string, helper: Help): string {
      const item = (shown: string) => ORDINARY.formatItem.call(helper, shown, termWidth, description, helper);
      return helper.displayWidth(term) <= termWidth ? item(term) : `  ${term}\n${item("")}`;
    },
  };
}
