import { customerKeyOf } from "../suggestions.ts";
import { CURRENCY, CUSTOMER, customerFilter, filtersOf, LINKS } from "./arguments.ts";
import { prompt } from "./prompt.ts";

/** Amounts are `overdue_outstanding`, which agrees with aging; no due filter of the invoice list is used (service.md §4.10). */
export default prompt({
  name: "overdue_worklist",
  title: "Overdue worklist",
  description: "Which overdue invoices to collect first.",
  arguments: { currency: CURRENCY, customer: CUSTOMER, links: LINKS },
  tools: ["list_erp_connections", "list_invoices", "get_invoice", "list_installment_aging"],
  values({ currency, customer, links }) {
    const only = filtersOf({ currency });
    const worklist = [
      "overdue=true",
      "sort=overdue_desc",
      "include_total=true",
      ...only,
      ...customerFilter(customer, "customer_id"),
      ...(links === undefined ? [] : [`has_active_payment_link=${links === "with"}`]),
    ];
    const aging = ["overdue_only=true", ...only, ...customerFilter(customer)];
    const key = customer === undefined ? null : customerKeyOf(customer);
    const listing = key?.startsWith("unassigned:")
      ? `Call get_invoice with invoice_id=${key.slice("unassigned:".length)}: the only invoice of this key.`
      : `Call list_invoices with ${worklist.join(", ")}, limit=100 and fields=["id","invoice_number","customer.name","currency","overdue_outstanding","has_active_payment_link"]. Follow \`next_cursor\` to the end, or say that the list is partial.`;
    return { listing, aging: aging.join(", ") };
  },
});
