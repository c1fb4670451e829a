import { z } from "zod";
import { addDays } from "../core/kernel/calendar.ts";
import { money } from "../core/kernel/money.ts";
import { type Book, generateBook } from "../simulators/fusion/book.ts";
import type { FusionItem } from "../simulators/fusion/index.ts";
import type { DemoSite } from "./cast.ts";
import type { DemoCustomer } from "./customers.ts";

/** The data of a simulated ERP. */
export interface Ledger {
  readonly invoices: readonly FusionItem[];
  readonly accounts: readonly FusionItem[];
}

/** How many days before the demo's first day users changed data in its ERPs (see {@link changed}). */
const CHANGED_DAYS_AGO = 8;

/** Ordinary invoices that the demo's story needs, by what happens to them: ids in the ERP. */
interface Roles {
  /** Paid through the service; the ERP has booked the receipts. */
  readonly settled: readonly string[];
  /** Half paid through the service; the ERP has booked that. */
  readonly halfSettled: string;
  /** Paid through the service; the ERP does not show it (yet). */
  readonly paid: readonly string[];
  /** Open, with a payment link that nobody has paid. */
  readonly linked: readonly string[];
  /** Open, waiting for somebody to arrange their payment. */
  readonly waiting: readonly string[];
  /** Deleted in the ERP. */
  readonly deleted: readonly string[];
}

/** A site's book over time. */
export interface SiteBook {
  readonly roles: Roles;
  /** The data of the ERP that many days before the demo's first day. */
  ledgerAt(daysAgo: number): Ledger;
}

const Installments = z.object({ items: z.array(z.record(z.string(), z.unknown())) });
const ZERO = JSON.rawJSON("0");

/** The book of a site arranged around `today`; the same for the same day. `chargeable` are the workspace's currencies. */
export function siteBook(site: DemoSite, today: string, chargeable: readonly string[]): SiteBook {
  const { customers } = site;
  const names = customers === null ? {} : { customerNames: customers.map(({ name }) => name), trickyCustomers: false };
  const made = generateBook({ ...site.book, ...names, today });
  const book = customers === null ? peculiarBook(made) : companyBook(made, customers);
  const roles = assignRoles(book, addDays(today, -30), chargeable);
  return {
    roles,
    ledgerAt(daysAgo) {
      const day = addDays(today, -daysAgo);
      const known = daysAgo === 0 ? book.invoices : book.invoices.filter((item) => String(item.TransactionDate) <= day);
      const ledger = { invoices: known, accounts: book.accounts };
      return daysAgo > CHANGED_DAYS_AGO ? ledger : changed(ledger, book, roles);
    },
  };
}

/** One customer of this number has no billing email. */
const ONE_WITHOUT_EMAIL = 12;

/** The book of a company: only ordinary invoices, of customers with contacts and email addresses. */
function companyBook(book: Book, customers: readonly DemoCustomer[]): Book {
  const peculiar = new Set(book.specimens.values());
  const invoices = book.invoices.filter((item) => !peculiar.has(idOf(item)));
  const billed = new Map(invoices.map((item) => [item.BillToCustomerName, item]));
  const accounts = customers.flatMap(({ name, contact, domain }, index) => {
    const { BillToPartyId: PartyId, BillToCustomerNumber: PartyNumber } = billed.get(name) ?? {};
    const email = index % ONE_WITHOUT_EMAIL === ONE_WITHOUT_EMAIL - 1 ? null : `accounts@${domain}.example`;
    const who = { PartyId, PartyNumber, OrganizationName: name };
    return PartyId === undefined ? [] : [{ ...who, PrimaryContactName: contact, PrimaryContactEmail: email }];
  });
  return { invoices, accounts, specimens: new Map() };
}

/**
 * A book with the peculiar invoices spread over customers and amounts, and without the one that no company could owe.
 */
function peculiarBook(book: Book): Book {
  const kindOf = new Map([...book.specimens].map(([kind, id]) => [id, kind]));
  const ordinary = book.invoices.filter((item) => !kindOf.has(idOf(item)));
  const reachable = reachableParties(book);
  const customers = ordinary.filter((item) => reachable.has(item.BillToPartyId));
  const specimens = book.invoices.flatMap((item, index) => {
    const kind = kindOf.get(idOf(item));
    if (kind === undefined || kind === "huge") return [];
    const scaled = times(item, 1 + ((index * 5) % 9));
    return KEEP_CUSTOMER.has(kind) ? [scaled] : [billedAs(scaled, customers[index % 9] ?? item)];
  });
  return { ...book, invoices: [...specimens, ...ordinary] };
}

function reachableParties({ accounts }: Book): ReadonlySet<unknown> {
  return new Set(accounts.filter((one) => String(one.PrimaryContactEmail).includes("@")).map((one) => one.PartyId));
}

/** Kinds whose customer is what is peculiar about them, or part of the story. */
const KEEP_CUSTOMER: ReadonlySet<string> = new Set(["withoutCustomer", "withoutEmail", "veryOld"]);

function billedAs(item: FusionItem, other: FusionItem): FusionItem {
  const { BillToCustomerName, BillToCustomerNumber, BillToPartyId } = other;
  return { ...item, BillToCustomerName, BillToCustomerNumber, BillToPartyId };
}

