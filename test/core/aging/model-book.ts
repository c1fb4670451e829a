import type { CustomerRow, InstallmentRow, InvoiceRow } from "../../../src/store/tables/invoices.ts";

/** A workspace as plain arrays: what the reports are computed from a second time, naively and by other means. */
export interface ModelBook {
  timezone: string;
  now: string;
  customers: CustomerRow[];
  invoices: InvoiceRow[];
  installments: InstallmentRow[];
}

export function businessDay({ now, timezone }: Pick<ModelBook, "now" | "timezone">): string {
  // Swedish dates are ISO dates.
  return new Date(now).toLocaleDateString("sv-SE", { timeZone: timezone });
}
