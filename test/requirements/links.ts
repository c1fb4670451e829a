import type { Requirements } from "../requirements.ts";

export default {
  "completions.6.confirmed": "a confirmed payment moves the figures of its invoice and installment at once",
} satisfies Requirements;
