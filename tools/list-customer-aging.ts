import { listCustomerAging } from "../src/core/aging/operations/list-customer-aging.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_customer_aging",
  title: "List customer aging",
  description:
    "Who owes most, or is most overdue: aging per customer and currency. " +
    "`totals` cover all pages. " +
    "Drill down with `customer_key` in list_installment_aging. " +
    "On invalid_cursor the report changed: start again.",
  operation: listCustomerAging,
  rowKey: ["customer_key", "currency"],
});
