import type { InvoiceRow } from "../../store/tables/invoices.ts";
import type { TaskRow, WorkflowRow } from "../../store/tables/workflows.ts";
import { addDays } from "../kernel/calendar.ts";
import { money } from "../kernel/money.ts";
import type { collectibleInstallments, InvoiceToRun } from "./run-queries.ts";

/** A collectible installment, once for each of its live links. */
type InstallmentToDecide = Awaited<ReturnType<typeof collectibleInstallments>>[number];

/** An invoice and all that its workflows decide by. */
interface Situation {
  readonly invoice: Omit<InvoiceToRun, "timezone">;
  readonly installments: readonly InstallmentToDecide[];
  /** States of its tasks. */
  readonly tasks: readonly TaskRow["state"][];
}

/** What a workspace's enabled workflows do with an invoice. */
export interface Decision {
  /** Payment Arrangement, where it opens a task. */
  readonly arranging: WorkflowRow | null;
  /** Auto Generate, where it is on. */
  readonly generator: WorkflowRow | null;
  /** Installments that get a link, in their order. */
  readonly wanted: readonly string[];
  /** A task keeps installments in the window from getting a link. */
  readonly isHeldByTask: boolean;
  /** It has installments that would get a link now or later, were its ERP not disconnected. */
  readonly isErpDisconnected: boolean;
  /** It has installments that would get a link, had nobody paid it in another currency than it now has. */
  readonly isPaidInOtherCurrency: boolean;
  /** When a person last withdrew a link of an installment that gets none because of that; null without any. */
  readonly withdrawnAt: string | null;
  /** The day on which the first that falls due later comes into the window, `YYYY-MM-DD`; null where none does. */
  readonly nextDay: string | null;
  /** Until when the last of its reserved links is leased. */
  readonly reservedUntil: string | null;
}

const NOTHING: Decision = {
  arranging: null,
  generator: null,
  wanted: [],
  isHeldByTask: false,
  isErpDisconnected: false,
  isPaidInOtherCurrency: false,
  withdrawnAt: null,
  nextDay: null,
  reservedUntil: null,
};

/**
 * The rules of completions §7 and §12 for one invoice on the business day `today`. A workflow's run and its plan both follow
 * this decision only.
 */
export function decide(workflows: readonly WorkflowRow[], situation: Situation, today: string) {
  const { invoice, installments, tasks } = situation;
  if (invoice.collection_status !== "open") return NOTHING;
  const enabled = workflows.filter((workflow) => workflow.enabled);
  const standing = tasks.filter((state) => state !== "not_needed");
  const arranging = arrangementOpening(enabled, invoice, standing);
  const generator = enabled.find((workflow) => workflow.type === "auto_generate") ?? null;
  if (generator === null) return { ...NOTHING, arranging };

  const reservations = installments.flatMap(({ reserved_until: until }) => (until === null ? [] : [until]));
  const reservedUntil = reservations.sort().at(-1) ?? null;
  if (invoice.customer_email === null || generator.send_at === null || invoice.no_mail === true)
    return { ...NOTHING, arranging, generator, reservedUntil };
  const days = generator.days_before_due ?? 0;
  const unlinked = installments.filter(({ state }) => state === null);
  // Without the ERP nobody learns when the debt changes, and no receipt can be pushed.
  if (invoice.connection_status === "disconnected") {
    const isErpDisconnected = unlinked.some((one) => one.due_date !== null && !isWithdrawn(one));
    return { ...NOTHING, arranging, generator, isErpDisconnected };
  }
  // What is owed is not known before a person decides about that money.
  if (invoice.paid_in_other_currency)
    return { ...NOTHING, arranging, generator, isPaidInOtherCurrency: unlinked.length > 0, reservedUntil };
  const isInWindow = ({ due_date: due }: InstallmentToDecide) => due !== null && due <= addDays(today, days);
  const wanted = unlinked.filter((one) => isInWindow(one) && !isWithdrawn(one)).map((one) => one.installment_id);
  const isHeldByTask = wanted.length > 0 && (arranging !== null || standing.some((state) => state !== "dismissed"));
  const withdrawals = unlinked
    .filter((one) => isInWindow(one) && isWithdrawn(one))
    .flatMap((one) => one.withdrawn_by_person_at ?? []);
  const later = unlinked.filter((one) => !isInWindow(one) && !isWithdrawn(one)).flatMap((one) => one.due_date ?? []);
  const nextDue = later.sort()[0];
  return {
    ...NOTHING,
    arranging,
    generator,
    wanted: isHeldByTask ? [] : wanted,
    isHeldByTask,
    withdrawnAt: withdrawals.sort().at(-1) ?? null,
    nextDay: nextDue === undefined ? null : addDays(nextDue, -days),
    reservedUntil,
  };
}

/** What a person withdrew stays withdrawn for as long as the installment owes the same (completions §12). */
function isWithdrawn({ withdrawn_by_person_amount: amount, collection_outstanding }: InstallmentToDecide) {
  return amount !== null && money(amount).equals(money(collection_outstanding));
}

/** Which invoices Payment Arrangement matches (completions §7); where both parts are set, both must hold. */
type ArrangementRule = Pick<WorkflowRow, "minimum_amount" | "customer_ids">;

/** What the rule looks at; only an invoice that is `open` is ever asked about (completions §9). */
type RuledInvoice = Pick<InvoiceRow, "total_amount" | "collection_outstanding" | "customer_id">;

/** Whether the rule matches. The amount is the invoice's, in its own currency; what is owed where it has none. */
export function matchesArrangement(rule: ArrangementRule, invoice: RuledInvoice) {
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
function arrangementOpening(
  enabled: readonly WorkflowRow[],
  invoice: RuledInvoice,
  standingTasks: readonly TaskRow["state"][],
) {
  const arrangement = enabled.find((workflow) => workflow.type === "payment_arrangement");
  if (arrangement === undefined || standingTasks.length > 0) return null;
  return matchesArrangement(arrangement, invoice) ? arrangement : null;
}
