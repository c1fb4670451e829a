import { listCustomerAging } from "../src/core/aging/operations/list-customer-aging.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_customer_aging",
  title: "List customer aging",
  description:
    "Who owes most, is most overdue (`max_days_overdue`) or pays latest (`average_days_late`): aging per customer and currency. " +
    "`totals` cover all pages. " +
    "Under days_late_desc, `fields` of nothing but names and history give each customer once. " +
    "Drill down with `customer_key` in list_installment_aging. " +
    "On invalid_cursor the report changed: start again.",
  operation: listCustomerAging,
  view: "aging",
  rowKey: ["customer_key", "currency"],
  shared: {
    sort: "days_late_desc",
    fields: [
      "customer_key",
      "customer_id",
      "customer_name",
      "customer_number",
      "paid_installments",
      "median_days_late",
      "average_days_late",
      "on_time_share",
    ],
  },
});
