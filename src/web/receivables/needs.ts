import type { z } from "zod";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import { summarizeAging } from "../../core/aging/operations/summarize-aging.ts";
import { summarizeAttention, waitingSinceOf } from "../../core/attention/list-attention.ts";
import { listCurrentErps } from "../../core/erp-connections/operations/list-erp-connections.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import { counted } from "../../core/kernel/counted.ts";
import { listPaymentIntegrations } from "../../core/payment-integrations/operations/list-payment-integrations.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { listTasks } from "../../core/tasks/operations/list-tasks.ts";
import { listWorkflows } from "../../core/workflows/operations/list-workflows.ts";
import { buttonLink, type Html, html, type Inserted, muted } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import { shownAmount } from "../lists/list.ts";
import { entryView } from "./attention-view.ts";

/** The name of the list, wherever it stands. */
export const NEEDS_A_PERSON = "Needs a person";

export type ErpConnections = z.output<typeof listCurrentErps.output>;
export type Needs = Awaited<ReturnType<typeof readNeeds>>;

/** The filters behind each figure, which are also those of its link to a list. */
const BEHIND = {
  openTasks: { state: "open" },
  failedMails: { status: "active", email_status: "failed" },
  withoutEmail: { not_collectible_reason: "no_billing_email" },
} as const;
/** ERPs that are not read, by their status: what is the matter, why, and what an admin does. */
const ILL: Readonly<Record<string, readonly [what: string, why: string | null, act: string]>> = {
  requires_reauthentication: ["needs reconnecting", "The ERP refuses the password.", "Reconnect"],
  temporarily_unavailable: ["does not answer", null, "See the connection"],
  disconnected: ["is disconnected", "Nothing is read from it.", "Reconnect"],
};

/** Whether an ERP that did not answer is asked again without anybody's doing. */
export function howRetried({ sync_enabled: syncs, auto_sync_enabled: isAutomatic }: ErpConnections[number]) {
  if (!syncs) return "Its sync is switched off.";
  return isAutomatic ? "It is tried again by itself." : "Its syncs are started by hand.";
}

const ONE = { limit: 1 };
const COUNTED = { ...ONE, include_total: true };

/** Reads what needs a person: work of each kind, and at most `most` payments and invoices. */
export async function readNeeds(visit: WorkspaceVisit, most: number) {
  const [invoices, connections, integrations, workflows, attention, tasks, mails, debts] = await Promise.all([
    visit.call(listInvoices, ONE),
    visit.call(listCurrentErps, {}),
    visit.call(listPaymentIntegrations, { limit: 100 }),
    visit.call(listWorkflows, ONE),
    visit.call(summarizeAttention, { most }),
    visit.call(listTasks, { ...BEHIND.openTasks, ...COUNTED }),
    visit.call(listPaymentLinks, { ...BEHIND.failedMails, ...COUNTED }),
    visit.call(listAgingInstallments, { ...BEHIND.withoutEmail, ...ONE }),
  ]);
  const dayAgo = waitingSinceOf(visit.site.core.clock.now().toISOString());
  const ill = connections.filter(
    ({ status, last_successful_sync_at: at, created_at }) =>
      status in ILL && (status !== "temporarily_unavailable" || (at ?? created_at) < dayAgo),
  );
  const { groups = [] } = ill.length > 0 ? await visit.call(summarizeAging, { group_by: "connection" }) : {};
  const stale = ill.map((one) => ({ ...one, owed: groups.filter(({ group }) => group === one.id) }));
  const entries = attention.counts.values().reduce((sum, count) => sum + count, 0);
  return {
    hasInvoices: invoices.data.length > 0,
    connections,
    /** ERPs that are not read, with what is owed by their last figures; a disconnected one only with that. */
    stale: stale.filter(({ status, owed }) => status !== "disconnected" || owed.length > 0),
    takesPayments: integrations.data.some(({ status }) => status === "connected"),
    /** Whether a workflow was ever turned on. */
    hasWorkflow: workflows.data.length > 0,
    openTasks: tasks.pagination.total_count ?? 0,
    failedMails: mails.pagination.total_count ?? 0,
    /** Installments that lack only a billing email. */
    withoutEmail: debts.pagination.total_count,
    oldest: attention.oldest,
    moreEntries: entries - attention.oldest.length,
  };
}

/** What needs a person, each with what to do about it; null where nothing does. Only admins can act. */
export function needsList(needs: Needs, visit: WorkspaceVisit) {
  const entries = needs.oldest.map((entry) => entryView(entry, visit));
  const items = [...ofConnections(needs, visit), ...entries, ...ofWork(needs, visit)].filter((one) => one !== false);
  return items.length > 0 && html`<ul class="needs">${items}</ul>`;
}

type Item = Html | false;

/** Work of a kind: what it is, why it matters, and a button to where it is dealt with; none for null. */
function item(what: Inserted, why: Inserted, act: readonly [path: string, words: string] | null): Item {
  return html`<li class="item"><div class="head"><strong>${what}</strong></div>${muted(why)}
${act && html`<div class="acts">${buttonLink(...act)}</div>`}</li>`;
}

function ofConnections(needs: Needs, visit: WorkspaceVisit): Item[] {
  const { stale, takesPayments, hasInvoices } = needs;
  const forAdmins = (path: string, words: string) => (visit.isAdmin ? ([path, words] as const) : null);
  return [
    ...stale.map((connection) => {
      const { id, name, status, owed, last_successful_sync_at: at } = connection;
      const [what, why, act] = ILL[status] ?? ["", "", ""];
      const amounts = owed.map(({ outstanding, currency }, index) => [
        index > 0 && ", ",
        visit.link("/installments", shownAmount(outstanding, currency), { connection_id: id, currency }),
      ]);
      const asOf = at === null ? "Nothing was ever read from it" : html`Its figures are as of ${visit.time(at)}`;
      const sums = amounts.length > 0 && [": ", amounts, " outstanding"];
      const said = [why ?? howRetried(connection), " ", asOf, sums, "."];
      return item(`${name} ${what}`, said, forAdmins("/erp-connections", act));
    }),
    hasInvoices &&
      !takesPayments &&
      item(
        "No payment provider is connected",
        "No invoice can be collected until one is.",
        forAdmins("/integrations", "Connect one"),
      ),
  ];
}

function ofWork({ openTasks, failedMails, withoutEmail }: Needs, visit: WorkspaceVisit): Item[] {
  const toTasks = visit.address("/tasks", BEHIND.openTasks);
  const toLinks = visit.address("/payment-links", BEHIND.failedMails);
  const toInstallments = visit.address("/installments", BEHIND.withoutEmail);
  return [
    openTasks > 0 &&
      item(counted(openTasks, "open task"), "Somebody has to arrange the payment.", [toTasks, "See tasks"]),
    failedMails > 0 &&
      item(
        `${counted(failedMails, "payment link")} not mailed`,
        "The mails failed: the customers have not got their links.",
        [toLinks, "See links"],
      ),
    withoutEmail > 0 &&
      item(
        `${counted(withoutEmail, "installment")} without a billing email`,
        "Nothing can be collected until the customer has one.",
        [toInstallments, "See installments"],
      ),
  ];
}
