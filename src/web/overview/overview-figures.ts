import type { z } from "zod";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../core/aging/operations/summarize-aging.ts";
import { summarizeAttention } from "../../core/attention/list-attention.ts";
import { listErpConnections } from "../../core/erp-connections/operations/list-erp-connections.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import { addDays, businessDate } from "../../core/kernel/calendar.ts";
import { money } from "../../core/kernel/money.ts";
import { listPaymentIntegrations } from "../../core/payment-integrations/operations/list-payment-integrations.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { listTasks } from "../../core/tasks/operations/list-tasks.ts";
import { listWorkflows } from "../../core/workflows/operations/list-workflows.ts";
import type { WorkspaceVisit } from "../kit/page.ts";

export type AgingTotals = z.output<typeof summarizeAging.output>["totals"];
export type ErpConnections = z.output<typeof listErpConnections.output>["data"];

/** The filters behind each figure, which are also those of its link to a list. */
export const BEHIND = {
  dueWithin: (today: string, days: number) => ({ due_from: today, due_to: addDays(today, days) }),
  openTasks: { state: "open" },
  failedMails: { status: "active", email_status: "failed" },
  withoutEmail: { not_collectible_reason: "no_billing_email" },
} as const;

/** The periods, in days, of what falls due soon. */
export const SOON = [7, 30] as const;

/** The content of a workspace's overview, each figure as an operation of the API returns it. */
export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Items that need a person, of those shown; further ones are counted. */
const MOST_ITEMS = 5;
/** Customers listed where there is one currency. */
const MOST_DEBTORS = 10;
const ONE = { limit: 1 };
const COUNTED = { ...ONE, include_total: true };

/** Reads the content; `asked` is the selected currency, if any. */
export async function readOverview(visit: WorkspaceVisit, asked: string | null) {
  const { core } = visit.site;
  const { timezone } = visit.workspace;
  const today = businessDate(core.clock.now(), timezone);
  const [aging, invoices, connections, integrations, workflows, attention, tasks, mails, debts, ...soon] =
    await Promise.all([
      visit.call(summarizeAging, {}),
      visit.call(listInvoices, COUNTED),
      visit.call(listErpConnections, { limit: 100 }),
      visit.call(listPaymentIntegrations, { limit: 100 }),
      visit.call(listWorkflows, ONE),
      visit.call(summarizeAttention, { most: MOST_ITEMS }),
      visit.call(listTasks, { ...BEHIND.openTasks, ...COUNTED }),
      visit.call(listPaymentLinks, { ...BEHIND.failedMails, ...COUNTED }),
      visit.call(listAgingInstallments, { ...BEHIND.withoutEmail, ...ONE }),
      ...SOON.map((days) => visit.call(summarizeAging, BEHIND.dueWithin(today, days))),
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
    connections: connections.data,
    takesPayments: integrations.data.some(({ status }) => status === "connected"),
    /** Whether a workflow was ever turned on. */
    hasWorkflow: workflows.data.length > 0,
    hasInvoices: (invoices.pagination.total_count ?? 0) > 0,
    attention,
    openTasks: tasks.pagination.total_count ?? 0,
    failedMails: mails.pagination.total_count ?? 0,
    /** Installments that lack only a billing email. */
    withoutEmail: debts.pagination.total_count,
  };
}
