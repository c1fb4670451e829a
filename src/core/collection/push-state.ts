import type { PaymentFacts } from "./collection-facts.ts";

/** Worst first (completions §6). */
const PUSH_STATES = ["failed", "reversed", "pending", "processing", "posted", "applied"] as const;

/** service.md §3.3: the worst state of an invoice's payments, of which a held one counts as pending; null without any. */
export function worstPushState(payments: readonly PaymentFacts[]) {
  const states = new Set(payments.map(({ erp_push_status: status }) => (status === "held" ? "pending" : status)));
  return PUSH_STATES.find((state) => states.has(state)) ?? null;
}
