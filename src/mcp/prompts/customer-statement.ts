import { customerKeyOf } from "../suggestions.ts";
import { CURRENCY, CUSTOMER, customerFilter, prompt } from "./prompt.ts";

export default prompt({
  name: "customer_statement",
  title: "Customer statement",
  description: "One customer's open items, what they paid lately and how they can pay.",
  arguments: { customer: CUSTOMER, currency: CURRENCY },
  required: ["customer"],
  tools: ["get_context", "list_customer_aging", "list_installment_aging", "list_payments", "list_payment_links"],
  text({ customer = "", currency }) {
    const only = currency === undefined ? "" : `, currency=${currency}`;
    const isAccount = customerKeyOf(customer)?.startsWith("unassigned:") !== true;
    const payments = isAccount
      ? "list_payments with customer_id=<the `customer_id` of those rows>, limit=10: what they paid through payment links lately. Payments made in another way are not known here."
      : "list_payments with invoice_id=<the `invoice_id` of that row>: what was paid through payment links.";
    return `Draw up a statement for one customer: ${customerFilter(customer)}${only}.

1. Today is \`business_date\` of get_context.
2. list_installment_aging with that customer_key${only}: every open installment by due date. Follow \`next_cursor\` to the end. \`totals\` cover all of them.
3. ${payments}
4. list_payment_links with invoice_id and status=active, for the invoices that are overdue: the \`url\` by which each can be paid.
5. Write the statement: one table for each currency with invoice, due on, days overdue, amount, and where it is overdue its payment link, if it has one; then the exact totals by bucket. Never add currencies. Say which items are not \`collectible\` here.

It is for me to read and hand on: nothing can be sent from here.`;
  },
});
