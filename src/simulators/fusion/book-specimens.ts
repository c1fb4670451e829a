import type { BookCustomer } from "./book-customers.ts";
import type { InstallmentPlan, InvoicePlan } from "./book-invoice.ts";

const names = [
  "open",
  "dueToday",
  "overdue1",
  "overdue30",
  "overdue31",
  "overdue60",
  "overdue61",
  "overdue90",
  "overdue91",
  "twoInstallments",
  "threeInstallments",
  "fourInstallments",
  "manyInstallments",
  "partlyPaid",
  "settled",
  "settledWithBalance",
  "zeroBalance",
  "credit",
  "disputed",
  "partlyDisputed",
  "excluded",
  "incomplete",
  "frozen",
  "withoutInstallments",
  "withoutDueDates",
  "withoutCurrency",
  "withoutCustomer",
  "withoutEmail",
  "ledgerInOtherCurrency",
  "veryOld",
  "future",
  "huge",
] as const;

/** The peculiar kinds of invoices, each once in every book. */
export type SpecimenName = (typeof names)[number];

type Specimen = Omit<InvoicePlan, "id" | "number" | "customer" | "currency"> &
  Partial<Pick<InvoicePlan, "customer" | "currency">>;

const AMOUNT = 125_050n;

/** One invoice of each peculiar kind. `day` names a day by its distance from today. */
export function specimens(
  day: (days: number) => string,
  customerWithoutEmail: BookCustomer | null,
): (readonly [SpecimenName, Specimen])[] {
  const part = (due: number, over: Partial<InstallmentPlan> = {}): InstallmentPlan => ({
    dueDate: day(due),
    amountMinor: AMOUNT,
    balanceMinor: AMOUNT,
    ...over,
  });
  const invoice = (installments: readonly InstallmentPlan[], over: Partial<Specimen> = {}): Specimen => ({
    date: day(-120),
    terms: "30 Net",
    installments,
    ...over,
  });
  const split = (count: number, first: number): Specimen =>
    invoice(
      Array.from({ length: count }, (_, index) => part(first + 30 * index)),
      { terms: `${count} x 30` },
    );
  const made: Record<SpecimenName, Specimen> = {
    open: invoice([part(14)], { date: day(-16) }),
    dueToday: invoice([part(0)]),
    overdue1: invoice([part(-1)]),
    overdue30: invoice([part(-30)]),
    overdue31: invoice([part(-31)]),
    overdue60: invoice([part(-60)]),
    overdue61: invoice([part(-61)]),
    overdue90: invoice([part(-90)]),
    overdue91: invoice([part(-91)]),
    twoInstallments: split(2, -20),
    threeInstallments: split(3, -45),
    fourInstallments: split(4, -95),
    manyInstallments: split(30, -400),
    partlyPaid: invoice([part(-12, { balanceMinor: AMOUNT / 2n })]),
    settled: invoice([part(-40, { balanceMinor: 0n, closedDate: day(-38) })]),
    settledWithBalance: invoice([part(-40, { closedDate: day(-38) })]),
    zeroBalance: invoice([part(-5, { balanceMinor: 0n })]),
    credit: invoice([part(-15, { amountMinor: -AMOUNT, balanceMinor: -AMOUNT })]),
    disputed: invoice([part(-25, { disputedMinor: AMOUNT })]),
    partlyDisputed: invoice([part(-25, { disputedMinor: 1_000n }), part(5)]),
    excluded: invoice([part(-35, { excluded: true })]),
    incomplete: invoice([part(-10)], { status: "Incomplete" }),
    frozen: invoice([part(-75)], { status: "Frozen" }),
    withoutInstallments: invoice([], { own: { amountMinor: AMOUNT, balanceMinor: AMOUNT, dueDate: day(-33) } }),
    withoutDueDates: invoice([part(0, { dueDate: null })], { terms: null }),
    withoutCurrency: invoice([part(-8)], { currency: null }),
    withoutCustomer: invoice([part(-8)], { customer: null }),
    withoutEmail: invoice([part(-18)], { customer: customerWithoutEmail }),
    ledgerInOtherCurrency: invoice([part(-22)], { ledgerRate: 3n }),
    veryOld: invoice([part(-9_500)], { date: day(-9_530) }),
    future: invoice([part(75)], { date: day(45) }),
    huge: invoice([part(-3, { amountMinor: 99_999_999_999_999n, balanceMinor: 99_999_999_999_999n })]),
  };
  return names.map((name) => [name, made[name]] as const);
}
