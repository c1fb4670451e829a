import { searchColumns } from "../../../src/core/kernel/text.ts";
import type { Store } from "../../../src/store/store.ts";
import type { ErpConnectionRow } from "../../../src/store/tables/erp.ts";
import type { CustomerRow, InstallmentRow, InvoiceRow } from "../../../src/store/tables/invoices.ts";
import { connectionRow } from "../../support/book.ts";
import { setRows } from "../../support/stored.ts";

/** A workspace as plain arrays: what the reports are computed from a second time, naively and by other means. */
export interface ModelBook {
  timezone: string;
  now: string;
  /** The one of its two ERPs that was read to its end. */
  read: ErpConnectionRow;
  customers: CustomerRow[];
  invoices: InvoiceRow[];
  installments: InstallmentRow[];
}

/** An ERP beside a book's own, which was never read to its end. */
export async function onlyReadErp(store: Store, tenantId: string): Promise<ErpConnectionRow> {
  const never = { last_successful_sync_at: null };
  await setRows(store, tenantId, "erp_connections", never);
  return connectionRow(tenantId, {
    name: "Second",
    created_at: "2026-03-02T09:00:00.000Z",
    last_successful_sync_at: "2026-03-09T06:00:00.000Z",
  });
}

export function businessDay({ now, timezone }: Pick<ModelBook, "now" | "timezone">): string {
  // Swedish dates are ISO dates.
  return new Date(now).toLocaleDateString("sv-SE", { timeZone: timezone });
}

/** Gives customers the numbers and names that their invoices carry (completions §13). */
export function setNames({ customers, invoices }: Pick<ModelBook, "customers" | "invoices">): void {
  for (const customer of customers) {
    const own = invoices.filter((invoice) => invoice.customer_id === customer.customer_id);
    const numbers = [...new Set(own.flatMap((invoice) => invoice.customer_number ?? []))];
    const lines = numbers.length === 0 ? null : numbers.join("\n");
    Object.assign(customer, {
      numbers: lines,
      ...searchColumns(customer.name, ...numbers, ...own.map((one) => one.customer_name)),
    });
  }
}

/** An amount with `scale` digits after the point. */
export function decimal(digits: number, scale: number): string {
  const text = String(Math.abs(digits)).padStart(scale + 1, "0");
  const whole = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
  return digits < 0 ? `-${whole}` : whole;
}

/** The same amount, written with a digit more. */
export function rescaled(amount: string): string {
  return amount.includes(".") ? `${amount}0` : `${amount}.00`;
}
