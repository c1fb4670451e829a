import { ErpError } from "../gateway.ts";
import type { FusionRefusal } from "./errors.ts";

/** By code, or by the text that Oracle documents for it: a receipt of this number, date, amount and customer is there. */
const DUPLICATE = /AR_RCP_DUP_NUM|receipt with this number, date, amount,? and customer already exists/i;

/** A code or text of the ERP, and what it means for whoever has to mend it. */
type Reason = readonly [pattern: RegExp, reason: string];

/** Oracle documents no code for it; its texts speak of the accounting (or GL) date and of a period that is not open. */
const CLOSED_PERIOD =
  /(?:accounting|GL)[ _]date.{0,200}(?:not in|period|open|closed)|period.{0,200}(?:not open|closed)|not in an open|AR_[A-Z_]*GL_DATE/i;

const CLOSED_REASON = "The accounting period of the receipt's date is not open in the ERP.";

/** The codes and texts that Oracle documents, and for customers the stem of its older interfaces' codes; first that fits. */
const CREATION_REASONS: readonly Reason[] = [
  [
    /FND_CMN_REQ_ATTRIB_API_SERV/,
    "The ERP asks for a field that the receipt does not have. Complete the invoice or the receipt method in the ERP, then retry the push.",
  ],
  [
    /AR_RAPI_BU_INVALID|AR_BU_NOT_FOUND|business unit is (?:invalid|not valid)/i,
    "The ERP does not know the invoice's business unit, or its user has no access to it. Grant the access in the ERP, then retry the push.",
  ],
  [
    /AR_BOE_OBSOLETE/,
    "The ERP takes no receipts by bill of exchange any more. Set another receipt method on the connection, then retry the push.",
  ],
  [
    /AR_INVAL_RECEIPT_MTH_ID|receipt method.{0,100} (?:invalid|not valid)/i,
    "The ERP does not know the receipt method, or does not allow it. Set it up in the ERP or set another on the connection, then retry the push.",
  ],
  [
    /AR_RAPI_CURR_CODE_INVALID|currency(?: code)? is (?:invalid|not valid)/i,
    "The ERP does not take receipts in this currency. Enable the currency in the ERP, then retry the push.",
  ],
  [
    /AR_RAPI_CUS|AR_BILL_TO_CUST_NOT_FOUND/,
    "The ERP does not know the receipt's customer or site. Check the customer's account and site in the ERP, then retry the push.",
  ],
  [CLOSED_PERIOD, `${CLOSED_REASON} Open the period, then retry the push.`],
];

/** Texts of applications are not documented: these words are those of Oracle's receipt interfaces. */
const APPLICATION_REASONS: readonly Reason[] = [
  [CLOSED_PERIOD, `${CLOSED_REASON} Open the period, then retry the push or apply the receipt there.`],
  [
    /exceeds? the (?:receipt|unapplied)|unapplied amount/i,
    "Less of the receipt is unapplied in the ERP than the payment's amount. Check in the ERP what it was applied to.",
  ],
  [
    /exceeds?|over-?appl|more than the (?:balance|amount due)/i,
    "The installment owes less in the ERP than the payment's amount. Apply the receipt in the ERP to what is left, or refund it.",
  ],
  [/reversed/i, "The receipt is reversed in the ERP. The next sync takes that in; then retry the push."],
  [
    /not complete|incomplete/i,
    "The invoice is not complete in the ERP. Complete it there, then retry the push or apply the receipt there.",
  ],
  [/currenc/i, "The receipt and the invoice have different currencies in the ERP. Check the invoice's currency there."],
  [
    /customer/i,
    "The invoice is not one of the receipt's customer in the ERP. Check whom the invoice is billed to there.",
  ],
];

/** Whether the ERP refused a receipt because it has it. */
export const isDuplicate = (refusal: FusionRefusal): boolean => refusal.says(DUPLICATE);

const knownReason = (reasons: readonly Reason[], refusal: FusionRefusal): string | undefined =>
  reasons.find(([pattern]) => refusal.says(pattern))?.[1];

/** Why the ERP did not take a receipt, as an error that may be shown. */
export function creationRefused(refusal: FusionRefusal): ErpError {
  const { erpMessage, status } = refusal;
  const reason = knownReason(CREATION_REASONS, refusal) ?? `The ERP refused the receipt with status ${status}.`;
  return new ErpError("erp_rejected", reason, { detail: refusal.message, erpMessage });
}

/** Why the ERP did not apply a receipt, to be shown. */
export function applicationRefused(refusal: FusionRefusal): string {
  if (refusal.status === 404 || refusal.status === 405) {
    return "The ERP does not know the receipt, or its release has no way to apply one by a call.";
  }
  const otherwise = `The ERP refused to apply the receipt to the installment with status ${refusal.status}.`;
  return knownReason(APPLICATION_REASONS, refusal) ?? otherwise;
}
