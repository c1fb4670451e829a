import { type Command, Help } from "commander";

/** As wide as text is easily read, and where the width is not known. */
const WIDEST = 100;
const USUAL = 80;
/** A longer option stands on a line of its own, so that what it means has room. */
const WIDEST_TERM = 30;

const ORDINARY = new Help();

/** Help whose lines fit a terminal of so many columns, or one of the usual width where nothing is known of it. */
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
