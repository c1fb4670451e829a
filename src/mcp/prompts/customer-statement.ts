import { customerKeyOf } from "../suggestions.ts";
import { CURRENCY, CUSTOMER, customerFilter, filtersOf } from "./arguments.ts";
import { prompt } from "./prompt.ts";

export default prompt({
  name: "customer_statement",
  title: "Customer statement",
  description: "One customer's open items, what they paid lately and how they can pay.",
  arguments: { customer: CUSTOMER, currency: CURRENCY },
  required: ["customer"],
  tools: ["list_installment_aging", "list_payments", "list_payment_links"],
  values({ customer = "", currency }) {
    const key = customerKeyOf(customer);
    const theirs = key?.startsWith("unassigned:")
      ? `invoice_id=${key.slice("unassigned:".length)}`
      : `customer_id=${key ?? "<the `customer_id` of those rows>"}`;
    return { theirs, installments: [...customerFilter(customer), ...filtersOf({ currency })].join(", ") };
  },
});
