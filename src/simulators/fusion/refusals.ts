import { FusionFault } from "./answers.ts";

/** A code and a text as Fusion answers them with status 400; the code is empty where Oracle documents none. */
type Refusal = readonly [code: string, detail: string];

/**
 * What Fusion refuses receipts with. Codes and texts are those of Oracle's error messages for standard receipts; where it
 * documents none, several texts of its interfaces, for releases word them differently.
 */
const REFUSALS = {
  closed_period: [
    ["", "The accounting date isn't in an open or future enterable period."],
    ["", "The derived GL date of the receipt is not in open or future enterable period"],
    ["AR-855121", "You must enter an accounting date in an open accounting period."],
    ["", "The accounting period of business unit Vision Operations is closed."],
  ],
  duplicate: [
    [
      "AR_RCP_DUP_NUM",
      "A receipt with this number, date, amount and customer already exists. Enter a unique receipt number.",
    ],
  ],
  missing_attribute: [
    ["FND_CMN_REQ_ATTRIB_API_SERV", "You must provide a value for the attribute RemittanceBankAccountNumber."],
  ],
  business_unit: [["AR_RAPI_BU_INVALID", "The business unit is invalid."]],
  receipt_method: [["AR_INVAL_RECEIPT_MTH_ID", "The receipt method that you selected is invalid."]],
  bill_of_exchange: [
    ["AR_BOE_OBSOLETE", "Bills of exchange receipt methods are no longer valid. Enter another receipt method."],
  ],
  currency: [["AR_RAPI_CURR_CODE_INVALID", "The currency is invalid."]],
  customer: [
    ["AR_RAPI_CUS_NUM_INVALID", "The customer account number is not valid."],
    ["AR_BILL_TO_CUST_NOT_FOUND", "The bill-to customer was not found."],
  ],
  over_application: [
    ["", "The amount applied exceeds the transaction's balance."],
    ["AR_RW_OVERAPP", "You cannot overapply this transaction."],
  ],
} as const satisfies Readonly<Record<string, readonly [Refusal, ...Refusal[]]>>;

type RefusalName = keyof typeof REFUSALS;

/** The names of what can be refused, for the control endpoint. */
export const REFUSAL_NAMES = Object.keys(REFUSALS).filter((name): name is RefusalName => name in REFUSALS);

/** The `count`-th refusal of a kind, its wordings in turn. */
export function refusal(name: RefusalName, count: number): FusionFault {
  const wordings: readonly Refusal[] = REFUSALS[name];
  const [code, detail] = wordings[count % wordings.length] ?? ["", ""];
  return new FusionFault(400, detail, code);
}
