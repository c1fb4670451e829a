import { createHash } from "node:crypto";
import { type CursorScope, cursorsAfter, invalidCursor, openCursor } from "../gate/cursor.ts";
import type { RunContext } from "../gate/operation.ts";
import { nearestCustomers } from "../gate/search-queries.ts";
import { businessDate } from "../kernel/calendar.ts";
import { formatStored } from "../kernel/money.ts";
import { foldText } from "../kernel/text.ts";
import { assertInOrder, validationFailed } from "../kernel/validation.ts";
import { assertOfToday } from "../workspace/business-day-queries.ts";
import type { AgingList, AgingQuery, AgingTotal, TotalOnWire } from "./aging-query.ts";
import { coveredBuckets } from "./buckets.ts";
import type { ReportInput } from "./list-parameters.ts";
import { agingWorkspace } from "./report-envelope-queries.ts";

/**
 * Begins a call, before its rows are read. Throws `invalid_cursor` unless the cursor is of this query, at any revision, and
 * StaleRollup when the roll-up is of another day than the workspace's, as before the first call of each day. The version is read
 * before the rows: it may be older than they are, never newer.
 */
export async function openReport(context: RunContext, operation: string, input: ReportInput, groupBy?: string) {
  const { actor, core, now, tx } = context;
  assertInOrder(input, "due_from", "due_to", "days");
  assertInOrder(input, "expected_from", "expected_to", "days");
  assertIncluded(input);
  const { cursor, ...unchanged } = input;
  const scope: CursorScope = { operation, tenantId: actor.tenantId, query: unchanged };
  const [cursorRevision, walkedAt, ...place] = cursor === undefined ? [] : openCursor(core.secrets, scope, cursor);

  const workspace = await agingWorkspace(tx, actor.tenantId);
  const asOf = walkedAt ?? workspace.read_up_to;
  const reportDate = businessDate(new Date(now), workspace.timezone);
  assertOfToday(context, { today: reportDate, asOf: workspace.as_of });
  const { timezone, state } = workspace;
  context.onVersion?.(JSON.stringify([operation, actor.tenantId, input, groupBy, reportDate, timezone, state]));
  return {
    query: queryOf(input, actor.tenantId, reportDate),
    /** Parts of the place in the list that the caller's cursor holds; null without a cursor. */
    after: cursor === undefined ? null : place,
    /** What all three reports say (service.md §2.6). Throws `invalid_cursor` when the cursor is of another revision. */
    async envelope(totals: readonly AgingTotal[]) {
      const revision = revisionOf(reportDate, totals);
      if (cursorRevision !== undefined && cursorRevision !== revision) throw invalidCursor();
      return {
        report_date: reportDate,
        timezone: workspace.timezone,
        generated_at: now,
        balance_basis: "finero_reconciled_current" as const,
        revision,
        currencies: workspace.currencies,
        data_updated_at: workspace.data_updated_at,
        totals: totals.map((total) => ({
          currency: total.currency,
          ...amountsOnWire(total, total.currency),
          as_of: instantOnWire(total.as_of),
        })),
        ...(await nearestCustomers(context, input.search, totals.length === 0)),
      };
    },
    /** The rows that belong on the page, and where it goes on. */
    page<Row>(list: AgingList<Row>, placeOf: (row: Row) => readonly string[]) {
      const rows = list.rows.slice(0, input.limit);
      const revision = revisionOf(reportDate, list.totals);
      const cursorAfter = cursorsAfter(context, scope, { rows, placeOf: (row) => [revision, asOf, ...placeOf(row)] });
      return {
        rows,
        pagination: {
          total_count: list.rowCount,
          limit: input.limit,
          next_cursor: list.rows.length > input.limit ? cursorAfter(input.limit - 1) : null,
          as_of: asOf,
        },
      };
    },
  };
}

const queryOf = (input: ReportInput, tenantId: string, reportDate: string): AgingQuery => ({
  ...input,
  search: input.search && foldText(input.search),
  tenantId,
  reportDate,
  buckets: coveredBuckets(input),
  history: input.include === "payment_history",
});

/** Throws `validation_failed` when something is asked of payment histories, and they are not. */
function assertIncluded({ include, no_expected_date, expected_from, expected_to, sort }: ReportInput) {
  if (include === "payment_history") return;
  const given = { no_expected_date, expected_from, expected_to, sort: sort === "days_late_desc" ? sort : undefined };
  const fields = Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  if (fields.length === 0) return;
  const message = "needs `include=payment_history`";
  throw validationFailed(fields.map((field) => ({ field, message })));
}

/** An instant as the store writes it in rows or JSON, as callers see it. */
export const instantOnWire = (stored: string | null) => (stored === null ? null : new Date(stored).toISOString());

/** The amounts of a row as callers see them. */
export function amountsOnWire(amounts: Omit<TotalOnWire, "currency" | "as_of">, currency: string) {
  const onWire = (amount: string) => formatStored(amount, currency);
  return {
    outstanding: onWire(amounts.outstanding),
    overdue: onWire(amounts.overdue),
    current: onWire(amounts.current),
    days_1_30: onWire(amounts.days_1_30),
    days_31_60: onWire(amounts.days_31_60),
    days_61_90: onWire(amounts.days_61_90),
    over_90: onWire(amounts.over_90),
    ...(amounts.past_expected === undefined ? {} : { past_expected: onWire(amounts.past_expected) }),
  };
}

/**
 * The content hash of a report's rows (service.md §2.6). Every row has days overdue, so a new day changes it, except of an empty
 * report.
 */
function revisionOf(reportDate: string, totals: readonly AgingTotal[]) {
  const rows = totals.map(({ currency, row_count, digest }) => [currency, row_count, digest]);
  const content = JSON.stringify(rows.length === 0 ? [] : [reportDate, rows]);
  return createHash("sha256").update(content).digest("base64url");
}
