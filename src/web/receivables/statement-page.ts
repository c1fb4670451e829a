import type { z } from "zod";
import { DebtOrigin, findDebtOrigins } from "../../core/aging/operations/find-debt-origins.ts";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import { InstallmentAgingRow } from "../../core/aging/schema.ts";
import { addDays, isPlainDate } from "../../core/kernel/calendar.ts";
import { counted } from "../../core/kernel/counted.ts";
import { getMailSettings } from "../../core/mail/operations/set-mail-settings.ts";
import { readableDate, readableMoney } from "../../core/mail/readable.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import { aside, downloads, hidden, html, input, keyFacts, link, muted, part, submit, warning } from "../kit/markup.ts";
import { GIVE_A_DATE, members, WORKSPACE, type WorkspaceVisit } from "../kit/page.ts";
import {
  amountColumn,
  type Column,
  column,
  columnsOf,
  figuresAsOf,
  sendFile,
  shownCount,
  shownDay,
  table,
  tablePart,
  textColumn,
  unbroken,
} from "../lists/list.ts";
import { AMOUNTS, DUE } from "./aging-lists.ts";
import { customerKeyIn, customerName, filterOf, findCustomer } from "./customer-page.ts";
import { PAYMENTS_OF_STATEMENT } from "./payment-list.ts";

type Report = z.output<typeof listAgingInstallments.output>;
type Debt = Awaited<ReturnType<typeof readDebts>>["data"][number];

/** Rows read at once: a statement has two times as many debts, and its file all of them. */
const PAGE = 100;
/** How far back payments are shown, where nobody says. */
const DAYS_OF_PAYMENTS = 90;

/** `/customers/{key}/statement`: what a customer owes and paid, for printing and as a file. */
export const STATEMENT_PAGES = {
  routes: [
    members.get("/customers/:key/statement", show),
    ...members.files("/customers/:key/statement", sendStatement),
  ],
};

const UNKNOWN = { invoice_date: null, original_amount: null, pay_link: null, pay_amount: null };

/** A page of debts, each with what it was for and where it is paid. */
async function readDebts(visit: WorkspaceVisit, key: string, cursor: string | null) {
  const from = cursor === null ? {} : { cursor };
  const report = await visit.call(listAgingInstallments, { customer_key: key, limit: PAGE, ...from });
  const ids = report.data.map((debt) => debt.installment_id ?? debt.invoice_id);
  const origins = await visit.call(findDebtOrigins, { ids });
  const data = report.data.map((debt, index) => ({ ...debt, ...(origins.get(ids[index] ?? "") ?? UNKNOWN) }));
  return { ...report, data };
}

async function show(visit: WorkspaceVisit) {
  const { address, workspace } = visit;
  const key = customerKeyIn(visit);
  const customer = await findCustomer(visit, key);
  const report = await readDebts(visit, key, null);
  const { report_date: today, totals } = report;
  const { total_count: count, next_cursor: next } = report.pagination;
  const rows = [...report.data, ...(next === null ? [] : (await readDebts(visit, key, next)).data)];
  const since = visit.parameter("since") || addDays(today, -DAYS_OF_PAYMENTS);
  const problem = problemOfDay(since, today);
  const name = customerName(customer);
  const { has_logo: hasLogo, postal_address, contact, reply_to } = await visit.call(getMailSettings, {});
  const sender = [workspace.name, postal_address, contact, reply_to].map((line) => line && `${line}\n`);
  const asOf = figuresAsOf(totals, workspace.timezone);
  const doubted = rows.filter(({ not_collectible_reasons: why }) => why.some((reason) => DOUBTS.includes(reason)));
  const which = [...new Set(doubted.map(({ invoice_number: number }) => number))].join(", ");
  const path = `/customers/${key}`;
  const file = (ending: string) => address(`${path}/statement${ending}`);
  visit.showPage(
    {
      ...{ title: `Statement of ${name}`, heading: "Statement of account", sheet: ["Statement of account: ", name] },
      up: visit.link(path, name),
      acts: downloads(file, ` (${counted(count, "row")})`),
      status: problem === undefined ? 200 : 400,
    },
    html`<p class="quiet on-screen">To print it or save it as PDF, print this page in your browser.</p>
${doubted.length > 0 && html`<div class="on-screen">${warning([DOUBTED, which, "."])}</div>`}`,
    hasLogo && html`<p class="logo"><img src="${address("/logo.png")}" alt="${workspace.name}"></p>`,
    keyFacts([
      ["From", html`<div class="lines">${sender}</div>`],
      ["To", html`<div class="lines">${name}\n${customer.number}</div>`],
      ["Date", shownDay(today)],
    ]),
    asOf !== null && muted([asOf, "."]),
    rows.length === 0
      ? muted("Nothing with a due date is outstanding.")
      : [
          totals.map(({ currency }) => ofCurrency(rows, currency, visit)),
          table({ caption: "Totals", columns: TOTALS, rows: totals, visit, look: "totals aged" }),
        ],
    rows.length < count &&
      warning(html`These are the first ${shownCount(rows.length)} of ${shownCount(count)} installments. The totals are
of all; ${link(file(".csv"), "the file")} has each.`),
    await paymentsPart(visit, key, { since, problem }),
  );
}

