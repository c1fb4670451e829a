import type { Requirements } from "../requirements.ts";

export default {
  "completions.6.confirmed": "a confirmed payment moves the figures of its invoice and installment at once",
  "completions.9.tool-key": "a tool call without a well-formed idempotency_key is validation_failed naming it",
} satisfies Requirements;
