import type { InstallmentRow } from "../../store/tables/invoices.ts";
import { type Money, toMinor } from "../kernel/money.ts";
import type { InstallmentFacts, InvoiceFacts } from "./collection-facts.ts";

type Reason = InstallmentRow["not_collectible_reason"];

/** In the order of completions §4. */
export const NOT_COLLECTIBLE_REASONS = [
  "retired",
  "removed",
  "not_finalised",
  "closed",
  "excluded",
  "disputed",
  "nothing_outstanding",
  "no_billing_email",
  "currency_not_supported",
] as const;

/** Stands for the installment of an invoice that has none. */
export const WHOLE = { removed_at: null, closed: false, excluded: false, disputed: false };

/** What of an invoice stands against collecting it. */
type InvoiceReasons = Pick<InvoiceFacts, "retired_at" | "finalised" | "currency" | "customer_email">;

/** The first reason that holds, in the order of completions §4. */
export function notCollectibleReason(...given: Parameters<typeof notCollectibleReasons>) {
  return notCollectibleReasons(...given)[0] ?? null;
}

/** All reasons that hold, in that order. */
export function notCollectibleReasons(
  invoice: InvoiceReasons,
  installment: Pick<InstallmentFacts, "removed_at" | "closed" | "excluded" | "disputed">,
  outstanding: Money,
  chargeable: ReadonlySet<string>,
) {
  const { currency } = invoice;
  const holds: Readonly<Record<NonNullable<Reason>, boolean>> = {
    retired: invoice.retired_at !== null,
    removed: installment.removed_at !== null,
    not_finalised: !invoice.finalised,
    closed: installment.closed,
    excluded: installment.excluded,
    disputed: installment.disputed,
    nothing_outstanding: !canBeAsked(outstanding, currency),
    no_billing_email: invoice.customer_email === null,
    currency_not_supported: currency === null || !chargeable.has(currency),
  };
  return NOT_COLLECTIBLE_REASONS.filter((reason) => holds[reason]);
}

/** What rounds to zero in the currency's minor unit cannot be asked for (completions §9). */
function canBeAsked(outstanding: Money, currency: string | null) {
  const minor = currency === null ? undefined : toMinor(outstanding, currency);
  return minor === undefined ? !outstanding.isZero() : minor > 0n;
}
