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
    const before = month === undefined ? "<first day of the month of business_date>" : firstDayAfter(month);
    return { month: month ?? "the last month", since, before };
  },
});

/** The first day after a month `YYYY-MM`. */
function firstDayAfter(month: string) {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const next = number === 12 ? { year: year + 1, number: 1 } : { year, number: number + 1 };
  return `${String(next.year).padStart(4, "0")}-${String(next.number).padStart(2, "0")}-01`;
}
