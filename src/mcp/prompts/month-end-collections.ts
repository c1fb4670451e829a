import { MONTH } from "./arguments.ts";
import { AGING_BASIS, PAYMENTS_BASIS, prompt } from "./prompt.ts";

export default prompt({
  name: "month_end_collections",
  title: "Month-end collections",
  description: "What was collected in a month, by customer, and what is still overdue.",
  arguments: { month: MONTH },
  tools: ["get_context", "list_erp_connections", "list_payments", "summarize_aging", "list_customer_aging"],
  text({ month }) {
    const since = month === undefined ? "<first day of the month before business_date>" : `${month}-01`;
    const before = month === undefined ? "<first day of the month of business_date>" : firstDayAfter(month);
    return `Report what we collected in ${month ?? "the last month"}, and what is still overdue.

1. Today is \`business_date\` of get_context. Call list_erp_connections.
2. Call list_payments with confirmed_since=${since}, confirmed_before=${before}, include_total=true, limit=100 and fields=["customer","currency","amount","refunded_minor","disputed"]. Follow \`next_cursor\` to the end, or say that the list is partial.
3. Show one table for each currency: customer (group by \`customer.id\`, names can collide), payments, exact sum of \`amount\`; below it \`totals\`, to which the rows must come. Name what was refunded or is disputed.
4. Call summarize_aging with overdue_only=true, and for each currency list_customer_aging with currency=<that currency>, overdue_only=true, sort=overdue_desc, limit=5: what is still overdue today, and who owes most of it. It is not the balance at the month's end: there is no history of balances.
5. Payments: ${PAYMENTS_BASIS}
6. Overdue: ${AGING_BASIS}`;
  },
});

/** The first day after a month `YYYY-MM`. */
function firstDayAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const next = number === 12 ? { year: year + 1, number: 1 } : { year, number: number + 1 };
  return `${String(next.year).padStart(4, "0")}-${String(next.number).padStart(2, "0")}-01`;
}
