import { summarizeAging } from "../src/core/aging/operations/summarize-aging.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "summarize_aging",
  title: "Summarize aging",
  description:
    "What is owed and overdue today, per currency and aging bucket, debt that cannot be collected here included. " +
    "Never add currencies. Credits and undated debt are absent; there is no history. " +
    "`revision` changes whenever the rows behind it do.",
  operation: summarizeAging,
});
