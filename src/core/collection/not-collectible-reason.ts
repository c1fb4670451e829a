import type { InstallmentRow } from "../../store/tables/invoices.ts";
import { type Money, toMinor } from "../kernel/money.ts";
import type { InstallmentFacts, InvoiceFacts } from "./collection-facts.ts";

type Reason = InstallmentRow["not_collectible_reason"];

/** Stands for the installment of an invoice that has none. */
export const WHOLE = { removed_at: null, closed: false, excluded: false, disputed: false };

/** The first reason that holds, in the order of completions §4. */
export function notCollectibleReason(
  invoice: InvoiceFacts,
  installment: Pick<InstallmentFacts, "removed_at" | "closed" | "excluded" | "disputed">,
  outstanding: Money,
  chargeable: ReadonlySet<string>,
): Reason {
  if (invoice.retired_at !== null) return "retired";
  if (installment.removed_at !== null) return "removed";
  if (!invoice.finalised) return "not_finalised";
  if (installment.closed) return "closed";
  if (installment.excluded) return "excluded";
  if (installment.disputed) return "disputed";
  if (!canBeAsked(outstanding, invoice.currency)) return "nothing_outstanding";
  if (invoice.customer_email === null) return "no_billing_email";
  if (invoice.currency === null || !chargeable.has(invoice.currency)) return "currency_not_supported";
  return null;
}

/** What rounds to zero in the currency's minor unit cannot be asked for (completions §9). */
function canBeAsked(outstanding: Money, currency: string | null): boolean {
  const minor = currency === null ? undefined : toMinor(outstanding, currency);
  return minor === undefined ? !outstanding.isZero() : minor > 0n;
}
