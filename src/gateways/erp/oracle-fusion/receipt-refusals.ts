import { ErpError } from "../gateway.ts";
import type { FusionRefusal } from "./errors.ts";

/** By code, or by the text that Oracle documents for it: a receipt of this number, date, amount and customer is there. */
const DUPLICATE = /AR_RCP_DUP_NUM|receipt with this number, date, amount,? and customer already exists/i;

/** The codes that Oracle documents, and for customers the stem of those of its older interfaces; first that fits. */
const REASONS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/FND_CMN_REQ_ATTRIB_API_SERV/, "The ERP asks for a field that the receipt does not have."],
  [/AR_RAPI_BU_INVALID/, "The ERP does not know the receipt's business unit."],
  [/AR_INVAL_RECEIPT_MTH_ID/, "The ERP does not know the receipt method, or does not allow it."],
  [/AR_RAPI_CURR_CODE_INVALID/, "The ERP does not take receipts in this currency."],
  [/AR_RAPI_CUS|AR_BILL_TO_CUST_NOT_FOUND/, "The ERP does not know the receipt's customer or site."],
];

/** Whether the ERP refused a receipt because it has it. */
export const isDuplicate = (refusal: FusionRefusal): boolean => refusal.says(DUPLICATE);

/** Why the ERP did not take a receipt, as an error that may be shown. */
export function creationRefused(refusal: FusionRefusal): ErpError {
  const known = REASONS.find(([pattern]) => refusal.says(pattern))?.[1];
  const reason = known ?? `The ERP refused the receipt with status ${refusal.status}.`;
  return new ErpError("erp_rejected", reason, { detail: refusal.message });
}

/** Why the ERP did not apply a receipt, to be shown. */
export function applicationRefused(refusal: FusionRefusal): string {
  if (refusal.status === 404 || refusal.status === 405) {
    return "The ERP does not know the receipt, or its release has no way to apply one by a call.";
  }
  return `The ERP refused to apply the receipt to the installment with status ${refusal.status}.`;
}
