import type { z } from "zod";
import { UNASSIGNED } from "../../core/aging/buckets.ts";
import { AgingInput } from "../../core/aging/list-parameters.ts";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../core/aging/operations/list-customer-aging.ts";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import { notFound } from "../../core/kernel/error.ts";
import { UNNAMED_CUSTOMER } from "../../core/kernel/text.ts";
import { big, buttonLink, type Fact, html, keyFacts, link, muted } from "../kit/markup.ts";
import { members, type Query, type WorkspaceVisit } from "../kit/page.ts";
import {
  type Column,
  chip,
  countColumn,
  figuresAsOf,
  mailAddress,
  shownAmount,
  shownCount,
  tablePart,
  textColumn,
  traced,
} from "../lists/list.ts";
import { AMOUNTS, DEBTS_OF_CUSTOMER, lateness } from "./aging-lists.ts";
import { historyOf, NOTE_ACTS } from "./customer-history.ts";
import { MAILING_ACTS, MAILING_ADMINS, type Mailing, mailingNotice, mailingOf, mailingPart } from "./customer-mails.ts";
import { INVOICES_OF_CUSTOMER, isNotAged } from "./invoice-list.ts";

type AgingRow = z.output<typeof listCustomerAging.output>["data"][number];

/** Rows of each kind on the page; the lists have all of them. */
const SHOWN = 20;

/** The order of invoices on the page, and behind its link to all. */
const LATEST = { sort: "invoice_date_desc" } as const;

/** A customer's key in an address. Throws `not_found` for other text. */
export function customerKeyIn({ request: { params } }: WorkspaceVisit) {
  const key = AgingInput.shape.customer_key.safeParse(params.key).data;
  if (key === undefined) throw notFound("customer");
  return key;
}

/** The filter that selects the customer in lists other than aging. */
export function filterOf(key: string): { customer_id: string } | { invoice_id: string } {
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
  const asked = { ...filter, ...LATEST, limit: SHOWN, include: "installments", include_total: true } as const;
  const found = await visit.call(listInvoices, asked);
  const [latest] = found.data;
  if (latest === undefined) throw notFound("customer");
  return { ...latest.customer, invoices: found.data, invoiceCount: found.pagination.total_count ?? 0 };
}

type Customer = Awaited<ReturnType<typeof findCustomer>>;

/** The customer's name as shown. */
export function customerName({ name, number }: Pick<Customer, "name" | "number">) {
  return name ?? number ?? UNNAMED_CUSTOMER;
}

/** `/customers/{key}`: what one customer owes, how they pay, and what they paid. */
export const CUSTOMER_PAGE = {
  routes: members.page("/customers/:key", showCustomer, { ...MAILING_ACTS, ...NOTE_ACTS }, MAILING_ADMINS),
};

async function showCustomer(visit: WorkspaceVisit) {
  const key = customerKeyIn(visit);
  const filter = filterOf(key);
  const customer = await findCustomer(visit, key);
  const [{ data: aging }, debts, mailing] = await Promise.all([
    visit.call(listCustomerAging, { customer_key: key, include: "payment_history", limit: 100 }),
    visit.call(listAgingInstallments, { customer_key: key, include: "payment_history", limit: SHOWN }),
    mailingOf(visit, key),
  ]);
  const all = (path: string, count: number, query: Query = filter) =>
    count > SHOWN && visit.link(path, `All ${shownCount(count)}`, query);
  const amounts = traced(AMOUNTS, "/installments", ({ currency }) => ({ customer_key: key, currency }));
  const asOf = figuresAsOf(aging, visit.workspace.timezone);
  visit.showPage(
    { title: customerName(customer), acts: buttonLink(visit.address(`/customers/${key}/statement`), "Statement") },
    visit.refusal === null && mailingNotice(visit, mailing),
    factsOf(customer, aging, mailing, visit.isAdmin),
    asOf !== null && muted([asOf, "."]),
    tablePart("Aging", NOTHING_OWED, { columns: [...AGING, ...amounts], rows: aging, visit, look: "aged" }),
    tablePart(
      "Owed, by due date",
      NOTHING_OWED,
      { caption: "Owed", columns: DEBTS_OF_CUSTOMER, rows: debts.data, visit },
      all("/installments", debts.pagination.total_count, { customer_key: key }),
    ),
    tablePart(
      "Latest invoices",
      "",
      { caption: "Invoices", columns: INVOICES_OF_CUSTOMER, rows: customer.invoices, visit },
      all("/invoices", customer.invoiceCount, { ...filter, ...LATEST }),
    ),
    customer.invoices.some(isNotAged) && muted([NOT_ABOVE, visit.link("/bridge", "see what, step by step")]),
    mailing !== null && (await historyOf(visit, key)),
    mailing !== null && mailingPart(visit, mailing),
  );
}

const NOT_ABOVE = "What the ERP no longer has or has closed is in none of the figures above: ";
const NOTHING_OWED = "Nothing with a due date is outstanding.";

const AGING: readonly Column<AgingRow>[] = [
  textColumn("Currency", "currency"),
  countColumn("Invoices", "invoice_count"),
];

/** Payment history is the same in each row, because it covers all currencies. */
function factsOf(customer: Customer, aging: readonly AgingRow[], mailing: Mailing | null, isAdmin: boolean) {
  const [row] = aging;
  const { email } = customer;
  const onTime = row?.on_time_share ?? null;
  const paid = row?.paid_installments ?? 0;
  const hasFailed = mailing?.failed.some(({ to }) => to === mailing.email) && "Mails failed";
  const mark = mailing?.no_mail ? "Not mailed" : hasFailed;
  const unset = html`<span class="overdue">None, so nothing can be collected.</span>
${mailing !== null && isAdmin && link("#mails", "Set one")}`;
  return keyFacts([
    ...aging.flatMap(({ currency, outstanding, overdue }): Fact[] => [
      [`Outstanding in ${currency}`, big(shownAmount(outstanding, currency))],
      [`Overdue in ${currency}`, big(shownAmount(overdue, currency), "overdue")],
    ]),
    ["Number", customer.number],
    ["Contact", customer.contact_name],
    ["Billing email", email === null ? unset : [mailAddress(email), mark && [" ", chip(mark, "waits")]]],
    row !== undefined && ["Typically pays", lateness(row.median_days_late)],
    row !== undefined && ["Pays on average", lateness(row.average_days_late)],
    row !== undefined && [
      "Paid on time in 2 years",
      onTime === null ? null : `${Math.round(onTime * paid)} of ${paid}`,
    ],
  ]);
}
