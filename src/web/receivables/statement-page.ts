import type { z } from "zod";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import { InstallmentAgingRow } from "../../core/aging/schema.ts";
import { counted } from "../../core/kernel/counted.ts";
import { aside, downloadLink, html, link, muted, paragraph, part, warning } from "../kit/markup.ts";
import { members, type WorkspaceVisit } from "../kit/page.ts";
import {
  type Column,
  csvColumns,
  figuresAsOf,
  sendCsv,
  shownCount,
  shownDay,
  table,
  textColumn,
} from "../lists/list.ts";
import { AMOUNTS, DEBTS_OF_STATEMENT } from "./aging-lists.ts";
import { customerKeyIn, customerName, findCustomer } from "./customer-page.ts";

type Report = z.output<typeof listAgingInstallments.output>;
type Debt = Report["data"][number];

/** Rows on a statement; its file has all of them. */
const MOST_ROWS = 200;
const PAGE = 100;

/** `/customers/{key}/statement`: what a customer owes, for printing and as a file. */
export const STATEMENT_PAGES = {
  routes: [members.get("/customers/:key/statement", show), members.get("/customers/:key/statement.csv", sendFile)],
};

function readDebts(visit: WorkspaceVisit, key: string, cursor: string | null) {
  const from = cursor === null ? {} : { cursor };
  return visit.call(listAgingInstallments, { customer_key: key, limit: PAGE, ...from });
}

async function show(visit: WorkspaceVisit) {
  const { address, workspace } = visit;
  const key = customerKeyIn(visit);
  const customer = await findCustomer(visit, key);
  const report = await readDebts(visit, key, null);
  const rows = [...report.data];
  for (let next = report.pagination.next_cursor; next !== null && rows.length < MOST_ROWS; ) {
    const page = await readDebts(visit, key, next);
    rows.push(...page.data);
    next = page.pagination.next_cursor;
  }
  const { report_date: today, totals, pagination } = report;
  const [name, number] = [customerName(customer), customer.number];
  const asOf = figuresAsOf(totals, workspace.timezone);
  const file = address(`/customers/${key}/statement.csv`);
  const count = pagination.total_count;
  const whose = paragraph(name, number !== null && [" ", aside(number)]);
  const from = muted(["From ", workspace.name, ", ", shownDay(today), asOf !== null && html`. ${asOf}.`]);
  visit.showPage(
    {
      ...{ title: `Statement of ${name}`, heading: "Statement of account", about: [whose, from] },
      ...{
        up: visit.link(`/customers/${key}`, name),
        acts: downloadLink(file, `Download CSV (${counted(count, "row")})`),
      },
    },
    html`<p class="quiet on-screen">To print it or save it as PDF, print this page in your browser: only the statement
is printed.</p>`,
    rows.length === 0
      ? paragraph("Nothing that is dated is owed.")
      : [
          totals.map(({ currency }) => ofCurrency(rows, currency, visit)),
          table({ caption: "Totals", columns: TOTALS, rows: totals, visit, look: "totals aged" }),
        ],
    rows.length < count &&
      warning(html`These are the first ${shownCount(rows.length)} of ${shownCount(count)} installments. The totals are
of all; ${link(file, "the file")} has each.`),
  );
}

const COLUMNS = csvColumns(InstallmentAgingRow);

async function sendFile(visit: WorkspaceVisit) {
  const key = customerKeyIn(visit);
  await findCustomer(visit, key);
  await sendCsv(visit, {
    name: "statement",
    columns: COLUMNS,
    read: (cursor) => readDebts(visit, key, cursor),
  });
}

const TOTALS: readonly Column<Report["totals"][number]>[] = [textColumn("Total", "currency"), ...AMOUNTS];

function ofCurrency(debts: readonly Debt[], currency: string, visit: WorkspaceVisit) {
  const rows = debts.filter((row) => row.currency === currency);
  if (rows.length === 0) return null;
  return part(currency, table({ caption: `Owed in ${currency}`, columns: DEBTS_OF_STATEMENT, rows, visit }));
}
