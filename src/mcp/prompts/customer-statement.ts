import { customerKeyOf } from "../suggestions.ts";
import { CURRENCY, CUSTOMER, customerFilter } from "./arguments.ts";
import { AGING_BASIS, prompt } from "./prompt.ts";

export default prompt({
  name: "customer_statement",
  title: "Customer statement",
  description: "One customer's open items, what they paid lately and how they can pay.",
  arguments: { customer: CUSTOMER, currency: CURRENCY },
  required: ["customer"],
  tools: ["list_installment_aging", "list_payments", "list_payment_links"],
  text({ customer = "", currency }) {
    const only = currency === undefined ? "" : `, currency=${currency}`;
    const key = customerKeyOf(customer);
    const theirs = key?.startsWith("unassigned:")
      ? `invoice_id=${key.slice("unassigned:".length)}`
      : `customer_id=${key ?? "<the `customer_id` of those rows>"}`;
    return `Draw up a statement for one customer, in three calls.

1. list_installment_aging with ${customerFilter(customer)}${only}, limit=100: every open installment by due date. \`totals\` cover all pages; follow \`next_cursor\`, or say that the list is partial. Today is its \`report_date\`.
2. list_payments with ${theirs}, limit=10: what they paid through payment links lately. Payments made in another way are not known here.
3. list_payment_links with ${theirs}, status=active, limit=100: the \`url\` by which an installment can be paid.
4. Write the statement: one table for each currency with invoice, due on, days overdue, amount, and where it is overdue its payment link, if it has one; then the exact totals by bucket. Say which items are not \`collectible\` here.
5. ${AGING_BASIS}

It is for me to read and hand on: nothing can be sent from here.`;
  },
});
