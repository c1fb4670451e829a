import { ROUTE_CALLERS } from "../actor.ts";
import { invalidCursor } from "../cursor.ts";
import { operation } from "../operation.ts";
import { openReport, reader } from "./report.ts";
import { AgingInput, AgingSummary } from "./schema.ts";

const id = "summarizeAging";

/** service.md §4.10 rule 4. It has no pages, so that no cursor is its own. */
export const summarizeAging = operation({
  id,
  callers: ROUTE_CALLERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: AgingInput,
  output: AgingSummary,
  async run(context, input) {
    if (input.cursor !== undefined) throw invalidCursor();
    const report = await openReport(context, id, input);
    return report.envelope(await reader.totals(context.tx, report.query));
  },
});
