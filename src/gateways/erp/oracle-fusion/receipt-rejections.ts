import { ErpError } from "../gateway.ts";
import { RECEIPT_REASONS, type ReceiptReason } from "../reasons.ts";
import type { FusionRejection } from "./errors.ts";

/** By code, or by the text that Oracle documents for it: a receipt of this number, date, amount and customer is there. */
const DUPLICATE = /AR_RCP_DUP_NUM|receipt with this number, date, amount,? and customer already exists/i;

/** A code or text of the ERP, and the reason it stands for. */
type Reason = readonly [pattern: RegExp, reason: ReceiptReason];

/** Oracle documents no code for it; its texts speak of the accounting (or GL) date and of a period that is not open. */
const CLOSED_PERIOD =
  /(?:accounting|GL)[ _]date.{0,200}(?:not in|period|open|closed)|period.{0,200}(?:not open|closed)|not in an open|AR_[A-Z_]*GL_DATE/i;

/** The codes and texts that Oracle documents, and for customers the stem of its older interfaces' codes; first that fits. */
const CREATION_REASONS: readonly Reason[] = [
  [/FND_CMN_REQ_ATTRIB_API_SERV/, "missing_field"],
  [/AR_RAPI_BU_INVALID|AR_BU_NOT_FOUND|business unit is (?:invalid|not valid)/i, "business_unit"],
  [/AR_BOE_OBSOLETE/, "bill_of_exchange"],
  [/AR_INVAL_RECEIPT_MTH_ID|receipt method.{0,100} (?:invalid|not valid)/i, "receipt_method"],
  [/AR_RAPI_CURR_CODE_INVALID|currency(?: code)? is (?:invalid|not valid)/i, "currency"],
  [/AR_RAPI_CUS|AR_BILL_TO_CUST_NOT_FOUND/, "customer"],
  [CLOSED_PERIOD, "closed_period"],
];

/** Texts of applications are not documented: these words are those of Oracle's receipt interfaces. */
const APPLICATION_REASONS: readonly Reason[] = [
  [CLOSED_PERIOD, "closed_period_to_apply"],
  [/exceeds? the (?:receipt|unapplied)|unapplied amount/i, "less_unapplied"],
  [/exceeds?|over-?appl|more than the (?:balance|amount due)/i, "less_owed"],
  [/reversed/i, "reversed_there"],
  [/not complete|incomplete/i, "invoice_incomplete"],
  [/currenc/i, "other_currency"],
  [/customer/i, "other_customer"],
];

/** Whether the ERP rejected a receipt because it already has it. */
export const isDuplicate = (rejection: FusionRejection): boolean => rejection.says(DUPLICATE);

function knownReason(reasons: readonly Reason[], rejection: FusionRejection): string | undefined {
  const found = reasons.find(([pattern]) => rejection.says(pattern));
  return found && RECEIPT_REASONS[found[1]];
}

/** Why the ERP did not take a receipt, as an error that may be shown. */
export function creationRejected(rejection: FusionRejection): ErpError {
  const { erpMessage, status } = rejection;
  const reason = knownReason(CREATION_REASONS, rejection) ?? `The ERP refused the receipt with status ${status}.`;
  return new ErpError("erp_rejected", reason, { detail: rejection.message, erpMessage });
}

/** Why the ERP did not apply a receipt, to be shown. */
export function applicationRejection(rejection: FusionRejection): string {
  if (rejection.status === 404 || rejection.status === 405) {
    return RECEIPT_REASONS.no_application;
  }
  const otherwise = `The ERP refused to apply the receipt to the installment with status ${rejection.status}.`;
  return knownReason(APPLICATION_REASONS, rejection) ?? otherwise;
}
