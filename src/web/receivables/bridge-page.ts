import { BRIDGE_STEPS, type BridgeStep } from "../../core/aging/bridge-queries.ts";
import { UNKNOWN_CURRENCY } from "../../core/aging/buckets.ts";
import { listBridgeInvoices, readBridge } from "../../core/aging/operations/bridge.ts";
import { listErpConnections } from "../../core/erp-connections/operations/list-erp-connections.ts";
import { emptied, html, link, muted } from "../kit/markup.ts";
import { members, type PageRoutes, type Query, type WorkspaceVisit } from "../kit/page.ts";
import { amountColumn, countColumn, figuresAsOf, pagesOfList, shownAmount } from "../lists/list.ts";
import { CUSTOMER_NAME_OF, INVOICE_OF } from "./invoice-list.ts";
import { REASON_WORDS } from "./terms.ts";

const STEP_WORDS: Readonly<Record<BridgeStep, string>> = {
  ...REASON_WORDS,
  erp_balance: "Balance in the ERP, as last read",
  schedule: "Installments that differ from their invoice's balance",
  credit: "Credit balances, which are not netted",
  received: "Received, not yet in the ERP",
  local: "Invoices made here",
  outstanding: "Outstanding, as in Invoices",
  retired: "Gone from the ERP",
  closed: "Closed in the ERP, with a balance",
  undated: "Without a due date",
  aged: "Aged, as in Overview and Customers",
  collectible: "Can be collected",
  no_installments: "No payment schedule",
};

const PATH = "/bridge";
const ROWS_PATH = `${PATH}/invoices`;
const ROWS = pagesOfList({
  path: ROWS_PATH,
  title: "Behind the bridge",
  one: "invoice",
  intro: "The invoices behind a figure of the bridge, with what each adds to it or takes off.",
  operation: listBridgeInvoices,
  filters: { first: ["step", "currency"], values: STEP_WORDS },
  columns: [INVOICE_OF, CUSTOMER_NAME_OF, amountColumn("Amount", "amount")],
  totals: { columns: [countColumn("Invoices", "count"), amountColumn("Amount", "amount")] },
  empty: (visit) => ["No invoice is outstanding.", visit.link(PATH, "Back to the bridge")],
});

type Figure = Awaited<ReturnType<typeof readBridge.call>>[number];

const AGED = BRIDGE_STEPS.indexOf("aged");

/** Where the rows of a figure are: in the list that people know it from, if one has just those. */
function rowsOf({ step, currency }: Figure): readonly [path: string, query: Query] {
  if (step === "outstanding" && currency !== UNKNOWN_CURRENCY) return ["/invoices", { currency }];
  if (BRIDGE_STEPS.indexOf(step) < AGED || step === "no_installments") return [ROWS_PATH, { step, currency }];
  if (step === "aged") return ["/installments", { currency }];
  const why = step === "collectible" ? { collectible: "true" } : { not_collectible_reason: step };
  return ["/installments", { currency, ...why }];
}

function sheet(currency: string, figures: readonly Figure[], visit: WorkspaceVisit) {
  const rows = figures.map((figure) => {
    const { step, amount } = figure;
    const name = [BRIDGE_STEPS.indexOf(step) > AGED && "of it: ", STEP_WORDS[step]];
    const shown = visit.link(rowsOf(figure)[0], shownAmount(amount, currency), rowsOf(figure)[1]);
    const isSum = step === "outstanding" || step === "aged";
    return html`<tr${isSum && html` class="sum"`}><th scope="row">${name}</th><td class="number">${shown}</td></tr>\n`;
  });
  return html`<article class="sheet"><h3>${currency}</h3>
<table class="figures bridge"><caption class="unseen">Bridge in ${currency}</caption>
<tbody>${rows}</tbody></table></article>`;
}

/** `/bridge`: why the ERP, the invoices and the aging show different figures. */
export const BRIDGE_PAGES: PageRoutes = {
  listing: { path: PATH, name: "Bridge", beside: "/invoices" },
  routes: [
    members.get(PATH, async (visit) => {
      const [figures, { data: erps }] = await Promise.all([
        visit.call(readBridge, {}),
        visit.call(listErpConnections, { limit: 100 }),
      ]);
      const read = erps.map(({ last_successful_sync_at }) => ({ currency: null, as_of: last_successful_sync_at }));
      const asOf = figuresAsOf(read, visit.workspace.timezone);
      const about = muted([
        "How the ERP's balance comes to what is aged and can be collected; each figure leads to its rows. ",
        asOf && [asOf, "."],
      ]);
      const sheets = [...Map.groupBy(figures, ({ currency }) => currency)].map(([currency, of]) =>
        sheet(currency, of, visit),
      );
      visit.showPage(
        { title: "Bridge", heading: "From the ERP's balance to what can be collected", about, isListed: true },
        sheets.length === 0
          ? emptied("Nothing is owed.", link("/", "To the start page"))
          : html`<div class="charts">${sheets}</div>`,
      );
    }),
    ...ROWS.routes,
  ],
};
