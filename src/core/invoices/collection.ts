import type { InstallmentRow, InvoiceRow } from "../../store/tables/invoices.ts";
import type { PaymentRow } from "../../store/tables/payments.ts";
import { atLeastZero, type Money, money, sum, toMinor, ZERO } from "../shared/money.ts";

/** What an invoice's figures are derived from. */
export type InvoiceFacts = Pick<
  InvoiceRow,
  | "origin"
  | "finalised"
  | "retired_at"
  | "currency"
  | "customer_email"
  | "total_amount"
  | "erp_invoice_open_balance"
  | "has_installments"
>;

/** The same for one of its installments. */
export type InstallmentFacts = Pick<
  InstallmentRow,
  | "installment_id"
  | "sequence_number"
  | "due_date"
  | "original_amount"
  | "erp_outstanding"
  | "closed"
  | "disputed"
  | "excluded"
  | "removed_at"
>;

/** The same for a confirmed payment. */
export type PaymentFacts = Pick<PaymentRow, "installment_id" | "amount" | "erp_push_status" | "reflected_at">;

/** The derived columns of an invoice, as the store keeps them. */
export type InvoiceFigures = Pick<
  InvoiceRow,
  | "collection_status"
  | "collection_outstanding"
  | "amount_collected"
  | "collection_due_date"
  | "not_collectible_reason"
  | "erp_push_state"
  | "has_held_payment"
>;

/** The derived columns of an installment. */
export type InstallmentFigures = Pick<
  InstallmentRow,
  "collection_outstanding" | "collectible" | "not_collectible_reason"
>;

type Reason = InstallmentRow["not_collectible_reason"];

/** Stands for the installment of an invoice that has none. */
const WHOLE = { removed_at: null, closed: false, excluded: false, disputed: false };

/** Worst first (completions §6). */
const PUSH_STATES = ["failed", "reversed", "pending", "processing", "posted", "applied"] as const;

/**
 * Every derived figure of an invoice and its installments, in their order (completions §6). `chargeable` holds the
 * currencies that some connected payment integration of the workspace can charge.
 */
export function collectionFigures(
  invoice: InvoiceFacts,
  installments: readonly InstallmentFacts[],
  payments: readonly PaymentFacts[],
  chargeable: ReadonlySet<string>,
): { invoice: InvoiceFigures; installments: InstallmentFigures[] } {
  const settling = payments.filter((payment) => invoice.origin === "local" || !isReflected(payment));
  const left = leftOfEach(invoice, installments, settling);
  const parts = installments.map((installment) => {
    const outstanding = left.get(installment.installment_id) ?? ZERO;
    return { installment, outstanding, reason: reasonOf(invoice, installment, outstanding, chargeable) };
  });

  const live = parts.filter(({ installment }) => installment.removed_at === null);
  const own = invoice.origin === "local" ? invoice.total_amount : invoice.erp_invoice_open_balance;
  const outstanding = invoice.has_installments
    ? sum(live.map((part) => part.outstanding))
    : lessPayments(own, settling);
  const collected = sum(payments.map((payment) => money(payment.amount)));
  const collectible = parts.filter(({ reason }) => reason === null);
  return {
    invoice: {
      collection_status: statusOf(collected, outstanding, collectible.length > 0),
      collection_outstanding: outstanding.toFixed(),
      amount_collected: collected.toFixed(),
      not_collectible_reason: invoice.has_installments ? null : reasonOf(invoice, WHOLE, outstanding, chargeable),
      collection_due_date: earliest(collectible.map(({ installment }) => installment.due_date)),
      erp_push_state: worstPushState(payments),
      has_held_payment: payments.some((payment) => payment.erp_push_status === "held"),
    },
    installments: parts.map(({ outstanding: part, reason }) => ({
      collection_outstanding: part.toFixed(),
      collectible: reason === null,
      not_collectible_reason: reason,
    })),
  };
}

/**
 * Whether nobody needs to arrange the invoice's payment any more (service.md §3.4, `not_needed`): it is retired, or the
 * ERP shows no debt, neither on a live installment nor, where it never had installments, on the invoice itself.
 */