/** What a person may want to leave off a statement. */
const DOUBTS: readonly string[] = ["disputed", "not_finalised"] satisfies Debt["not_collectible_reason"][];
const DOUBTED = "The ERP says that these are disputed or not finalised, which the statement does not tell: ";

const TOTALS: readonly Column<Report["totals"][number]>[] = [textColumn("Total", "currency"), ...AMOUNTS];

/** For the customer's eyes: whether the service collects it, and when they usually pay, is not shown. */
const DEBTS: readonly Column<Debt>[] = [
  {
    head: "Invoice",
    cell: ({ invoice_number: number, sequence_number: index, invoice_installment_count: of }) => [
      number === "" ? "Without a number" : unbroken(number),
      index !== null && of > 1 && [" ", aside(`${index} of ${of}`)],
    ],
  },
  column("Invoice date", "invoice_date", shownDay),
  ...DUE,
  amountColumn("Amount", "original_amount"),
  amountColumn("Outstanding", "outstanding"),
  {
    head: "Payment",
    cell: ({ pay_link: url, pay_amount: amount, currency }) =>
      url && html`<a class="pay" href="${url}" rel="noreferrer">Pay ${readableMoney(amount ?? "", currency)}</a>`,
  },
];

function ofCurrency(debts: readonly Debt[], currency: string, visit: WorkspaceVisit) {
  const rows = debts.filter((row) => row.currency === currency);
  if (rows.length === 0) return null;
  return part(currency, table({ caption: `Owed in ${currency}`, columns: DEBTS, rows, visit }));
}

/** Why payments since such a day are not shown; undefined where they are. */
function problemOfDay(since: string, today: string) {
  if (!isPlainDate(since)) return GIVE_A_DATE;
  return since > today ? "It must not be in the future." : undefined;
}

/** Payments through links from a day on, and the form that chooses it. */
async function paymentsPart(
  visit: WorkspaceVisit,
  key: string,
  { since, problem }: { since: string; problem: string | undefined },
) {
  const { workspace, workspaces } = visit;
  const field = { id: "since", name: "since", label: "Payments since", problem };
  const form = html`<form class="filters" method="get" aria-label="Payments">
${workspaces.length > 1 && hidden(WORKSPACE, workspace.tenantId)}
<div class="date">${input(field, html`type="${isPlainDate(since) ? "date" : "text"}" value="${since}"`)}</div>
${submit("Show")}</form>`;
  if (problem !== undefined) return form;
  const { data, pagination } = await visit.call(listPayments, { ...filterOf(key), paid_from: since, limit: PAGE });
  const rows = data.toSorted((one, other) => (one.paid_at < other.paid_at ? 1 : -1));
  const shown = { columns: PAYMENTS_OF_STATEMENT, rows, visit };
  return html`${form}
${tablePart(`Payments through links since ${readableDate(since)}`, "None.", shown)}
${pagination.has_more && warning(`These are the latest ${PAGE} payments.`)}`;
}

/** The columns of the file: what is on the page. */
const COLUMNS = columnsOf(
  InstallmentAgingRow.pick({
    ...{ customer_name: true, customer_number: true, invoice_number: true, sequence_number: true },
    ...{ due_date: true, days_overdue: true, currency: true, outstanding: true, as_of: true },
  }).extend(DebtOrigin.shape),
);

async function sendStatement(visit: WorkspaceVisit) {
  const key = customerKeyIn(visit);
  const of = customerName(await findCustomer(visit, key));
  await sendFile(visit, { name: "statement", of, columns: COLUMNS, read: (cursor) => readDebts(visit, key, cursor) });
}
