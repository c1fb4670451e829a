import { BUCKET, CURRENCY, filtersOf } from "./arguments.ts";
import { prompt } from "./prompt.ts";

export default prompt({
  name: "aging_review",
  title: "Aging review",
  description: "What is owed and overdue, who owes most of it, and what is unusual.",
  arguments: { currency: CURRENCY, bucket: BUCKET },
  tools: ["list_erp_connections", "summarize_aging", "list_customer_aging", "list_installment_aging"],
  values({ currency, bucket }) {
    const filters = filtersOf({ currency, bucket });
    // Rows come grouped by currency: the first ten of all would be of one currency only.
    const ofEach = currency === undefined ? ["currency=<each of those currencies in turn>", ...filters] : filters;
    return {
      filtered: filters.length === 0 ? "" : ` with ${filters.join(", ")}`,
      ofEach: [...ofEach, "sort=overdue_desc", "limit=5"].join(", "),
      ofCustomer: ["customer_key", ...filters].join(", "),
    };
  },
});
