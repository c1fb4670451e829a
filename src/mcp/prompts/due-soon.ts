import { CURRENCY, CUSTOMER, customerFilter, DAYS, filtersOf } from "./arguments.ts";
import { prompt } from "./prompt.ts";

export default prompt({
  name: "due_soon",
  title: "Due soon",
  description: "What falls due in the coming days, and from whom.",
  arguments: { days: DAYS, currency: CURRENCY, customer: CUSTOMER },
  tools: ["get_context", "summarize_aging", "list_installment_aging"],
  values({ days = "7", currency, customer }) {
    const filters = [
      "due_from=<business_date>",
      `due_to=<business_date plus ${days} days>`,
      ...filtersOf({ currency }),
      ...customerFilter(customer),
    ].join(", ");
    return { days, filters };
  },
});
