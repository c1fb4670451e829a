import { addDays } from "../../core/kernel/calendar.ts";
import { MONTH } from "./arguments.ts";
import { prompt } from "./prompt.ts";

export default prompt({
  name: "month_end_collections",
  title: "Month-end collections",
  description: "What was collected in a month, by customer, and what is still overdue.",
  arguments: { month: MONTH },
  tools: ["get_context", "list_erp_connections", "list_payments", "summarize_aging", "list_customer_aging"],
  values({ month }) {
    const since = month === undefined ? "<first day of the month before business_date>" : `${month}-01`;
    const until = month === undefined ? "<last day of the month before business_date>" : lastDayOf(month);
    return { month: month ?? "the last month", since, until };
  },
});

/** The last day of a month `YYYY-MM`. */
function lastDayOf(month: string) {
  const next = addDays(`${month}-01`, 31);
  return addDays(`${next.slice(0, -2)}01`, -1);
}
