import type { z } from "zod";
import { listCustomerAging } from "../../core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../core/aging/operations/summarize-aging.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import { addDays } from "../../core/kernel/calendar.ts";
import { money } from "../../core/kernel/money.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import { todayOf } from "../lists/list.ts";
import { readNeeds } from "../receivables/needs.ts";

export type AgingTotals = z.output<typeof summarizeAging.output>["totals"];

/** The periods, in days, of what falls due soon. */
const SOON = [7, 30];

/** The Monday of a day's week. */
export const mondayOf = (day: string) => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));

/** The first and last days of the week and the month so far, and of those before. */
function periodsUntil(today: string) {
  const monday = mondayOf(today);
  const before = addDays(today, -Number(today.slice(8)));
  return Object.entries({
    "This week": [monday, today],
    "Last week": [addDays(monday, -7), addDays(monday, -1)],
    "This month": [addDays(before, 1), today],
    "Last month": [`${before.slice(0, 8)}01`, before],
  } as const);
}

/** The content of a workspace's overview, each figure as an operation of the API returns it. */
export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Payments and invoices that need a person, of those shown; further ones are counted. */
const MOST_ITEMS = 5;
/** Customers listed where there is one currency. */
const MOST_DEBTORS = 10;

/** Reads the content; `asked` is the selected currency, if any. */
export async function readOverview(visit: WorkspaceVisit, asked: string | null) {
  const today = todayOf(visit);
  const reports = SOON.map(async (days) => {
    const query = { due_from: today, due_to: addDays(today, days) };
    const { totals } = await visit.call(summarizeAging, query);
    const amounts = new Map(totals.map(({ currency, outstanding }) => [currency, outstanding]));
    return { head: `Due in ${days} days`, path: "/installments", query, amounts };
  });
  const payments = periodsUntil(today).map(async ([head, [paid_from, paid_to]]) => {
    const query = { paid_from, paid_to };
    const { totals = [] } = await visit.call(listPayments, { ...query, limit: 1, include_total: true });
    return { head, path: "/payments", query, amounts: new Map(totals.map((one) => [one.currency, one.amount])) };
  });
  const [aging, invoices, needs, soon, received] = await Promise.all([
    visit.call(summarizeAging, {}),
    visit.call(listInvoices, { limit: 1, include_total: true }),
    readNeeds(visit, MOST_ITEMS),
    Promise.all(reports),
    Promise.all(payments),
  ]);
  const counts = new Map(invoices.totals?.map((total) => [total.currency, total.count]));
  const { totals } = aging;
  const countOf = (currency: string) => counts.get(currency) ?? 0;
  const byUse = totals.map((total) => total.currency).sort((a, b) => countOf(b) - countOf(a));
  const currency = byUse.find((one) => one === asked) ?? byUse[0] ?? null;
  const ofEach = totals.length === 1 ? MOST_DEBTORS : Math.max(1, Math.min(5, Math.floor(100 / totals.length)));
  const largest = { sort: "overdue_desc", limit_per_currency: ofEach, limit: 100 } as const;
  const customers = currency === null ? [] : (await visit.call(listCustomerAging, largest)).data;
  return {
    /** Aging by currency. */
    totals,
    /** Their currencies, the one with the most invoices first. */
    byUse,
    /** What falls due soon, by currency; each with the list that has its rows. */
    soon,
    /** The same of what was paid through links; refunds and reversed receipts take nothing off. */
    received,
    /** The selected currency; null if nothing is owed. */
    currency,
    /** The customers with the most overdue in each currency, with all that is outstanding in it. */
    debtors: customers.filter(({ overdue }) => !money(overdue).isZero()),
    needs,
  };
}
