import { counted } from "../../core/kernel/counted.ts";
import { formatMoney, ZERO } from "../../core/kernel/money.ts";
import { actions, aside, big, buttonLink, emptied, html, keyFacts, muted, part } from "../kit/markup.ts";
import {
  anybody,
  closedNote,
  enterWorkspace,
  type OpenVisit,
  people,
  type Query,
  SETTINGS_PATH,
  Visit,
  type WorkspaceVisit,
} from "../kit/page.ts";
import {
  amountColumn,
  type Column,
  overdueCell,
  overdueColumn,
  shownAmount,
  shownCount,
  table,
  tablePart,
  textColumn,
} from "../lists/list.ts";
import { DEBTOR } from "../receivables/aging-lists.ts";
import { NEEDS_A_PERSON, needsList } from "../receivables/needs.ts";
import { agingChart, share } from "./aging-chart.ts";
import { checklist } from "./checklist.ts";
import { expectedPart } from "./expected-part.ts";
import { freshness } from "./freshness.ts";
import { type AgingTotals, type Overview, readOverview } from "./overview-figures.ts";

/** `/`: the overview of a workspace, and for strangers what this is. */
export const HOME_PAGE = {
  listing: { path: "/", name: "Overview" },
  routes: [
    anybody.get("/", async (visit) => {
      const { session } = visit;
      if (session === null) return welcome(visit);
      const found = await enterWorkspace(new Visit({ ...visit, session }));
      return found && showOverview(found);
    }),
  ],
};

/** `/settings`: links to its pages. */
export const SETTINGS_PAGE = {
  routes: [
    people.get(SETTINGS_PATH, (visit) => {
      const { navigation } = visit.site;
      visit.show({ title: "Settings", body: navigation.settingsView(visit.session) });
    }),
  ],
};

function welcome(visit: OpenVisit) {
  const body = html`<h1>Receivables for assistants</h1>
${actions(buttonLink("/signin", "Sign in", ""))}
<p>An assistant that is connected here reads a workspace's receivables for the person who approved it.</p>
<p class="address">The address to give an assistant: <code>${visit.site.publicOrigin}/mcp</code></p>
<p><a href="/mcp">How to connect one</a>, and what it may and can never do.</p>
<p>Programs use the API: <a href="/docs">its guides and reference</a>.</p>`;
  visit.show({ title: "Welcome", narrow: true, body });
}

/** What was just done, by the name in the address. */
const DONE = {
  joined: "You have joined the workspace.",
  stepped_down: "You are a member of the workspace now, and no longer one of its admins.",
};

/** The number of currencies with a chart; the others are named, and one click away. */
const MOST_CHARTS = 6;

/** `/` for a member: what is owed, overdue and due soon, and what needs somebody. */
async function showOverview(visit: WorkspaceVisit) {
  const overview = await readOverview(visit, visit.parameter("currency"));
  const toSetUp = await checklist(overview, visit);
  const parts = overview.needs.hasInvoices
    ? [
        figures(overview, visit),
        toSetUp,
        charts(overview, visit),
        moneyIn(overview, visit),
        overview.currency !== null && (await expectedPart(visit, overview.currency)),
        needed(overview, visit),
        debtors(overview, visit),
      ]
    : toSetUp;
  const about = [freshness(overview, visit), await closedNote(visit)];
  visit.showPage({ title: "Overview", heading: visit.workspace.name, about, isListed: true, done: DONE }, parts);
}

type Total = AgingTotals[number];

