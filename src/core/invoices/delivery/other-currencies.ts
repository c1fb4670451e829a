import type { ErpInvoice, UnreadableInvoice } from "../../../gateways/erp/gateway.ts";
import type { Transaction } from "../../../store/store.ts";
import { minorDigits } from "../../kernel/currencies.ts";
import { currenciesOf } from "./deliver-queries.ts";
import { currencyOf } from "./delivered-invoice.ts";

/** Currencies of a workspace that ISO 4217 does not have. Every report has a part for each. */
const MOST_OTHERS = 100;

const isOther = (code: string | null): code is string => code !== null && minorDigits(code) === undefined;

/** Parts what was read: an invoice in one more currency that ISO 4217 does not have is set aside, if the workspace has a hundred such. */
export async function withinCurrencies<
  Page extends { invoices: readonly ErpInvoice[]; unreadable: readonly UnreadableInvoice[] },
>(tx: Transaction, tenantId: string, page: Page) {
  const arriving = new Set(page.invoices.map(({ currency }) => currencyOf(currency)).filter(isOther));
  if (arriving.size === 0) return page;
  const kept = new Set((await currenciesOf(tx, tenantId)).filter(isOther));
  const further = [...arriving.difference(kept)].sort().slice(Math.max(0, MOST_OTHERS - kept.size));
  const isBeyond = ({ currency }: ErpInvoice) => further.includes(currencyOf(currency) ?? "");
  const beyond = page.invoices.filter(isBeyond).map(({ erpInvoiceId, invoiceNumber, currency }) => {
    const fault = { field: "currency", value: currencyOf(currency), problem: "not_a_currency" } as const;
    return { erpInvoiceId, invoiceNumber, ...fault };
  });
  return {
    ...page,
    invoices: page.invoices.filter((invoice) => !isBeyond(invoice)),
    unreadable: [...page.unreadable, ...beyond],
  };
}
