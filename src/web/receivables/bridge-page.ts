import { BRIDGE_STEPS, type BridgeStep } from "../../core/aging/bridge-queries.ts";
import { UNKNOWN_CURRENCY } from "../../core/aging/buckets.ts";
import { listBridgeInvoices, MOST_BRIDGE_ROWS, readBridge } from "../../core/aging/operations/bridge.ts";
import { summarizeAging } from "../../core/aging/operations/summarize-aging.ts";
import { html, muted } from "../kit/markup.ts";
import { members, type PageRoutes, type Query, type WorkspaceVisit } from "../kit/page.ts";
import { amountColumn, countColumn, figuresAsOf, pagesOfList, shownAmount } from "../lists/list.ts";
import { CUSTOMER_NAME_OF, INVOICE_OF } from "./invoice-list.ts";
import { REASON_WORDS } from "./terms.ts";

const STEP_WORDS: Readonly<Record<BridgeStep, string>> = {
  ...REASON_WORDS,
  erp_balance: "Balance in the ERP, as last read",
  schedule: "Installments that differ from their invoice's balance",
  credit: "Credit balances, which are not netted",
  received: "Received, not yet in the ERP's balance",
  local: "Invoices made here",
  outstanding: "Outstanding, as in Invoices",
  retired: "Gone from the ERP",
  closed: "Closed in the ERP, with a balance",
  undated: "Without a due date",
  aged: "Aged, as in Overview and Customers",
  collectible: "Can be collected",
  no_installments: "No payment schedule",
};

const ROWS_PATH = "/bridge/invoices";
const AMOUNT = amountColumn("Amount", "amount");
const ROWS = pagesOfList({
  path: ROWS_PATH,
  title: "Behind the bridge",
  one: "invoice",
  intro: "The invoices behind a figure of the bridge, with what each adds to it or takes off.",
  operation: listBridgeInvoices,
  rowsAtOnce: MOST_BRIDGE_ROWS,
  filters: { first: ["step", "currency"], values: STEP_WORDS },
  columns: [INVOICE_OF, CUSTOMER_NAME_OF, AMOUNT],
  totals: { columns: [countColumn("Invoices", "count"), AMOUNT] },
  empty: (visit) => ["No invoice is outstanding.", visit.link("/bridge", "Back to the bridge")],
});

type Figure = Awaited<ReturnType<typeof readBridge.call>>[number];

const AGED = BRIDGE_STEPS.indexOf("aged");

/** A figure with its rows: in the list that people know it from, if one has just those. */
function linked({ step, currency, amount }: Figure, visit: WorkspaceVisit) {
  const to = (path: string, query: Query) => visit.link(path, shownAmount(amount, currency), { ...query, currency });
  if (step === "outstanding" && currency !== UNKNOWN_CURRENCY) return to("/invoices", {});
  if (BRIDGE_STEPS.indexOf(step) < AGED || step === "no_installments") return to(ROWS_PATH, { step });
  if (step === "aged") return to("/installments", {});
  return to("/installments", step === "collectible" ? { collectible: "true" } : { not_collectible_reason: step });
}

function sheet(currency: string, figures: readonly Figure[], visit: WorkspaceVisit) {
  const rows = figures.map((figure) => {
    const name = [BRIDGE_STEPS.indexOf(figure.step) > AGED && "of it: ", STEP_WORDS[figure.step]];
    const isSum = ["outstanding", "aged"].includes(figure.step) && html` class="sum"`;
    return html`<tr${isSum}><th scope="row">${name}</th><td class="number">${linked(figure, visit)}</td></tr>\n`;
  });
  return html`<article class="sheet"><h3>${currency}</h3>
<table class="figures bridge"><caption class="unseen">Bridge in ${currency}</caption>
<tbody>${rows}</tbody></table></article>`;
}

/** `/bridge`: why the ERP, the invoices and the aging show different figures. */
export const BRIDGE_PAGES: PageRoutes = {
  listing: { path: "/bridge", name: "Bridge", beside: "/invoices" },
  routes: [
    members.get("/bridge", async (visit) => {
      const byCurrency = Map.groupBy(await visit.call(readBridge, {}), ({ currency }) => currency);
      const asOf = figuresAsOf((await visit.call(summarizeAging, {})).totals, visit.workspace.timezone);
      const sheets = [...byCurrency].map(([currency, figures]) => sheet(currency, figures, visit));
      const about = muted([sheets.length > 0 && "Each figure leads to its rows. ", asOf && [asOf, "."]]);
      const heading = "From the ERP's balance to what can be collected";
      const body = sheets.length === 0 ? muted("Nothing is owed.") : html`<div class="charts">${sheets}</div>`;
      visit.showPage({ title: "Bridge", heading, about, isListed: true }, body);
    }),
    ...ROWS.routes,
  ],
};