/** The figures of the selected currency, in large type, and a line per currency if there are several. */
function figures(overview: Overview, visit: WorkspaceVisit) {
  const { totals, soon, currency } = overview;
  const total = totals.find((one) => one.currency === currency);
  if (total === undefined)
    return emptied("Nothing with a due date is outstanding.", visit.link("/invoices", "See all invoices"));
  const outstanding = ({ currency: of, outstanding: owed }: Total) =>
    visit.link("/customers", shownAmount(owed, of), { currency: of });
  const overdue = ({ currency: of, overdue: late }: Total) =>
    visit.link("/customers", overdueCell(late, of), { currency: of, overdue_only: "true" });
  const due = soon.map((one) => columnOf(one, visit));
  const columns: Column<Total>[] = [
    { head: "Currency", cell: ({ currency: of }) => (of === currency ? of : visit.link("/", of, { currency: of })) },
    { head: "Outstanding", kind: "number", cell: outstanding },
    { head: "Overdue", kind: "number", cell: overdue },
    { head: "Overdue share", kind: "number", cell: (one) => share(one.overdue, one) || null },
    ...due,
  ];
  const late = aside(share(total.overdue, total), " of outstanding");
  const key = [
    ["Outstanding", big(outstanding(total))],
    ["Overdue", [big(overdue(total)), " ", late]],
    ...due.map(({ head, cell }) => [head, big(cell(total))] as const),
  ] as const;
  const bridge = muted(visit.link("/bridge", "How the ERP's balance comes to these figures"));
  return html`${keyFacts(key, "key money")}${bridge}
${totals.length > 1 && table({ caption: "By currency", columns, rows: totals, visit })}`;
}

function charts({ totals, byUse, currency }: Overview, visit: WorkspaceVisit) {
  if (currency === null) return null;
  const charted = new Set([currency, ...byUse].slice(0, MOST_CHARTS + 1));
  const sheets = totals.map((total) => {
    const chart = charted.has(total.currency) && agingChart(total, visit);
    return chart && html`<article class="sheet"><h3>${total.currency}</h3>${chart}</article>`;
  });
  const others = totals.filter((total) => !charted.has(total.currency));
  const named = others.map(({ currency: of }, index) => [index > 0 && ", ", visit.link("/", of, { currency: of })]);
  const words = aside("By days overdue. Currencies are never added up.");
  const left = others.length > 0 && muted(["Without a chart here: ", named, "."]);
  return part("Aging", html`<div class="charts">${sheets}</div>${left}`, words);
}

/** A column of figures of currencies, each linked to its rows. */
const columnOf = ({ head, path, query, amounts }: Overview["soon" | "received"][number], visit: WorkspaceVisit) => ({
  ...{ head, kind: "number" as const },
  cell: ({ currency: of }: { currency: string }) =>
    visit.link(path, shownAmount(amounts.get(of) ?? formatMoney(ZERO, of), of), { currency: of, ...query }),
});

function moneyIn({ received }: Overview, visit: WorkspaceVisit) {
  const currencies = new Set(received.flatMap(({ amounts }) => [...amounts.keys()]));
  const rows = [...currencies].sort().map((currency) => ({ currency }));
  const columns = [textColumn("Currency", "currency"), ...received.map((one) => columnOf(one, visit))];
  const notOff = (words: string, query: Query) => visit.link("/payments", words, query);
  const words = aside(
    "Paid through links; ",
    notOff("refunds", { refunded: "true" }),
    " and ",
    notOff("reversed receipts", { erp_push_status: "reversed" }),
    " are not taken off.",
  );
  return tablePart("Money in", "Nothing this month or last.", { columns, rows, visit }, words);
}

function needed({ needs }: Overview, visit: WorkspaceVisit) {
  const all = needs.moreEntries > 0 && visit.link("/attention", `${shownCount(needs.moreEntries)} more`);
  return part(NEEDS_A_PERSON, needsList(needs, visit) || muted("Nothing does."), all);
}

function debtors({ debtors: rows, currency }: Overview, visit: WorkspaceVisit) {
  if (currency === null) return null;
  const columns: Column<(typeof rows)[number]>[] = [
    DEBTOR,
    {
      head: "Oldest",
      kind: "number",
      cell: ({ max_days_overdue: days }) => days && html`<span class="count">${counted(days, "day")} overdue</span>`,
    },
    overdueColumn("Overdue", "overdue"),
    amountColumn("Outstanding", "outstanding"),
  ];
  const all = visit.link("/customers", "All overdue customers", { overdue_only: "true" });
  return tablePart("Most overdue customers", "Nobody is overdue.", { columns, rows, visit, look: "brief" }, all);
}
