import type { Requirements } from "../requirements.ts";

export default {
  "completions.7.receipt-number": "a receipt's number is derived from the payment's id and has at most 30 characters",
  "facts.fusion.ledger": "an invoice's own balance is not read where it may be in the ledger's currency",
  "facts.fusion.duplicate": "AR_RCP_DUP_NUM means that the receipt is there, not that it failed",
  "facts.fusion.look-before":
    "a receipt whose creation has an unclear outcome is not sent again unasked, and is found by its number",
} satisfies Requirements;
