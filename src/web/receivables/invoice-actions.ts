import type { z } from "zod";
import type { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { money, ZERO } from "../../core/kernel/money.ts";

type Invoice = z.output<typeof getInvoice.output>;
type Installment = Invoice["installments"][number];

/** Whether people can change an invoice: one made in the service that is not void. */
export function isEditable({ origin, voided_at: voidedAt }: Pick<Invoice, "origin" | "voided_at">): boolean {
  return origin === "local" && voidedAt === null;
}

/** Installments of an invoice that a link can be made for now. */
export function linkable({ installments }: Invoice): Installment[] {
  return installments.filter((one) => one.collectible && money(one.available_amount).greaterThan(ZERO));
}