export function needsNoTask(invoice: InvoiceFacts, installments: readonly InstallmentFacts[]): boolean {
  if (invoice.retired_at !== null) return true;
  if (invoice.origin === "local") return false;
  const balances = invoice.has_installments
    ? installments.filter(({ removed_at }) => removed_at === null).map(({ erp_outstanding }) => erp_outstanding)
    : [invoice.erp_invoice_open_balance];
  return balances.every((balance) => amountOf(balance).lessThanOrEqualTo(ZERO));
}

/** Whether the ERP's balance already includes a payment; a reversed receipt is taken out of it again. */
function isReflected(payment: PaymentFacts): boolean {
  return payment.reflected_at !== null && payment.erp_push_status !== "reversed";
}

function amountOf(text: string | null): Money {
  return text === null ? ZERO : money(text);
}

function lessPayments(owed: string | null, payments: readonly PaymentFacts[]): Money {
  return atLeastZero(amountOf(owed).minus(sum(payments.map((payment) => money(payment.amount)))));
}

/**
 * What is left of each installment, by its id. The ERP may replace installments that were paid on (new terms, a split):
 * that money, and what was paid on none, settles those that are live, the earliest due first.
 */
function leftOfEach(
  invoice: InvoiceFacts,
  installments: readonly InstallmentFacts[],
  settling: readonly PaymentFacts[],
): Map<string, Money> {
  const left = new Map<string, Money>();
  for (const { installment_id: id, original_amount, erp_outstanding } of installments) {
    const own = settling.filter((payment) => payment.installment_id === id);
    left.set(id, lessPayments(invoice.origin === "local" ? original_amount : erp_outstanding, own));
  }
  const live = installments.filter(({ removed_at }) => removed_at === null);
  const liveIds = new Set(live.map(({ installment_id }) => installment_id));
  const strays = settling.filter(({ installment_id: id }) => id === null || !liveIds.has(id));
  if (strays.length === 0) return left;
  let stray = sum(strays.map((payment) => money(payment.amount)));
  for (const { installment_id: id } of live.sort(byDueDate)) {
    const before = left.get(id) ?? ZERO;
    left.set(id, atLeastZero(before.minus(stray)));
    stray = atLeastZero(stray.minus(before));
  }
  return left;
}

/** Undated ones last; then by number, and by id where nothing else tells them apart. */
function byDueDate(a: InstallmentFacts, b: InstallmentFacts): number {
  if (a.due_date !== b.due_date) return (a.due_date ?? "~") < (b.due_date ?? "~") ? -1 : 1;
  const order = (a.sequence_number ?? Number.MAX_SAFE_INTEGER) - (b.sequence_number ?? Number.MAX_SAFE_INTEGER);
  return order !== 0 ? order : a.installment_id < b.installment_id ? -1 : 1;
}

/** The first reason that holds, in the order of completions §4. */
function reasonOf(
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

function statusOf(collected: Money, outstanding: Money, anyCollectible: boolean): InvoiceRow["collection_status"] {
  if (!collected.isZero() && outstanding.isZero()) return "paid";
  return anyCollectible ? "open" : "inactive";
}

function earliest(dates: readonly (string | null)[]): string | null {
  return dates.filter((date) => date !== null).sort()[0] ?? null;
}

function worstPushState(payments: readonly PaymentFacts[]): InvoiceRow["erp_push_state"] {
  const states = new Set(
    payments.map(({ erp_push_status: status }) => (status === "held" ? ("pending" as const) : status)),
  );
  return PUSH_STATES.find((state) => states.has(state)) ?? null;
}

/**
 * What a new payment link on an installment may still ask for (completions §4): what is left to collect, less what its
 * live links ask for already. Collected money is netted off `collectionOutstanding` and not subtracted again.
 */
export function availableAmount(collectionOutstanding: Money, liveLinkAmounts: Iterable<Money>): Money {
  return atLeastZero(collectionOutstanding.minus(sum(liveLinkAmounts)));
}