/** An invoice with all amounts multiplied. */
function times(item: FusionItem, factor: number): FusionItem {
  const amounts = (given: FusionItem, names: readonly string[]): FusionItem => {
    const known = names.filter((name) => given[name] !== null && given[name] !== undefined);
    const grown = known.map((name) => [name, JSON.rawJSON(money(digitsOf(given[name])).times(factor).toFixed())]);
    return { ...given, ...Object.fromEntries(grown) };
  };
  const parts = installmentsOf(item).map((part) => amounts(part, INSTALLMENT_AMOUNTS));
  return withInstallments(amounts(item, INVOICE_AMOUNTS), parts);
}

const INVOICE_AMOUNTS = ["EnteredAmount", "InvoiceBalanceAmount"];
const INSTALLMENT_AMOUNTS = [
  "OriginalAmount",
  "InstallmentBalanceDue",
  "AccountedBalanceDue",
  "AmountPaid",
  "DisputeAmount",
];

/** Takes ordinary invoices that were all there at the first pull, can be collected, and differ in nothing else. */
function assignRoles(book: Book, until: string, chargeable: readonly string[]): Roles {
  const peculiar = new Set(book.specimens.values());
  const reachable = reachableParties(book);
  const candidates = book.invoices.filter((item) => {
    const [part, ...more] = installmentsOf(item);
    return (
      !peculiar.has(idOf(item)) &&
      item.InvoiceStatus === "Complete" &&
      String(item.TransactionDate) <= until &&
      chargeable.includes(String(item.InvoiceCurrencyCode)) &&
      reachable.has(item.BillToPartyId) &&
      part !== undefined &&
      more.length === 0 &&
      part.InstallmentClosedDate === null &&
      part.DisputeAmount === null &&
      part.ExcludeFromCollections === null &&
      part.AmountPaid === null
    );
  });
  const [arranged, others] = customersApart(candidates, 7);
  const [gone = "", ...waiting] = arranged.slice(0, 7);
  const take = (count: number): string[] => others.splice(0, count);
  const [halfSettled = ""] = take(1);
  const roles = { halfSettled, settled: take(3), paid: take(6), linked: take(7) };
  return { ...roles, waiting, deleted: [gone, ...take(4)] };
}

/** Ids of the invoices of the fewest customers that have `count` of them, and the ids of all others. */
function customersApart(items: readonly FusionItem[], atLeast: number): [string[], string[]] {
  const byCustomer = Map.groupBy(items, (item) => item.BillToPartyId);
  const some: FusionItem[] = [];
  const others: FusionItem[] = [];
  for (const theirs of [...byCustomer.values()].sort((one, other) => other.length - one.length))
    (some.length < atLeast ? some : others).push(...theirs);
  return [some.map(idOf), others.map(idOf)];
}

/**
 * What users of the ERP did: receipts were booked and invoices deleted. In a peculiar book a schedule was cut by its last
 * installment, and the first customer's bills go to someone else.
 */
function changed({ invoices, accounts }: Ledger, book: Book, roles: Roles): Ledger {
  const cut = book.specimens.get("threeInstallments");
  const change = (item: FusionItem): FusionItem => {
    const id = idOf(item);
    if (roles.settled.includes(id)) return settle(item);
    if (id === roles.halfSettled) return halve(item);
    if (id === cut) return withInstallments(item, installmentsOf(item).slice(0, -1));
    return item;
  };
  const known = invoices.filter((item) => !roles.deleted.includes(idOf(item))).map(change);
  const [first, ...others] = accounts;
  if (first === undefined || cut === undefined) return { invoices: known, accounts };
  const moved = {
    ...first,
    PrimaryContactName: "Priya Natarajan",
    PrimaryContactEmail: "invoices@shared-services.example",
  };
  return { invoices: known, accounts: [moved, ...others] };
}

function settle(item: FusionItem): FusionItem {
  const parts = installmentsOf(item).map((part) => ({
    ...part,
    InstallmentBalanceDue: ZERO,
    AccountedBalanceDue: ZERO,
  }));
  return { ...withInstallments(item, parts), InvoiceBalanceAmount: ZERO };
}

function halve(item: FusionItem): FusionItem {
  const parts = installmentsOf(item).map((part) => {
    const original = digitsOf(part.OriginalAmount);
    const rest = JSON.rawJSON(money(original).minus(halfOf(original)).toFixed());
    return { ...part, InstallmentBalanceDue: rest, AccountedBalanceDue: rest };
  });
  return { ...withInstallments(item, parts), InvoiceBalanceAmount: parts[0]?.InstallmentBalanceDue ?? ZERO };
}

/** About half of an amount, in whole units of any currency. */
export function halfOf(amount: string): string {
  return money(amount).div(2).floor().toFixed();
}

const digitsOf = (value: unknown): string => JSON.stringify(value);
const idOf = (item: FusionItem): string => String(item.CustomerTransactionId);

function installmentsOf(item: FusionItem): Record<string, unknown>[] {
  return Installments.parse(item.receivablesInvoiceInstallments).items;
}

function withInstallments(item: FusionItem, items: readonly FusionItem[]): FusionItem {
  return { ...item, receivablesInvoiceInstallments: { items } };
}
