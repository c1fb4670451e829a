import type { z } from "zod";
import { listCustomerAging } from "../../core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../core/aging/operations/summarize-aging.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import { addDays, businessDate } from "../../core/kernel/calendar.ts";
import { money } from "../../core/kernel/money.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import { readNeeds } from "../receivables/needs.ts";

export type AgingTotals = z.output<typeof summarizeAging.output>["totals"];

/** The filter behind what falls due within some days, which is also that of its link to a list. */
export const dueWithin = (today: string, days: number) => ({ due_from: today, due_to: addDays(today, days) });

/** The periods, in days, of what falls due soon. */
export const SOON = [7, 30] as const;

/** The content of a workspace's overview, each figure as an operation of the API returns it. */
export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Payments and invoices that need a person, of those shown; further ones are counted. */
const MOST_ITEMS = 5;
/** Customers listed where there is one currency. */
const MOST_DEBTORS = 10;

/** Reads the content; `asked` is the selected currency, if any. */
export async function readOverview(visit: WorkspaceVisit, asked: string | null) {
  const { core } = visit.site;
  const { timezone } = visit.workspace;
  const today = businessDate(core.clock.now(), timezone);
  const [aging, invoices, needs, ...soon] = await Promise.all([
    visit.call(summarizeAging, {}),
    visit.call(listInvoices, { limit: 1, include_total: true }),
    readNeeds(visit, MOST_ITEMS),
    ...SOON.map((days) => visit.call(summarizeAging, dueWithin(today, days))),
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
    /** The workspace's business day. */
    today,
    /** Aging by currency. */
    totals,
    /** Their currencies, the one with the most invoices first. */
    byUse,
    /** What falls due within each of {@link SOON}, by currency. */
    soon: soon.map((report) => report.totals),
    /** The selected currency; null if nothing is owed. */
    currency,
    /** The customers with the most overdue in each currency, with all that is outstanding in it. */
    debtors: customers.filter(({ overdue }) => !money(overdue).isZero()),
    needs,
  };
}
