import type { z } from "zod";
import type { InstallmentAgingRow } from "../../core/aging/schema.ts";
import type { NotCollectibleReason } from "../../core/invoices/schema.ts";
import { el, line, listRow, name, quiet } from "./dom.ts";
import { dayElement, figure } from "./figures.ts";
import { numbered, REASONS } from "./words.ts";

/** A debt behind the aging. */
export function installmentItem(one: Partial<z.output<typeof InstallmentAgingRow>>): HTMLElement {
  const { due_date: due, days_overdue: days, not_collectible_reason: reason, expected_date: expected } = one;
  const late = typeof days === "number" && (days > 0 ? `, ${numbered(days, "day")} overdue` : ", not overdue");
  const of = one.invoice_installment_count ?? "?";
  return listRow(
    [
      el(
        "span",
        {},
        name(one.invoice_number, "Invoice without a number"),
        one.sequence_number ? `, installment ${one.sequence_number} of ${of}` : null,
      ),
      one.customer_name && line(name(one.customer_name, "")),
      quiet(
        due && ["due ", dayElement(due), late],
        expected && ["; expected ", dayElement(expected)],
        one.past_expected && "; later than usual",
      ),
      notCollected(reason ?? (one.collectible === false && "unscheduled")),
    ],
    [one.amount && figure(one.amount, one.currency)],
  );
}

/** Why a debt cannot be collected. */
export function notCollected(reason: z.output<typeof NotCollectibleReason> | "unscheduled" | false | null | undefined) {
  if (!reason) return null;
  const why = reason === "unscheduled" ? "it has no payment schedule" : REASONS[reason];
  return el("p", { class: "waits" }, `Cannot be collected here: ${why}`);
}
