import { counted } from "../../core/kernel/counted.ts";
import { formatMoney, ZERO } from "../../core/kernel/money.ts";
import { type Html, html } from "../kit/html.ts";
import { fact } from "../kit/parts.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { amountColumn, overdueColumn } from "../lists/columns.ts";
import { NOTHING, overdueCell, shownAmount } from "../lists/figures.ts";
import { type Column, table, tablePart } from "../lists/table.ts";
import { debtorLink } from "../receivables/aging-lists.ts";
import { agingChart, share } from "./aging-chart.ts";
import { checklist } from "./checklist.ts";
import { freshness } from "./freshness.ts";
import { needsYou } from "./needs-you.ts";
import { type AgingTotals, BEHIND, type Overview, readOverview, SOON } from "./overview-figures.ts";

/** What was just done, by the name in the address. */
const DONE = {
  joined: "You have joined the workspace.",
  stepped_down: "You are a member of the workspace now, and no longer one of its admins.",
};

/** The number of currencies with a chart; the others are one click away. */
const MOST_CHARTS = 4;

/** `/` for a member: what is owed, overdue and due soon, and what needs somebody. */
export async function showOverview(visit: WorkspaceVisit): Promise<void> {
  const { site } = visit;
  const overview = await readOverview(visit, visit.parameter("currency"));
  const isNew = !overview.hasInvoices;
  const body = html`<div class="title"><div><h1>${visit.workspace.name}</h1>${freshness(overview, visit, site.core.clock.now())}</div></div>
${visit.note(DONE)}
${isNew ? await checklist(overview, visit) : [figures(overview, visit), charts(overview, visit), needsYou(overview, visit), debtors(overview, visit)]}`;
  visit.show({ title: "Overview", body });
}

type Total = AgingTotals[number];

/** The figures of the selected currency, in large type, and a line per currency if there are several. */
function figures(overview: Overview, visit: WorkspaceVisit): Html {
  const { totals, soon, today, currency } = overview;
  const total = totals.find((one) => one.currency === currency);
  if (total === undefined)
    return html`<div class="empty"><p>Nothing that is dated is owed.</p><p><a href="${visit.address("/invoices")}">See all invoices</a></p></div>`;
  const dueIn = (index: number, of: string): Html => {
    const found = soon[index]?.find((one) => one.currency === of);
    const path = visit.address("/installments", { currency: of, ...BEHIND.dueWithin(today, SOON[index] ?? 0) });
    return html`<a href="${path}">${shownAmount(found?.outstanding ?? formatMoney(ZERO, of), of)}</a>`;
  };
  const to = (of: string, words: Html, filter: Record<string, string>): Html =>
    html`<a href="${visit.address("/customers", { currency: of, ...filter })}">${words}</a>`;
  const outstanding = (one: Total): Html => to(one.currency, shownAmount(one.outstanding, one.currency), {});
  const overdue = (one: Total): Html =>
    to(one.currency, overdueCell(one.overdue, one.currency), { overdue_only: "true" });
  const columns: Column<Total>[] = [
    {
      head: "Currency",
      cell: (one) =>
        one.currency === currency
          ? one.currency
          : html`<a href="${visit.address("/", { currency: one.currency })}">${one.currency}</a>`,
    },
    { head: "Outstanding", kind: "number", cell: outstanding },
    { head: "Overdue", kind: "number", cell: overdue },
    { head: "Overdue share", kind: "number", cell: (one) => share(one.overdue, one) || NOTHING },
    ...SOON.map(
      (days, index): Column<Total> => ({
        head: `Due in ${days} days`,
        kind: "number",
        cell: (one) => dueIn(index, one.currency),
      }),
    ),
  ];
  return html`<dl class="key money">
${fact("Outstanding", html`<span class="big">${outstanding(total)}</span>`)}
${fact("Overdue", html`<span class="big">${overdue(total)}</span> <span class="quiet">${share(total.overdue, total)}</span>`)}
${SOON.map((days, index) => fact(`Due in ${days} days`, html`<span class="big">${dueIn(index, total.currency)}</span>`))}
</dl>
${totals.length > 1 && table({ caption: "By currency", columns, rows: totals, visit })}`;
}

function charts({ totals, currency }: Overview, visit: WorkspaceVisit): Html | null {
  const first = totals.toSorted((a, b) => Number(b.currency === currency) - Number(a.currency === currency));
  if (first.length === 0) return null;
  return html`<section class="part"><div class="head"><h2>Aging</h2><span class="quiet">By days overdue. Currencies are never added up.</span></div>
<div class="charts">${first.slice(0, MOST_CHARTS).map((total) => html`<article class="sheet"><h3>${total.currency}</h3>${agingChart(total, visit)}</article>`)}</div></section>`;
}

function debtors({ debtors: rows, currency }: Overview, visit: WorkspaceVisit): Html | null {
  if (currency === null) return null;
  const columns: Column<(typeof rows)[number]>[] = [
    { head: "Customer", cell: debtorLink },
    {
      head: "Oldest",
      kind: "number",
      cell: ({ max_days_overdue: days }) =>
        days === null ? NOTHING : html`<span class="count">${counted(days, "day")}</span>`,
    },
    overdueColumn("Overdue", "overdue"),
    amountColumn("Outstanding", "outstanding"),
  ];
  const all = html`<a href="${visit.address("/customers", { currency, overdue_only: "true" })}">All overdue customers</a>`;
  const caption = `Most overdue customers in ${currency}`;
  const shown = { caption, columns, rows, visit, look: "brief" };
  return tablePart(`Most overdue in ${currency}`, `Nobody is overdue in ${currency}.`, shown, all);
}
