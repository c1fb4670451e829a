import ERP_SENTENCES from "./erp-sentences.json" with { type: "json" };

type Code = keyof typeof ERP_SENTENCES;

/** The gaps in the sentences of those that have any. */
interface Gaps {
  receipt_refused: "status";
  application_refused: "status";
  balance_less: "owed";
  balance_fell: "owed" | "before";
  certificate: "problem";
  not_the_erp: "what";
  failing: "status";
  refused: "status";
  unusable: "what";
  beyond_bound: "most" | "what";
}

/** What a gap is filled with; an amount is exact, in major units. */
type Parameter = string | number | { readonly amount: string; readonly currency: string };

/** Why an ERP cannot be used, a sync of it ended, or a receipt is not applied in it: a code of `erp-sentences.json`, and what fills the gaps of its sentence. */
export type ErpReason = {
  [Of in Code]: { readonly code: Of } & Readonly<Record<Of extends keyof Gaps ? Gaps[Of] : never, Parameter>>;
}[Code];

/** Why a receipt is not applied, as stored: with what the ERP said of it in one clean line, and whether it may have the receipt. */
export type ReceiptReason = ErpReason & { readonly erp?: string; readonly outcome_unknown?: true };

/** The sentence of a reason, and what to do about it; without that where advice follows. */
export function erpSentence(
  reason: ErpReason,
  shown: (parameter: Parameter) => string = String,
  isAdvised = false,
): string {
  const [fact = "", remedy = ""] = ERP_SENTENCES[reason.code].split(" |");
  const text = isAdvised ? fact : fact + remedy;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => shown(Reflect.get(reason, name)));
}
