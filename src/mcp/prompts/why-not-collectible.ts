import { CURRENCY, CUSTOMER, customerFilter, filtersOf } from "./arguments.ts";
import { prompt } from "./prompt.ts";

export default prompt({
  name: "why_not_collectible",
  title: "Why not collectible",
  description: "What is owed but cannot be collected through payment links, by reason.",
  arguments: { currency: CURRENCY, customer: CUSTOMER },
  tools: ["summarize_aging", "list_installment_aging"],
  values({ currency, customer }) {
    const filters = [...filtersOf({ currency }), ...customerFilter(customer)];
    const calling = (...more: string[]) => [...more, ...filters].join(", ");
    return { notCollectible: calling("collectible=false"), byReason: calling("group_by=reason", "collectible=false") };
  },
});
