import { invalidCursor } from "../../gate/cursor.ts";
import { operation, RECEIVABLES_READ } from "../../gate/operation.ts";
import { readTotals } from "../installment-queries.ts";
import { AgingInput } from "../list-parameters.ts";
import { openReport } from "../report.ts";
import { AgingSummary, COUNTED_ROWS } from "../schema.ts";

const id = "summarizeAging";

/** service.md §4.10 rule 4. It has no pages, so that no cursor is its own. */
export const summarizeAging = operation({
  id,
  tag: "Aging",
  summary: "Aging totals per currency",
  description: `${COUNTED_ROWS} \`revision\` changes if and only if the rows behind the answer do.`,
  ...RECEIVABLES_READ,
  input: AgingInput,
  output: AgingSummary,
  async run(context, input) {
    if (input.cursor !== undefined) throw invalidCursor();
    const report = await openReport(context, id, input);
    return report.envelope(await readTotals(context.tx, report.query));
  },
});
