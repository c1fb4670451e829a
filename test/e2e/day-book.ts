import { readableMinor } from "../../src/core/mail/readable.ts";
import { toItem } from "../../src/simulators/fusion/book-invoice.ts";
import type { FusionSimulatorOptions } from "../../src/simulators/fusion/index.ts";

/** The day on which everything happens, by the workspace's clocks. */
export const TODAY = "2026-03-10";

const CUSTOMERS = [
  { partyId: 300100500000000001n, number: "1001", name: "Meridian Supplies", email: "ap@meridian.example" },
  { partyId: 300100500000000002n, number: "1002", name: "Alder Logistics", email: null },
  { partyId: 300100500000000003n, number: "1003", name: "Harbor Foods", email: "finance@harbor.example" },
  { partyId: 300100500000000004n, number: "1004", name: "Nordlicht Optik", email: "kasse@nordlicht.example" },
] as const;

interface Debt {
  readonly customer: (typeof CUSTOMERS)[number]["name"];
  readonly invoice: string;
  readonly currency: "USD" | "EUR";
  readonly due: string;
  readonly minor: bigint;
}

/** Every installment of the ERP's book. */
export const BOOK: readonly Debt[] = [
  { customer: "Meridian Supplies", invoice: "MS-101", currency: "USD", due: "2026-02-18", minor: 125_050n },
  { customer: "Meridian Supplies", invoice: "MS-102", currency: "USD", due: "2026-03-13", minor: 30_000n },
  { customer: "Meridian Supplies", invoice: "MS-102", currency: "USD", due: "2026-04-05", minor: 70_000n },
  { customer: "Alder Logistics", invoice: "AL-201", currency: "USD", due: "2026-03-05", minor: 84_000n },
  { customer: "Harbor Foods", invoice: "HF-301", currency: "USD", due: "2026-02-01", minor: 1_240_000n },
  { customer: "Nordlicht Optik", invoice: "NO-401", currency: "EUR", due: "2026-03-01", minor: 50_000n },
];

/** What is owed of some of it, as a page shows it. */
export function owed(currency: Debt["currency"], which: (debt: Debt) => boolean = () => true): string {
  const debts = BOOK.filter((debt) => debt.currency === currency && which(debt));
  return readableMinor(
    debts.reduce((sum, { minor }) => sum + minor, 0n),
    currency,
  );
}

const byInvoice = [...Map.groupBy(BOOK, ({ invoice }) => invoice)];

/** An ERP with that book, which asks for a password. */
export const ERP = {
  credentials: { username: "ar.service", password: "the ERP's own password" },
  invoices: byInvoice.map(([number, debts], index) => {
    const [{ currency, customer: name } = {}] = debts;
    return toItem(
      {
        id: 300100180000000000n + BigInt(index + 1) * 100n,
        number,
        currency: currency ?? null,
        customer: CUSTOMERS.find((one) => one.name === name) ?? null,
        date: "2026-01-15",
        terms: "30 Net",
        installments: debts.map(({ due: dueDate, minor }) => ({ dueDate, amountMinor: minor, balanceMinor: minor })),
      },
      "Vision Operations",
    );
  }),
  accounts: CUSTOMERS.map(({ partyId, number, name, email }) => ({
    PartyId: partyId,
    PartyNumber: number,
    OrganizationName: name,
    PrimaryContactName: "Jo Doe",
    PrimaryContactEmail: email,
  })),
  receiptMethods: ["Payment Link"],
} satisfies FusionSimulatorOptions;
