import { customerKeyOf } from "../suggestions.ts";
import { CURRENCY, CUSTOMER, customerFilter, LINKS, prompt } from "./prompt.ts";

/** Amounts come from aging: an invoice's due filters select whole invoices, with what is not due yet (service.md §4.10). */
export default prompt({
  name: "overdue_worklist",
  title: "Overdue worklist",
  description: "Which overdue invoices to collect first.",
  arguments: { currency: CURRENCY, customer: CUSTOMER, links: LINKS },
  tools: ["get_context", "list_erp_connections", "list_installment_aging", "list_invoices", "list_customer_aging"],
  text({ currency, customer, links }) {
    const only = currency === undefined ? [] : [`currency=${currency}`];
    const overdue = ["overdue_only=true", ...only, ...(customer === undefined ? [] : [customerFilter(customer)])];
    const worklist = [
      "collection_status=open",
      "due_before=<business_date>",
      ...only,
      ...(customer === undefined ? [] : [customerIdFilter(customer)]),
      ...(links === undefined ? [] : [`has_active_payment_link=${links === "with"}`]),
    ];
    return `Make my worklist of overdue invoices.

1. Today is \`business_date\` of get_context. Say how fresh the figures are: \`last_successful_sync_at\` of list_erp_connections, and any connection that is not \`connected\`.
2. Call list_installment_aging with ${overdue.join(", ")}, limit=100 and fields=["customer_name","invoice_number","amount","currency","due_date","days_overdue","collectible"]. Follow \`next_cursor\` to the end, or say that the list is partial. These installments are what is overdue.
3. Call list_invoices with ${worklist.join(", ")}, limit=100 and fields=["has_active_payment_link"], to the end: which invoices to look at, and whether each has a payment link. It selects whole invoices, so take no amount from it.${links === undefined ? "" : " Leave out installments whose `invoice_id` is not in it."}
4. Show one table for each currency with a row for each invoice, the largest overdue amount first: customer, invoice, earliest due date, days overdue, overdue amount (the exact sum of its installments' \`amount\`), payment link yes or no. Mark those with \`collectible\` false: they cannot be collected here. Below each table ${links === undefined ? "`overdue` of that currency in the aging `totals`" : "the exact sum of the `amount` of the installments shown"}; never add currencies.
5. Suggest what to do next, and change nothing until I say so.`;
  },
});

function customerIdFilter(customer: string): string {
  const key = customerKeyOf(customer);
  if (key === null) return "customer_id=<that customer_key>";
  return key.startsWith("unassigned:") ? `(only the invoice ${key.slice("unassigned:".length)})` : `customer_id=${key}`;
}
