import type { Requirements } from "../requirements.ts";

export default {
  "completions.7.receipt-number": "a receipt's number is derived from the payment's id and has at most 30 characters",
} satisfies Requirements;
