/** Why an ERP rejects a receipt or does not apply it: public sentences, by a name that core/attention advises on. */
export const RECEIPT_REASONS = {
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
  wrong_password: "The ERP refused the user name or password.",
  not_permitted: "The ERP does not let this user do what the service needs.",
  no_answer: "The ERP did not answer in time.",
  not_reached: "The ERP cannot be reached.",
  /** Goes on with what is wrong with it. */
  certificate: "The ERP's certificate",
  limiting: "The ERP is limiting requests.",
  /** Goes on with what was answered. */
  not_the_erp: "Something other than the ERP answered at its address",
  /** Goes on with the status. */
  failing: "The ERP is failing",
} as const;

export type ReceiptReason = keyof typeof RECEIPT_REASONS;
