import { SINCE } from "./arguments.ts";
import { prompt } from "./prompt.ts";

export default prompt({
  name: "daily_changes",
  title: "Daily changes",
  description: "What was paid, changed, linked and what failed since a day.",
  arguments: { since: SINCE },
  tools: ["get_context", "list_erp_connections", "list_payments", "list_invoices", "get_invoice", "list_payment_links"],
  values: ({ since = "<the day before business_date>" }) => ({ since }),
});
