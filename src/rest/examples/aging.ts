import type { z } from "zod";
import type { AgingSummary, CustomerAgingRow, InstallmentAgingRow } from "../../core/aging/schema.ts";
import { EXAMPLE_CUSTOMER, HALF_PAID, NOT_DUE, NOT_DUE_INSTALLMENT, SECOND_HALF } from "./book.ts";

type Totals = z.input<typeof AgingSummary>["totals"][number];

const AS_OF = { as_of: "2026-03-31T06:00:12.000Z" };
const NOTHING = {
  ...AS_OF,
  ...{ current: "0.00", days_1_30: "0.00", days_31_60: "0.00", days_61_90: "0.00", over_90: "0.00" },
};
const EUR: Totals = { currency: "EUR", outstanding: "1250.00", overdue: "1250.00", ...NOTHING, days_1_30: "1250.00" };
const USD: Totals = { currency: "USD", outstanding: "480.00", overdue: "0.00", ...NOTHING, current: "480.00" };

export const AGING: z.input<typeof AgingSummary> = {
  report_date: "2026-03-31",
  timezone: "Europe/Berlin",
  generated_at: "2026-03-31T08:30:00.000Z",
  balance_basis: "finero_reconciled_current",
  revision: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
  currencies: ["EUR", "USD"],
  data_updated_at: "2026-03-30T06:00:08.000Z",
  totals: [EUR, USD],
};

const OF_CUSTOMER = {
  customer_key: EXAMPLE_CUSTOMER.id ?? "",
  customer_id: EXAMPLE_CUSTOMER.id,
  customer_name: EXAMPLE_CUSTOMER.name ?? "",
  customer_number: EXAMPLE_CUSTOMER.number,
};

export const CUSTOMER_ROWS: readonly z.input<typeof CustomerAgingRow>[] = [EUR, USD].map((amounts) => ({
  ...OF_CUSTOMER,
  ...amounts,
  invoice_count: 1,
  installment_count: 1,
  max_days_overdue: amounts === EUR ? 12 : null,
}));

export const INSTALLMENT_ROWS: readonly z.input<typeof InstallmentAgingRow>[] = [
  {
    ...OF_CUSTOMER,
    invoice_id: HALF_PAID.id,
    invoice_number: "INV-20417",
    installment_id: SECOND_HALF ?? null,
    sequence_number: 2,
    invoice_installment_count: 2,
    amount: "1250.00",
    currency: "EUR",
    due_date: "2026-03-19",
    days_overdue: 12,
    bucket: "days_1_30",
    collectible: true,
    not_collectible_reason: null,
    ...AS_OF,
  },
  {
    ...OF_CUSTOMER,
    invoice_id: NOT_DUE.id,
    invoice_number: "INV-20431",
    installment_id: NOT_DUE_INSTALLMENT,
    sequence_number: 1,
    invoice_installment_count: 1,
    amount: "480.00",
    currency: "USD",
    due_date: "2026-04-07",
    days_overdue: -7,
    bucket: "current",
    collectible: true,
    not_collectible_reason: null,
    ...AS_OF,
  },
];

/** An aging report on one page. */
export function exampleAgingPage<T>(data: readonly T[]) {
  return { ...AGING, data: [...data], pagination: { total_count: data.length, limit: 50, next_cursor: null } };
}
