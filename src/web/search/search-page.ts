import { findCustomers } from "../../core/customers/operations/find-customers.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import { cleanText, foldText } from "../../core/kernel/text.ts";
import { findByReference, MOST_FOUND } from "../../core/payments/operations/find-by-reference.ts";
import { typedAmount } from "../collecting/amounts.ts";
import { emptied, muted } from "../kit/markup.ts";
import { members, type WorkspaceVisit } from "../kit/page.ts";
import { type Column, column, mailAddress, tablePart, textColumn } from "../lists/list.ts";
import { CUSTOMER_OF, customerLink, INVOICE_OF, INVOICES_OF_CUSTOMER } from "../receivables/invoice-list.ts";
import { PAYMENT_OF_INVOICE } from "../receivables/payment-list.ts";

/** `/search`: customers, invoices and payments that a text names; the only one it names exactly is gone to. */
export const SEARCH_PAGE = { routes: [members.get("/search", showFound)] };

const WHAT =
  "a customer's name, account number or email, an invoice's number, an amount, a receipt's number or the \
reference of a payment";
type Names = Readonly<Record<"id" | "name" | "number" | "email", string | null>>;
const CUSTOMERS: readonly Column<Names>[] = [
  { head: "Customer", cell: customerLink },
  textColumn("Number", "number"),
  column("Billing email", "email", (email: string | null) => email && mailAddress(email)),
];
const INVOICES = INVOICES_OF_CUSTOMER.toSpliced(1, 0, CUSTOMER_OF);
const title = "Search";
const PAYMENTS = [CUSTOMER_OF, INVOICE_OF, ...PAYMENT_OF_INVOICE];

async function showFound(visit: WorkspaceVisit) {
  const text = cleanText(visit.parameter("q"), 100);
  if (text === null) return visit.showPage({ title }, muted(`Write in the box above what you have: ${WHAT}.`));
  const amount = typedAmount(text.replace(/^(\p{Sc}|[A-Z]{3} )|( ?\p{Sc}| [A-Z]{3})$/gu, ""));
  const [{ found: customers }, named, { payments, ...referred }] = await Promise.all([
    visit.call(findCustomers, { ids: [], search: text }),
    visit.call(listInvoices, { search: text, limit: MOST_FOUND }),
    visit.call(findByReference, { text, amount }),
  ]);
  const invoices = [...new Map([...referred.invoices, ...named.data].map((one) => [one.id, one])).values()];

  const exact = [
    ...customers.map((one) => [`/customers/${one.id}`, one.name, one.email, ...(one.number?.split(", ") ?? [])]),
    ...invoices.map(({ id, invoice_number: number }) => [`/invoices/${id}`, number]),
    ...payments.map((one) => [`/payments/${one.id}`, one.erp_receipt_number, one.provider_reference]),
  ].filter(([, ...names]) => names.some((name) => name && foldText(name) === foldText(text)));
  if (exact.length === 1) return visit.address(exact[0]?.[0] ?? "");
  const head = { title, heading: `Search for “${text}”` };
  if (customers.length + invoices.length + payments.length === 0) {
    const { nearest = [] } = named;
    const like = nearest.map(({ customer_id: id, ...one }) => [" · ", customerLink({ id, ...one }, visit)]);
    const advice = like.length > 0 ? ["Customers with a name like it", like] : `It can be ${WHAT}.`;
    return visit.showPage(head, emptied("Nothing was found.", advice));
  }
  const all = named.pagination.has_more && visit.link("/invoices", "All that match", { search: text });
  return visit.showPage(
    head,
    tablePart("Customers", "No customer.", { columns: CUSTOMERS, rows: customers, visit }),
    tablePart("Invoices", "No invoice.", { columns: INVOICES, rows: invoices, visit }, all),
    tablePart("Payments", "No payment.", { columns: PAYMENTS, rows: payments, visit }),
  );
}
