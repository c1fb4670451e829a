import { erpSentence, type ReceiptReason } from "../../../erp-reasons.ts";
import { money } from "../../kernel/money.ts";
import { withOutsideWords } from "../../kernel/outside-words.ts";
import { readableMoney } from "../../mail/readable.ts";

/** Why a receipt is not applied, in the service's own words; public. */
export function ownWords({ erp: _, outcome_unknown: isUnknown, ...reason }: ReceiptReason): string {
  const sentence = erpSentence(reason, (value) =>
    typeof value === "object" ? readableMoney(money(value.amount), value.currency) : String(value),
  );
  return isUnknown ? `${sentence} Whether the ERP has the receipt is not known.` : sentence;
}

/** The same, and after it what the ERP said; null without a reason. */
export function reasonInWords(reason: ReceiptReason): string;
export function reasonInWords(reason: ReceiptReason | null): string | null;
export function reasonInWords(reason: ReceiptReason | null): string | null {
  return reason === null ? null : withOutsideWords(ownWords(reason), "The ERP", reason.erp ?? null);
}
