import type { Requirements } from "../requirements.ts";

export default {
  "completions.5.crash":
    "killed at any moment and started again, no link at the provider is without its row and no row without its link",
  "completions.6.crash": "killed at any moment and started again, each payment at the provider counts once",
  "completions.7.crash-receipt":
    "killed at any moment and started again, each payment has one receipt in the ERP, applied",
  "completions.7.crash-mail":
    "killed at any moment and started again, no mail that was written down as sent goes out again",
  "completions.7.crash-message":
    "killed at any moment and started again, a customer has one message a day, each link in one, a repeated message under its first id",
  "completions.12.crash":
    "killed at any moment and started again, one pass finds each payment, refund and dispute that no notification told of, once",
  "completions.12.crash-withdrawal":
    "killed at any moment and started again, one pass leaves no live link beyond its debt, nor an open checkout of a withdrawn one",
  "completions.12.crash-by-hand":
    "killed at any moment and started again, no round has two receipts, and none stands on top of one entered by hand",
  "completions.5.parallel-pushes": "twenty who push the same held payments at once leave one receipt for each payment",
} satisfies Requirements;
