import type { z } from "zod";
import { UNASSIGNED } from "../../core/aging/buckets.ts";
import { AgingInput } from "../../core/aging/list-parameters.ts";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../core/aging/operations/list-customer-aging.ts";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import { notFound } from "../../core/kernel/error.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import type { Query } from "../kit/address.ts";
import { members } from "../kit/doors.ts";
import { type Html, html } from "../kit/html.ts";
import { big, buttonLink, downloadLink, fact, link, muted, pageHead } from "../kit/parts.ts";
import type { PageRoutes } from "../kit/routes.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { figuresAsOf, mailAddress, NOTHING, shownAmount, shownCount } from "../lists/figures.ts";
import { type Column, countColumn, tablePart } from "../lists/table.ts";
import { AMOUNTS, DEBTS_OF_CUSTOMER, lateness } from "./aging-lists.ts";
import { MAILING_ACTS, MAILING_ADMINS, mailingNotice, mailingOf, mailingPart } from "./customer-mails.ts";
import { INVOICES_OF_CUSTOMER } from "./invoice-list.ts";
import { PAYMENTS_OF_CUSTOMER } from "./payment-list.ts";

type AgingRow = z.output<typeof listCustomerAging.output>["data"][number];
type DebtPage = z.output<typeof listAgingInstallments.output>;
type PaymentPage = z.output<typeof listPayments.output>;

/** Rows of each kind on the page; the lists have all of them. */
const SHOWN = 20;

/** A customer's key in an address. Throws `not_found` for other text. */
export function customerKeyIn({ request: { params } }: WorkspaceVisit): string {
  const key = AgingInput.shape.customer_key.safeParse(params.key).data;
  if (key === undefined) throw notFound("customer");
  return key;
}

/** The filter that selects the customer in lists other than aging. */
function filterOf(key: string): { customer_id: string } | { invoice_id: string } {
  return key.startsWith(UNASSIGNED) ? { invoice_id: key.slice(UNASSIGNED.length) } : { customer_id: key };
}

/** A customer as described by their latest invoice. Throws `not_found` for a key without invoices in the workspace. */
export async function findCustomer(visit: WorkspaceVisit, key: string) {
  const filter = filterOf(key);
  if ("invoice_id" in filter) {
    const invoice = await visit.call(getInvoice, filter);
    if (invoice.customer.id !== null) throw notFound("customer");
    return { ...invoice.customer, invoices: [invoice], invoiceCount: 1 };
  }
  const found = await visit.call(listInvoices, { ...filter, limit: SHOWN, include_total: true });
  const [latest] = found.data;
  if (latest === undefined) throw notFound("customer");
  return { ...latest.customer, invoices: found.data, invoiceCount: found.pagination.total_count ?? 0 };
}

type Customer = Awaited<ReturnType<typeof findCustomer>>;

/** The customer's name as shown. */
export function customerName({ name, number }: Pick<Customer, "name" | "number">): string {
  return name ?? number ?? "A customer without a name";
}

/** `/customers/{key}`: what one customer owes, how they pay, and what they paid. */
export const CUSTOMER_PAGE: PageRoutes = {
  routes: members.page("/customers/:key", showCustomer, MAILING_ACTS, MAILING_ADMINS),
};

async function showCustomer(visit: WorkspaceVisit): Promise<void> {
  const key = customerKeyIn(visit);
  const customer = await findCustomer(visit, key);
  const [aging, debts, payments, mailing] = await Promise.all([
    visit.call(listCustomerAging, { customer_key: key, include: "payment_history", limit: 100 }),
    visit.call(listAgingInstallments, { customer_key: key, limit: SHOWN }),
    visit.call(listPayments, { ...filterOf(key), limit: SHOWN, include_total: true }),
    mailingOf(visit, key),
  ]);
  const body = customerView({ visit, key, customer, aging: aging.data, debts, payments, mailing });
  visit.show({ title: customerName(customer), body });
}

const NOT_SAVED = html`<p class="alert" role="alert">The billing email was not saved:
<a href="#billing-email">see below</a>.</p>`;

interface CustomerView {
  visit: WorkspaceVisit;
  key: string;
  customer: Customer;
  aging: readonly AgingRow[];
  debts: DebtPage;
  payments: PaymentPage;
  mailing: Awaited<ReturnType<typeof mailingOf>>;
}

function customerView(view: CustomerView): Html {
  const { visit, key, customer, aging, debts, payments, mailing } = view;
  const all = (path: string, count: number, query: Query): Html | null =>
    count > SHOWN ? visit.link(path, `All ${shownCount(count)}`, query) : null;
  const statement = `/customers/${key}/statement`;
  const acts = html`<div class="actions">${buttonLink(visit.address(statement), "Statement")}
${downloadLink(visit.address(`${statement}.csv`), "Statement as CSV")}</div>`;
  const asOf = figuresAsOf(aging, visit.workspace.timezone);
  return html`${visit.crumbs()}
${pageHead(customerName(customer), null, acts)}
${visit.refusal === null ? mailingNotice(visit) : NOT_SAVED}
${facts(view)}
${asOf !== null && muted([asOf, "."])}
${tablePart("Aging", NOTHING_OWED, { columns: AGING, rows: aging, visit, look: "aged" })}
${tablePart(
  "Owed, by due date",
  NOTHING_OWED,
  { caption: "Owed", columns: DEBTS_OF_CUSTOMER, rows: debts.data, visit },
  all("/installments", debts.pagination.total_count, { customer_key: key }),
)}
${tablePart(
  "Latest invoices",
  "",
  { caption: "Invoices", columns: INVOICES_OF_CUSTOMER, rows: customer.invoices, visit },
  all("/invoices", customer.invoiceCount, filterOf(key)),
)}
${tablePart(
  "Latest payments through links",
  "They paid nothing through a link yet.",
  { caption: "Payments", columns: PAYMENTS_OF_CUSTOMER, rows: payments.data, visit },
  all("/payments", payments.pagination.total_count ?? 0, filterOf(key)),
)}
${mailing !== null && mailingPart(visit, mailing)}`;
}

const NOTHING_OWED = "Nothing that is dated is owed.";

const AGING: readonly Column<AgingRow>[] = [
  { head: "Currency", cell: ({ currency }) => currency },
  countColumn("Invoices", "invoice_count"),
  ...AMOUNTS,
];

/** Payment history is the same in each row, because it covers all currencies. */
function facts({ customer, aging, mailing, visit: { isAdmin } }: CustomerView): Html {
  const [row] = aging;
  const onTime = row?.on_time_share ?? null;
  const paid = `of ${shownCount(row?.paid_installments ?? 0)} in 2 years`;
  const none = html`<span class="overdue">None: nothing can be collected</span>`;
  return html`<dl class="key">
${aging.map(({ currency, outstanding, overdue }) => [
  fact(`Outstanding in ${currency}`, big(shownAmount(outstanding, currency))),
  fact(`Overdue in ${currency}`, big(shownAmount(overdue, currency), "overdue")),
])}
${fact("Number", customer.number ?? NOTHING)}
${fact("Contact", customer.contact_name ?? NOTHING)}
${fact(
  "Billing email",
  customer.email === null
    ? [none, " ", isAdmin && mailing !== null && link("#mails", "Set one")]
    : mailAddress(customer.email),
)}
${
  row !== undefined && [
    fact("Pays, typically", lateness(row.median_days_late)),
    fact("On average", lateness(row.average_days_late)),
    fact("On time", onTime === null ? NOTHING : `${Math.round(onTime * 100)}% ${paid}`),
  ]
}
</dl>`;
}
