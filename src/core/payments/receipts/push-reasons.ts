/** Why a receipt is not in the ERP, or not applied there, as the service itself finds: sentences, or their beginnings. Public. */
export const PUSH_REASONS = {
  no_business_unit: "The invoice names no business unit, which a receipt must name.",
  no_customer: "The invoice names no customer, whom a receipt must name.",
  no_number: "The invoice has no number by which the ERP could match it.",
  no_installment: "The ERP has no installment that the receipt could be applied to.",
  not_shown: "The ERP does not show the receipt any more.",
  balance_holds: "The ERP's balance already seems to hold this payment",
  /** Of a posted receipt that a person or the ERP took back from what it was applied to: it is not applied again here. */
  taken_back: "The receipt was applied in the ERP, and is not any more.",
  /** Ends the reason of a push that was given up. */
  outcome_unknown: "Whether the ERP has the receipt is not known.",
} as const;
