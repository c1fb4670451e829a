import type { z } from "zod";
import type { InstallmentAgingRow } from "../../core/aging/schema.ts";
import { el, listRow, name, quiet } from "./dom.ts";
import { dayElement, figure } from "./figures.ts";
import { numbered, REASONS } from "./words.ts";

/** A debt behind the aging. */
export function installmentItem(one: Partial<z.output<typeof InstallmentAgingRow>>): HTMLElement {
  const { due_date: due, days_overdue: days, not_collectible_reason: reason, expected_date: expected } = one;
  const late = typeof days !== "number" ? null : days > 0 ? `${numbered(days, "day")} overdue` : "not overdue";
  const part = one.sequence_number
    ? `, installment ${one.sequence_number} of ${one.invoice_installment_count ?? "?"}`
    : "";
  return listRow(
    [
      el("span", {}, name(one.invoice_number, "Invoice without a number"), part),
      one.customer_name ? el("p", {}, name(one.customer_name, "")) : null,
      quiet(
        ...(due ? ["due ", dayElement(due), late === null ? null : `, ${late}`] : []),
        ...(expected ? ["; expected ", dayElement(expected)] : []),
        ...(one.past_expected ? ["; later than usual"] : []),
      ),
      reason ? el("p", { class: "waits" }, `Cannot be collected here: ${REASONS[reason]}`) : null,
      one.collectible === false && !reason
        ? el("p", { class: "waits" }, "Cannot be collected here: it has no payment schedule")
        : null,
    ],
    [one.amount === undefined ? null : figure(one.amount, one.currency)],
  );
}
