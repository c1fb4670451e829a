import { customerKeyOf } from "../suggestions.ts";
import { CURRENCY, CUSTOMER, customerFilter, LINKS } from "./arguments.ts";
import { prompt } from "./prompt.ts";

export default prompt({
  name: "overdue_worklist",
  title: "Overdue worklist",
  description: "Which overdue invoices to collect first.",
  arguments: { currency: CURRENCY, customer: CUSTOMER, links: LINKS },
  tools: ["get_context", "list_erp_connections", "list_invoices", "list_customer_aging"],
  text({ currency, customer, links }) {
    const filters = [
      "collection_status=open",
      "due_before=<business_date>",
      ...(currency === undefined ? [] : [`currency=${currency}`]),
      ...(customer === undefined ? [] : [customerIdFilter(customer)]),
      ...(links === undefined ? [] : [`has_active_payment_link=${links === "with"}`]),
    ];
    return `Make my worklist of overdue invoices.

1. Today is \`business_date\` of get_context. Say how fresh the figures are: \`last_successful_sync_at\` of list_erp_connections, and any connection that is not \`connected\`.
2. Call list_invoices with ${filters.join(", ")}, limit=100 and fields=["invoice_number","currency","collection_due_date","collection_outstanding","customer","has_active_payment_link"]. Follow \`next_cursor\` to the end, or say that the list is partial. Leave out what is due today itself: it is not overdue yet.
3. Show one table for each currency, the largest \`collection_outstanding\` first: customer, invoice, due on, days overdue, to collect, payment link yes or no. Below each table the exact sum; never add currencies.
4. Say that invoices without a \`collection_due_date\` are not in this list, and that debt the service cannot collect is in the aging report instead.
5. Suggest what to do next, and change nothing until I say so.`;
  },
});

function customerIdFilter(customer: string): string {
  const key = customerKeyOf(customer);
  if (key === null) return `customer_id=<the customer: ${customerFilter(customer)}>`;
  return key.startsWith("unassigned:") ? `(only the invoice ${key.slice("unassigned:".length)})` : `customer_id=${key}`;
}
