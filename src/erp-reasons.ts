const NOTHING_SENT =
  "Nothing was sent. If this money was entered there by hand, settle the payment by hand with the ERP's receipt number. If the customer paid twice, refund one of the two. Otherwise retry the push with --anyway.";

/** By code, why an ERP cannot be used or a receipt is not applied in it: public, in the service's own words. `{…}` is a parameter. */
export const ERP_SENTENCES = {
  // What the ERP says of a receipt, or of what it is to be applied to.
  missing_field:
    "The ERP asks for a field that the receipt does not have. Complete the invoice or the receipt method in the ERP, then retry the push.",
  business_unit:
    "The ERP does not know the invoice's business unit, or its user has no access to it. Grant the access in the ERP, then retry the push.",
  bill_of_exchange:
    "The ERP takes no receipts by bill of exchange any more. Set another receipt method on the connection, then retry the push.",
  receipt_method:
    "The ERP does not know the receipt method, or does not allow it. Set it up in the ERP or set another on the connection, then retry the push.",
  currency: "The ERP does not take receipts in this currency. Enable the currency in the ERP, then retry the push.",
  customer:
    "The ERP does not know the receipt's customer or site. Check the customer's account and site in the ERP, then retry the push.",
  closed_period:
    "The accounting period of the receipt's date is not open in the ERP. Open the period, then retry the push.",
  closed_period_to_apply:
    "The accounting period of the receipt's date is not open in the ERP. Open the period, then retry the push or apply the receipt there.",
  less_unapplied:
    "Less of the receipt is unapplied in the ERP than the payment's amount. Check in the ERP what it was applied to.",
  less_owed:
    "The installment owes less in the ERP than the payment's amount. Apply the receipt in the ERP to what is left, or refund it.",
  reversed_there: "The receipt is reversed in the ERP. The next sync takes that in; then retry the push.",
  invoice_incomplete:
    "The invoice is not complete in the ERP. Complete it there, then retry the push or apply the receipt there.",
  other_currency:
    "The receipt and the invoice have different currencies in the ERP. Check the invoice's currency there.",
  other_customer:
    "The invoice is not one of the receipt's customer in the ERP. Check whom the invoice is billed to there.",
  no_application: "The ERP does not know the receipt, or its release has no way to apply one by a call.",
  number_taken: "The ERP has another receipt of this number: its amount or currency differs.",
  hidden: "The ERP says that it has a receipt of this number, and does not show it.",
  receipt_refused: "The ERP refused the receipt with status {status}.",
  no_success: "The ERP did not say that it applied the receipt.",
  application_refused: "The ERP refused to apply the receipt to the installment with status {status}.",
  reversed: "The ERP has reversed this receipt.",
  // What the service itself finds.
  billed_otherwise: "The ERP bills the invoice in another currency than was paid.",
  no_business_unit: "The invoice names no business unit, which a receipt must name.",
  no_customer: "The invoice names no customer, whom a receipt must name.",
  no_number: "The invoice has no number by which the ERP could match it.",
  no_installment: "The ERP has no installment that the receipt could be applied to.",
  not_shown: "The ERP does not show the receipt any more.",
  invoice_not_shown:
    "The ERP does not show the invoice, which no sync has found to be gone. Nothing is sent until it does.",
  invoice_retired: `The ERP no longer has the invoice, or hides it, so nothing shows whether this payment was entered there. ${NOTHING_SENT}`,
  balance_less: `The ERP's balance already seems to hold this payment: it shows {owed} owed now, less than the payment. ${NOTHING_SENT}`,
  balance_fell: `The ERP's balance already seems to hold this payment: it shows {owed} owed now, and showed {before} at the last sync before the payment. ${NOTHING_SENT}`,
  /** Of a posted receipt that a person or the ERP took back from what it was applied to: it is not applied again here. */
  taken_back: "The receipt was applied in the ERP, and is not any more.",
  unexpected: "Unexpected error.",
  no_amount: "A receipt's amount must be a number above zero.",
  no_id: "The receipt or the installment has no id of this ERP.",
  // Of the ERP itself.
  wrong_password: "The ERP refused the user name or password.",
  not_permitted: "The ERP does not let this user do what the service needs.",
  no_answer: "The ERP did not answer in time.",
  not_reached: "The ERP cannot be reached.",
  certificate: "The ERP's certificate {problem}.",
  limiting: "The ERP is limiting requests.",
  not_the_erp: "Something other than the ERP answered at its address: {what}.",
  failing: "The ERP is failing: it answered with status {status}.",
  refused: "The ERP refused the request with status {status}.",
  unusable: "The ERP's answer cannot be used: {what}.",
  beyond_bound: "The ERP went beyond a bound of the service: {most} {what}.",
  leads_inside:
    "The ERP's address does not lead to the public internet; an operator can connect an ERP inside the network.",
  no_address: "The ERP's address is not a usable http or https address.",
  secret_in_address: "The ERP's address must not contain a user name or password.",
} as const;

type Sentences = typeof ERP_SENTENCES;
type Named<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never;

/** What a placeholder stands for; an amount is exact, in major units. */
type Parameter = string | number | { readonly amount: string; readonly currency: string };

/** A code, and the parameters of its sentence. */
export type ErpReason = {
  [Code in keyof Sentences]: { readonly code: Code } & { readonly [Name in Named<Sentences[Code]>]: Parameter };
}[keyof Sentences];

/** Why a receipt is not applied, as stored: with what the ERP said of it in one clean line, and whether it may have the receipt. */
export type ReceiptReason = ErpReason & { readonly erp?: string; readonly outcome_unknown?: true };

/** The sentence of a reason. */
export function erpSentence(reason: ErpReason, shown: (parameter: Parameter) => string = String): string {
  return ERP_SENTENCES[reason.code].replace(/\{(\w+)\}/g, (_, name: string) => shown(Reflect.get(reason, name)));
}
