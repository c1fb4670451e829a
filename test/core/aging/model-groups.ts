import type { AgingGrouping } from "../../../src/core/aging/list-parameters.ts";
import {
  amounts,
  byBytes,
  dayNumber,
  descending,
  expectedDate,
  type Filters,
  grouped,
  matching,
  type Row,
} from "./model.ts";
import type { ModelBook } from "./model-book.ts";

/** What a summary has to answer of groups (completions §10). */
export function modelGroups(book: ModelBook, filters: Filters, by: AgingGrouping) {
  const expects = filters.expected_from !== undefined || filters.expected_to !== undefined;
  const keyOf = (row: Row): string => {
    const day = (expects ? expectedDate(book, row) : row.wire.due_date) ?? "";
    if (by === "month") return day.slice(0, 7);
    if (by === "week") {
      const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
      return new Date((dayNumber(day) - weekday) * 86_400_000).toISOString().slice(0, 10);
    }
    if (by === "connection") return row.invoice.connection_id ?? "none";
    return row.wire.collectible ? "collectible" : (row.wire.not_collectible_reason ?? "no_installments");
  };
  const groups = grouped(matching(book, filters), (row) => `${row.wire.currency} ${keyOf(row)}`).flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { outstanding, overdue, currency } = amounts(own, first.wire.currency, null);
    const group = { currency, group: keyOf(first), outstanding, overdue, installment_count: own.length };
    if (by !== "connection") return [group];
    const { connection_id: id } = first.invoice;
    const connection_name = id === null ? null : id === book.read.connection_id ? book.read.name : "Oracle Fusion";
    return [{ ...group, as_of: first.wire.as_of, connection_name }];
  });
  const isTimed = by === "month" || by === "week";
  return groups.sort(
    (a, b) =>
      byBytes(a.currency, b.currency) ||
      (isTimed ? 0 : descending(a.outstanding, b.outstanding)) ||
      byBytes(a.group, b.group),
  );
}
