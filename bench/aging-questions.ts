import { addDays, businessDate } from "../src/core/kernel/calendar.ts";
import type { AgingBook } from "./aging-book.ts";

/** A call that is measured. */
export interface Question {
  tool: string;
  args: Record<string, unknown>;
  /** Milliseconds at the median, on PostgreSQL; on the embedded store it is 15 where this is less. Null for a search, which grows. */
  most: number | null;
}

/** What each book is asked. */
export const questions = ({ customerKey: customer_key }: AgingBook): readonly Question[] => {
  const today = businessDate(new Date(), "UTC");
  const [summary, customers, installments] = ["summarize_aging", "list_customer_aging", "list_installment_aging"];
  const list = "list_invoices";
  const filters = [
    { bucket: "days_31_60" },
    { currency: "EUR" },
    { customer_key },
    { overdue_only: true },
    { bucket: "over_90", currency: "JPY" },
  ];
  return [
    { tool: summary, args: {}, most: 5 },
    { tool: customers, args: {}, most: 8 },
    { tool: customers, args: { sort: "outstanding_desc" }, most: 8 },
    { tool: customers, args: { sort: "customer_asc" }, most: 8 },
    { tool: installments, args: {}, most: 8 },
    { tool: summary, args: { due_from: addDays(today, 7), due_to: addDays(today, 13) }, most: 25 },
    { tool: summary, args: { due_to: addDays(today, -46) }, most: 25 },
    { tool: summary, args: { not_collectible_reason: "disputed" }, most: 25 },
    { tool: summary, args: { collectible: false, overdue_only: true }, most: 25 },
    { tool: installments, args: { not_collectible_reason: "disputed" }, most: 25 },
    { tool: installments, args: { due_from: addDays(today, 7), due_to: addDays(today, 13) }, most: 25 },
    ...[summary, customers, installments].flatMap((tool) => filters.map((args) => ({ tool, args, most: 10 }))),
    { tool: summary, args: { include: "payment_history" }, most: 15 },
    { tool: customers, args: { include: "payment_history" }, most: 15 },
    { tool: customers, args: { include: "payment_history", sort: "days_late_desc" }, most: 15 },
    { tool: installments, args: { include: "payment_history" }, most: 15 },
    // What is due in a week, or disputed, is added up customer by customer: these grow with the book.
    { tool: customers, args: { due_from: addDays(today, 7), due_to: addDays(today, 13) }, most: null },
    { tool: customers, args: { not_collectible_reason: "disputed" }, most: null },
    {
      tool: summary,
      args: { include: "payment_history", expected_from: today, expected_to: addDays(today, 6) },
      most: null,
    },
    ...["created", "outstanding_desc", "overdue_desc", "due_asc"].map((sort) => ({
      tool: list,
      args: { sort },
      most: 10,
    })),
    { tool: list, args: { overdue: true, sort: "overdue_desc", currency: "EUR" }, most: 10 },
    { tool: list, args: { collection_status: "open", include_total: true, limit: 1 }, most: 60 },
    // Other filters are added up row by row.
    { tool: list, args: { overdue: true, include_total: true, limit: 1 }, most: null },
    ...[summary, customers, installments].map((tool) => ({ tool, args: { search: "customer 77" }, most: null })),
  ];
};
