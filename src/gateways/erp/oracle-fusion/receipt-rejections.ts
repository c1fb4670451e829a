import type { ErpReason } from "../../../erp-reasons.ts";
import { ErpError } from "../gateway.ts";
import type { FusionRejection } from "./errors.ts";

/** By code, or by the text that Oracle documents for it: a receipt of this number, date, amount and customer is there. */
const DUPLICATE = /AR_RCP_DUP_NUM|receipt with this number, date, amount,? and customer already exists/i;

/** A code or text of the ERP, and the reason it stands for. */
type Reason = readonly [pattern: RegExp, reason: ErpReason];

/** Oracle documents no code for it; its texts speak of the accounting (or GL) date and of a period that is not open. */
const CLOSED_PERIOD =
  /(?:accounting|GL)[ _]date.{0,200}(?:not in|period|open|closed)|period.{0,200}(?:not open|closed)|not in an open|AR_[A-Z_]*GL_DATE/i;

/** The codes and texts that Oracle documents, and for customers the stem of its older interfaces' codes; first that fits. */
const CREATION_REASONS: readonly Reason[] = [
  [/FND_CMN_REQ_ATTRIB_API_SERV/, { code: "missing_field" }],
  [/AR_RAPI_BU_INVALID|AR_BU_NOT_FOUND|business unit is (?:invalid|not valid)/i, { code: "business_unit" }],
  [/AR_BOE_OBSOLETE/, { code: "bill_of_exchange" }],
  [/AR_INVAL_RECEIPT_MTH_ID|receipt method.{0,100} (?:invalid|not valid)/i, { code: "receipt_method" }],
  [/AR_RAPI_CURR_CODE_INVALID|currency(?: code)? is (?:invalid|not valid)/i, { code: "currency" }],
  [/AR_RAPI_CUS|AR_BILL_TO_CUST_NOT_FOUND/, { code: "customer" }],
  [CLOSED_PERIOD, { code: "closed_period" }],
];

/** Texts of applications are not documented: these words are those of Oracle's receipt interfaces. */
const APPLICATION_REASONS: readonly Reason[] = [
  [CLOSED_PERIOD, { code: "closed_period_to_apply" }],
  [/exceeds? the (?:receipt|unapplied)|unapplied amount/i, { code: "less_unapplied" }],
  [/exceeds?|over-?appl|more than the (?:balance|amount due)/i, { code: "less_owed" }],
  [/reversed/i, { code: "reversed_there" }],
  [/not complete|incomplete/i, { code: "invoice_incomplete" }],
  [/currenc/i, { code: "other_currency" }],
  [/customer/i, { code: "other_customer" }],
];

/** Whether the ERP rejected a receipt because it already has it. */
export const isDuplicate = (rejection: FusionRejection): boolean => rejection.says(DUPLICATE);

function knownReason(reasons: readonly Reason[], rejection: FusionRejection): ErpReason | undefined {
  return reasons.find(([pattern]) => rejection.says(pattern))?.[1];
}

/** Why the ERP did not take a receipt, as an error that may be shown. */
export function creationRejected(rejection: FusionRejection): ErpError {
  const { erpMessage, status } = rejection;
  const reason = knownReason(CREATION_REASONS, rejection) ?? { code: "receipt_refused", status };
  return new ErpError("erp_rejected", reason, { detail: rejection.message, erpMessage });
}

/** Why the ERP did not apply a receipt, to be shown. */
export function applicationRejection(rejection: FusionRejection): ErpReason {
  const { status } = rejection;
  if (status === 404 || status === 405) return { code: "no_application" };
  return knownReason(APPLICATION_REASONS, rejection) ?? { code: "application_refused", status };
}
