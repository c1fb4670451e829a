import { erpSentence, type ReceiptReason } from "../../../erp-reasons.ts";
import { money } from "../../kernel/money.ts";
import { withOutsideWords } from "../../kernel/outside-words.ts";
import { readableMoney } from "../../mail/readable.ts";

/** Why a receipt is not applied, in the service's own words; public. Without what to do where that follows as advice. */
export function ownWords(reason: ReceiptReason, isAdvised = false) {
  const sentence = erpSentence(
    reason,
    (value) => (typeof value === "object" ? readableMoney(money(value.amount), value.currency) : String(value)),
    isAdvised,
  );
  return reason.outcome_unknown ? `${sentence} Whether the ERP has the receipt is not known.` : sentence;
}

/** The same, and after it what the ERP said. */
export const reasonInWords = (reason: ReceiptReason, isAdvised = false) =>
  withOutsideWords(ownWords(reason, isAdvised), "The ERP", reason.erp ?? null);
