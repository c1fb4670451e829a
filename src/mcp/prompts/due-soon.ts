import { CURRENCY, CUSTOMER, customerFilter, DAYS } from "./arguments.ts";
import { AGING_BASIS, prompt } from "./prompt.ts";

export default prompt({
  name: "due_soon",
  title: "Due soon",
  description: "What falls due in the coming days, and from whom.",
  arguments: { days: DAYS, currency: CURRENCY, customer: CUSTOMER },
  tools: ["get_context", "summarize_aging", "list_installment_aging"],
  text({ days = "7", currency, customer }) {
    const filters = [
      "due_from=<business_date>",
      `due_to=<business_date plus ${days} days>`,
      ...(currency === undefined ? [] : [`currency=${currency}`]),
      ...(customer === undefined ? [] : [customerFilter(customer)]),
    ].join(", ");
    return `Show me what falls due from today until ${days} days from now.

1. Today is \`business_date\` of get_context. Both days are included.
2. Call summarize_aging with ${filters}: \`outstanding\` of each currency is what falls due.
3. Call list_installment_aging with ${filters}, limit=100 and fields=["customer_name","invoice_number","amount","currency","due_date","collectible","not_collectible_reason"]. Follow \`next_cursor\` to the end, or say that the list is partial.
4. Show one table for each currency by due date: due date, customer, invoice, amount; mark what is not \`collectible\`, with the reason. Take sums from step 2.
5. ${AGING_BASIS} What is overdue already is not in it.`;
  },
});
