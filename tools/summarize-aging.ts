import { summarizeAging } from "../src/core/aging/operations/summarize-aging.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "summarize_aging",
  title: "Summarize aging",
  description:
    "How much is owed and overdue today, per currency and aging bucket, also what cannot be collected here. " +
    "Never add currencies. Credits and undated debt are absent; there is no history.",
  operation: summarizeAging,
});
