import type { InvoiceRow } from "../../store/tables/invoices.ts";
import type { TaskRow, WorkflowRow } from "../../store/tables/workflows.ts";
import { money } from "../kernel/money.ts";

/** Which invoices Payment Arrangement matches (completions §7); where both parts are set, both must hold. */
type ArrangementRule = Pick<WorkflowRow, "minimum_amount" | "customer_ids">;

/** What the rule looks at; only an invoice that is `open` is ever asked about (completions §9). */
export type RuledInvoice = Pick<InvoiceRow, "total_amount" | "collection_outstanding" | "customer_id">;

/** Whether the rule matches. The amount is the invoice's, in its own currency; what is owed where it has none. */
export function matchesArrangement(rule: ArrangementRule, invoice: RuledInvoice): boolean {
  const { minimum_amount: minimum, customer_ids: customers } = rule;
  if (minimum === null && customers === null) return false;
  const amount = money(invoice.total_amount ?? invoice.collection_outstanding);
  if (minimum !== null && amount.lessThan(money(minimum))) return false;
  return customers === null || (invoice.customer_id !== null && customers.includes(invoice.customer_id));
}

/**
 * Payment Arrangement, where it opens a task for an `open` invoice: its rule matches, and the invoice has no task but those that
 * ended as `not_needed` (completions §9).
 */
export function arrangementOpening(
  enabled: readonly WorkflowRow[],
  invoice: RuledInvoice,
  standingTasks: readonly TaskRow["state"][],
): WorkflowRow | null {
  const arrangement = enabled.find((workflow) => workflow.type === "payment_arrangement");
  if (arrangement === undefined || standingTasks.length > 0) return null;
  return matchesArrangement(arrangement, invoice) ? arrangement : null;
}
