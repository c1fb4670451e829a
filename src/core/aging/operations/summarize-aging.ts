import { z } from "zod";
import { connectionNames } from "../../erp-access/connection-queries.ts";
import { invalidCursor } from "../../gate/cursor.ts";
import { operation, RECEIVABLES_READ } from "../../gate/operation.ts";
import { formatStored } from "../../kernel/money.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { type AgingGroup, readGroups } from "../group-queries.ts";
import { readTotals } from "../installment-queries.ts";
import { AgingGrouping, AgingInput } from "../list-parameters.ts";
import { instantOnWire, openReport } from "../report.ts";
import { AgingSummary, COUNTED_ROWS } from "../schema.ts";

const id = "summarizeAging";

/** Most groups of an answer, which has no pages. */
const MAX_GROUPS = 300;

const Input = z.strictObject({
  ...AgingInput.shape,
  group_by: AgingGrouping.optional().describe("Adds `groups`; months and weeks by due (or expected) date"),
});

/** service.md §4.10 rule 4. It has no pages, so that no cursor is its own. */
export const summarizeAging = operation({
  id,
  tag: "Aging",
  summary: "Aging totals per currency",
  description: `${COUNTED_ROWS} \`revision\` changes if and only if the rows behind the answer do; the \`ETag\` changes with payment links, further reasons and the ERP's freshness too. With \`group_by\`, \`groups\` split the totals of each currency by the month or week in which debts are due (or expected, under \`expected_from\` or \`expected_to\`), by the first reason why they cannot be collected, or by ERP connection, with \`as_of\` of each; at most ${MAX_GROUPS}.`,
  ...RECEIVABLES_READ,
  input: Input,
  output: AgingSummary,
  async run(context, { group_by: by, ...input }) {
    if (input.cursor !== undefined) throw invalidCursor();
    const report = await openReport(context, id, input, by);
    const envelope = await report.envelope(await readTotals(context.tx, report.query));
    if (by === undefined) return envelope;
    const groups = await readGroups(context.tx, report.query, { by, limit: MAX_GROUPS + 1 });
    if (groups.length > MAX_GROUPS)
      throw validationFailed([
        { field: "group_by", message: `makes more than ${MAX_GROUPS} groups: narrow the report, as by \`due_from\`` },
      ]);
    const { tx, actor } = context;
    const ids = groups.map(({ key }) => key);
    const names = by === "connection" ? await connectionNames(tx, actor.tenantId, ids) : null;
    return { ...envelope, groups: groups.map((group) => groupOnWire(group, names)) };
  },
});

/** A group; with the names of ERPs where groups are theirs. */
function groupOnWire({ key, as_of, ...group }: AgingGroup, names: ReadonlyMap<string | null, string> | null) {
  return {
    ...group,
    group: key,
    outstanding: formatStored(group.outstanding, group.currency),
    overdue: formatStored(group.overdue, group.currency),
    ...(names !== null && { as_of: instantOnWire(as_of), connection_name: names.get(key) ?? null }),
  };
}
