import { BUCKET, CURRENCY } from "./arguments.ts";
import { prompt } from "./prompt.ts";

export default prompt({
  name: "aging_review",
  title: "Aging review",
  description: "What is owed and overdue, who owes most of it, and what is unusual.",
  arguments: { currency: CURRENCY, bucket: BUCKET },
  tools: ["list_erp_connections", "summarize_aging", "list_customer_aging", "list_installment_aging"],
  text({ currency, bucket }) {
    const filters = [
      ...(currency === undefined ? [] : [`currency=${currency}`]),
      ...(bucket === undefined ? [] : [`bucket=${bucket}`]),
    ];
    const filtered = filters.length === 0 ? "" : ` with ${filters.join(", ")}`;
    // Rows come grouped by currency: the first ten of all would be of one currency only.
    const ofEach = currency === undefined ? ["currency=<each of those currencies in turn>", ...filters] : filters;
    return `Review our receivables aging.

1. Call summarize_aging${filtered} and list_erp_connections. Say the report date, and how fresh the figures are.
2. Show one row for each currency: outstanding, overdue and each bucket, exactly as answered. Never add currencies; give shares only within one.
3. Call list_customer_aging with ${[...ofEach, "sort=overdue_desc", "limit=5"].join(", ")}: who owes most, and what share of the currency's total.
4. For the three customers who stand out, call list_installment_aging with ${["customer_key", ...filters].join(", ")}: the oldest installments, and those with \`collectible\` false, which are owed but cannot be collected through payment links.
5. Sum up in five sentences at most. Credits and undated debt are absent from all of this, and there is no history to compare with.`;
  },
});
