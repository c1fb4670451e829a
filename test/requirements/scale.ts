import type { Requirements } from "../requirements.ts";

export default {
  "facts.scale.past-runs":
    "what is read of invoices, connections and runs costs the same however many runs there have been",
  "facts.scale.runs-kept":
    "runs that ended more than 90 days ago are deleted some at a time, and no figure of an invoice or connection changes",
} satisfies Requirements;
