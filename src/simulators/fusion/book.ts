import { type BookCustomer, makeAccounts, makeCustomers, plainNames, trickyNames } from "./book-customers.ts";
import { fusionDigits, type InstallmentPlan, type InvoicePlan, toItem } from "./book-invoice.ts";
import { type SpecimenName, specimens } from "./book-specimens.ts";
import { type Random, seededRandom } from "./random.ts";
import type { FusionItem } from "./records.ts";

/** What a made-up book looks like; the same profile gives the same book. */
export interface BookProfile {
  readonly seed: number;
  /** The day the due dates are arranged around, `YYYY-MM-DD`. */
  readonly today: string;
  /** How many invoices; never fewer than there are specimens. */
  readonly invoices: number;
  readonly currencies?: readonly [string, ...string[]];
  /** Names of customers; the tricky ones of book-customers.ts come on top unless `trickyCustomers` is false. */
  readonly customerNames?: readonly string[];
  readonly trickyCustomers?: boolean;
  /** Added to every id, so that two books share none; keep them a million apart. */
  readonly idOffset?: number;
  readonly numberPrefix?: string;
  readonly businessUnit?: string;
  /** How many in a hundred installments are paid once they are due; 45 unless said. */
  readonly paidOnceDue?: number;
  /** Powers of ten by which some ten to a thousand are multiplied, the usual ones oftener. */
  readonly magnitudes?: readonly [number, ...number[]];
}

/** A made-up book, ready for the simulator. */
export interface Book {
  readonly invoices: readonly FusionItem[];
  readonly accounts: readonly FusionItem[];
  /** The CustomerTransactionId of one invoice of each peculiar kind. */
  readonly specimens: ReadonlyMap<SpecimenName, string>;
}

const FIRST_INVOICE_ID = 300_100_180_000_000_000n;
const FIRST_PARTY_ID = 300_100_500_000_000_000n;
/** Room for an invoice's installments: their ids follow the invoice's. */
const ID_STEP = 100n;
const MAGNITUDES = [1, 1, 2, 2, 2, 3] as const;
const CURRENCIES = ["USD", "EUR", "GBP", "JPY", "KWD"] as const;

/** Makes a believable book: first one specimen of everything peculiar, then ordinary invoices. */
export function generateBook(profile: BookProfile): Book {
  const random = seededRandom(profile.seed);
  const offset = BigInt(profile.idOffset ?? 0);
  const names = [...(profile.customerNames ?? plainNames), ...(profile.trickyCustomers === false ? [] : trickyNames)];
  const customers = makeCustomers(names, FIRST_PARTY_ID + offset);
  const accounts = makeAccounts(customers, random);
  const currencies = profile.currencies ?? CURRENCIES;
  const prefix = profile.numberPrefix ?? "INV-";
  const { paidOnceDue = 45, magnitudes = MAGNITUDES } = profile;
  const day = (days: number): string => shifted(profile.today, days);
  const head = (index: number) => ({
    id: FIRST_INVOICE_ID + offset + BigInt(index) * ID_STEP,
    number: `${prefix}${10001 + index}`,
    customer: customers[index % customers.length] ?? null,
    currency: currencies[index % currencies.length] ?? currencies[0],
  });

  const withEmail = customers[0] ?? null;
  const made = specimens(day, customerWithoutEmail(customers, accounts));
  const peculiar = made.map(([name, plan], index) => ({
    name,
    plan: { ...head(index), customer: withEmail, ...plan },
  }));
  const ordinary: InvoicePlan[] = [];
  for (let index = peculiar.length; index < profile.invoices; index += 1) {
    ordinary.push(ordinaryInvoice(head(index), { random, day, paidOnceDue, magnitudes }));
  }
  const businessUnit = profile.businessUnit ?? "Vision Operations";
  return {
    invoices: [...peculiar.map(({ plan }) => plan), ...ordinary].map((plan) => toItem(plan, businessUnit)),
    accounts,
    specimens: new Map(peculiar.map(({ name, plan }) => [name, String(plan.id)])),
  };
}

type Head = Pick<InvoicePlan, "id" | "number" | "customer" | "currency">;

interface Chances extends Required<Pick<BookProfile, "paidOnceDue" | "magnitudes">> {
  random: Random;
  day: (days: number) => string;
}

function ordinaryInvoice(head: Head, { random, day, paidOnceDue, magnitudes }: Chances): InvoicePlan {
  const terms = random.pick([15, 30, 30, 30, 45, 60]);
  const issued = -random.between(0, 200);
  const parts = random.chance(20) ? random.between(2, 4) : 1;
  const installments = Array.from({ length: parts }, (_, part): InstallmentPlan => {
    const due = issued + terms * (part + 1);
    const amountMinor = amount(random, head.currency, magnitudes);
    // The longer something is due, the likelier it has been settled.
    const settled = random.chance(due < 0 ? paidOnceDue : 10);
    const partly = !settled && random.chance(8);
    return {
      dueDate: day(due),
      amountMinor,
      balanceMinor: settled ? 0n : partly ? amountMinor / 2n : amountMinor,
      ...(settled ? { closedDate: day(Math.min(due + random.between(-5, 20), 0)) } : {}),
      ...(!settled && random.chance(6) ? { disputedMinor: amountMinor } : {}),
      ...(!settled && random.chance(4) ? { excluded: true } : {}),
    };
  });
  const status = random.chance(4) ? random.pick(["Incomplete", "Frozen"] as const) : "Complete";
  return {
    ...head,
    date: day(issued),
    terms: parts > 1 ? `${parts} x ${terms}` : `${terms} Net`,
    status,
    installments,
  };
}

/** From some ten to some hundred thousand, small ones oftener; never ending in nothing but zeros by rule. */
function amount(random: Random, currency: string | null, magnitudes: readonly [number, ...number[]]): bigint {
  const magnitude = 10n ** BigInt(random.pick(magnitudes));
  const whole = BigInt(random.between(11, 980)) * magnitude + BigInt(random.between(0, 9));
  const digits = fusionDigits(currency);
  return whole * 10n ** BigInt(digits) + BigInt(random.between(0, 10 ** digits - 1));
}

function customerWithoutEmail(
  customers: readonly BookCustomer[],
  accounts: readonly FusionItem[],
): BookCustomer | null {
  const reachable = new Set(
    accounts.filter((account) => account.PrimaryContactEmail !== null).map((one) => one.PartyId),
  );
  return customers.find((customer) => !reachable.has(customer.partyId)) ?? null;
}

function shifted(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}
