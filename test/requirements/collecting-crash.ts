import type { Requirements } from "../requirements.ts";

export default {
  "completions.5.crash":
    "killed at any moment and started again, no link at the provider is without its row and no row without its link",
  "completions.6.crash": "killed at any moment and started again, each payment at the provider counts once",
  "completions.7.crash-receipt":
    "killed at any moment and started again, each payment has one receipt in the ERP, applied",
  "completions.7.crash-mail":
    "killed at any moment and started again, no mail that was written down as sent goes out again",
  "completions.5.parallel-pushes": "twenty who push the same held payments at once leave one receipt for each payment",
} satisfies Requirements;
