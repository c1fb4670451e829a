import { CURRENCY, CUSTOMER, customerFilter } from "./arguments.ts";
import { AGING_BASIS, prompt } from "./prompt.ts";

export default prompt({
  name: "why_not_collectible",
  title: "Why not collectible",
  description: "What is owed but cannot be collected through payment links, by reason.",
  arguments: { currency: CURRENCY, customer: CUSTOMER },
  tools: ["summarize_aging", "list_installment_aging"],
  text({ currency, customer }) {
    const filters = [
      ...(currency === undefined ? [] : [`currency=${currency}`]),
      ...(customer === undefined ? [] : [customerFilter(customer)]),
    ];
    const calling = (...more: string[]) => [...more, ...filters].join(", ");
    return `Show me what is owed but cannot be collected here, and why.

1. Call summarize_aging with ${calling("collectible=false")}: all of it, by currency.
2. Call summarize_aging with ${calling("not_collectible_reason=<reason>")}, once for each of not_finalised, excluded, disputed, no_billing_email and currency_not_supported. What the total has beyond these are invoices without installments.
3. Call list_installment_aging with ${calling("collectible=false")}, limit=100 and fields=["customer_name","invoice_number","amount","currency","due_date","days_overdue","not_collectible_reason"]. Follow \`next_cursor\` to the end, or say that the list is partial.
4. Show one table for each currency with a row for each reason: outstanding and overdue, exactly as answered; below it the largest installments of each reason.
5. Say for each reason who can mend it: a dispute with the customer, a billing email or an unfinished invoice in the ERP. Nothing can be changed from here.
6. ${AGING_BASIS}`;
  },
});
