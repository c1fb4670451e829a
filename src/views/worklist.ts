import type { z } from "zod";
import type { Installment, Invoice, InvoiceTotal } from "../core/invoices/schema.ts";
import { actButton, grantedTools, newKey } from "./kit/act.ts";
import {
  button,
  customerHeading,
  el,
  fill,
  heading,
  line,
  listRow,
  quiet,
  rowList,
  show,
  statusLine,
} from "./kit/dom.ts";
import type { Fields } from "./kit/fields.ts";
import { dayElement, figure, instant, minorFigure, minorOf, openAndOverdue, sumItem, sumList } from "./kit/figures.ts";
import { failure, host, join, openLatest } from "./kit/host.ts";
import { notCollected } from "./kit/installment.ts";
import { listed, listedRows, longList } from "./kit/long-list.ts";
import { type Link, linkItem } from "./kit/payment-link.ts";
import { COLLECTION_STATES, numbered } from "./kit/words.ts";

type InvoiceRow = z.output<typeof Invoice>;
type InstallmentOf = z.output<typeof Installment>;

const TOOL = "list_invoices";
const SORTS: ReadonlyArray<readonly [sort: string, label: string]> = [
  ["created", "Newest first"],
  ["due_asc", "Due first"],
  ["overdue_desc", "Most overdue first"],
  ["outstanding_desc", "Largest first"],
];

void join({ name: "worklist", waiting: "Waiting for the invoices…", onResult: draw });

function draw(answer: Fields, args: Fields): void {
  const oldest = oldestRead(answer);
  show([
    heading(args.overdue === true ? "Overdue invoices" : "Invoices"),
    quiet(
      "Amounts are what is still to be collected here; currencies are never added up.",
      oldest && [" Read from the ERP ", instant(oldest), " or later."],
    ),
    sumList(listed<z.output<typeof InvoiceTotal>>(answer.totals).map(sumOf)),
    host.callsTools && sorting(args),
    longList<InvoiceRow>({
      ...{ tool: TOOL, args, first: answer, noun: "invoice", none: "No invoices." },
      row: (row) => invoiceItem(row, oldest),
      restart: () => reload(args),
    }),
  ]);
}

/** When the invoice of a page was read that was read first. */
function oldestRead(page: Fields): string | undefined {
  return listedRows<InvoiceRow>(page)
    .flatMap(({ last_synced_at: at }) => at ?? [])
    .sort()[0];
}

function sumOf(sum: z.output<typeof InvoiceTotal>): HTMLElement {
  const { currency, count, collection_outstanding: open, overdue_outstanding: overdue } = sum;
  return sumItem(figure(open, currency), numbered(count, "invoice"), figure(overdue, currency));
}

function sorting(args: Fields): HTMLElement {
  const options = SORTS.map(([sort, label]) => {
    const chosen = sort === (args.sort ?? "created") ? { selected: "" } : {};
    return el("option", { value: sort, ...chosen }, label);
  });
  const select = el("select", {}, ...options);
  select.addEventListener("change", () => {
    // Only the order of creation can be reversed.
    const { order: _, ...rest } = args;
    void reload({ ...rest, sort: select.value });
  });
  return el("label", { class: "sorting" }, el("span", {}, "Sort by"), select);
}

function reload(args: Fields): Promise<void> {
  return openLatest({ tool: TOOL, args, waiting: "Sorting…", draw: (answer) => draw(answer, args) });
}

/** An invoice; when it was read from the ERP is told of one that is older than the list says. */
function invoiceItem(row: Partial<InvoiceRow>, oldest: string | undefined): HTMLElement {
  const { id, currency, customer, collection_due_date: due, collection_status: status, last_synced_at: synced } = row;
  const { collection_outstanding: open, overdue_outstanding: overdue } = row;
  const details = el("div", { class: "details" });
  const number = el("bdi", {}, row.invoice_number || "Invoice without a number");
  const canOpen = host.callsTools && id !== undefined;
  const opener = button(number, "row", () => toggle());
  opener.setAttribute("aria-expanded", "false");
  const toggle = async (): Promise<void> => {
    const isOpen = opener.getAttribute("aria-expanded") === "true";
    opener.setAttribute("aria-expanded", String(!isOpen));
    if (isOpen) fill(details);
    else if (id !== undefined) await openDetails(details, id);
  };
  const facts = [
    status === undefined || status === "open" ? null : COLLECTION_STATES[status],
    row.has_active_payment_link === true ? "has a payment link" : null,
  ].filter((fact) => fact !== null);
  return listRow(
    [
      canOpen ? opener : number,
      customer && line(customerHeading(customer.name ?? customer.number)),
      quiet(due && ["due ", dayElement(due), facts.length > 0 && ", "], facts.join(", ")),
      synced && (oldest === undefined || synced < oldest) && quiet("read from the ERP ", instant(synced)),
    ],
    openAndOverdue(open, overdue, currency),
    details,
  );
}

/** An invoice's installments, why it cannot be collected, and its payment links. */
async function openDetails(place: HTMLElement, id: string): Promise<void> {
  fill(place, statusLine("Opening…"));
  try {
    const [invoice, links, tools] = await Promise.all([
      host.call("get_invoice", { invoice_id: id }),
      host.call("list_payment_links", { invoice_id: id, status: "active", limit: 100 }),
      grantedTools(),
    ]);
    const parts = listed<Partial<InstallmentOf>>(invoice.installments);
    const currency = typeof invoice.currency === "string" ? invoice.currency : null;
    const linkList = rowList();
    const add = (link: Partial<Link>): void => linkList.append(linkItem(link, tools));
    for (const link of listedRows<Link>(links)) add(link);
    const items = parts.map((part) => {
      const made = tools.has("create_payment_links") ? creation({ id, part, currency }, add) : null;
      return installmentItem(part, currency, made);
    });
    fill(place, rowList(items), linkList);
  } catch (error) {
    fill(
      place,
      failure(error, () => openDetails(place, id)),
    );
  }
}

function installmentItem(part: Partial<InstallmentOf>, currency: string | null, made: HTMLElement | null): HTMLElement {
  const { sequence_number: number, due_date: due, collection_outstanding: open, not_collectible_reason: reason } = part;
  const { available_amount: available } = part;
  return listRow(
    [
      el("span", {}, number ? `Installment ${number}` : "Installment", due && [", due ", dayElement(due)]),
      notCollected(reason),
    ],
    [
      open && figure(open, currency),
      available && available !== open && quiet("without a link ", figure(available, currency)),
    ],
    made,
  );
}

interface Creation {
  readonly id: string;
  readonly part: Partial<InstallmentOf>;
  readonly currency: string | null;
}

/**
 * A button that creates a payment link for the available amount of an installment. The call names the amount that is shown:
 * more may be available by then, as when a payment is reversed.
 */
function creation({ id, part, currency }: Creation, add: (link: Partial<Link>) => void): HTMLElement | null {
  const { available_amount: available = "0" } = part;
  const minor = minorOf(available, currency);
  if (part.collectible !== true || currency === null || minor === undefined) return null;
  return actButton({
    tool: "create_payment_links",
    args: { links: [{ invoice_id: id, installment_id: part.id, amount_minor: minor }], idempotency_key: newKey() },
    label: "Create payment link…",
    confirm: "Create link",
    kind: "main",
    question: () =>
      line(
        "Create a payment link for all that is available, ",
        minorFigure(minor, currency),
        "? Nothing is sent to the customer.",
      ),
    done(answer) {
      for (const link of listedRows<Link>(answer)) add(link);
    },
  });
}
