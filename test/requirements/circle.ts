import type { Requirements } from "../requirements.ts";

export default {
  "service.1.collect":
    "an assistant connected to an admin issues links and pushes held receipts, and the money arrives once",
  "completions.6.circle":
    "from ERP balance over link, payment and receipt back to the ERP balance, every figure holds at every step",
} satisfies Requirements;
