import type { BookCustomer } from "./book-customers.ts";
import type { FusionItem } from "./records.ts";

/** One installment to be. Amounts are whole minor units of the invoice's currency. */
export interface InstallmentPlan {
  readonly dueDate: string | null;
  readonly amountMinor: bigint;
  readonly balanceMinor: bigint;
  readonly disputedMinor?: bigint;
  readonly excluded?: boolean;
  /** The day it was settled. */
  readonly closedDate?: string;
}

/** One invoice to be. */
export interface InvoicePlan {
  readonly id: bigint;
  readonly number: string;
  readonly customer: BookCustomer | null;
  readonly currency: string | null;
  readonly date: string;
  readonly terms: string | null;
  readonly status?: "Complete" | "Incomplete" | "Frozen";
  readonly installments: readonly InstallmentPlan[];
  /** For an invoice without installments: what it says of itself. */
  readonly own?: { readonly amountMinor: bigint; readonly balanceMinor: bigint; readonly dueDate: string | null };
  /** Units of the ledger's currency for one of the invoice's, where the two differ. */
  readonly ledgerRate?: bigint;
}

const MINOR_DIGITS: Readonly<Record<string, number>> = {
  JPY: 0,
  KRW: 0,
  CLP: 0,
  ISK: 0,
  KWD: 3,
  BHD: 3,
  JOD: 3,
  TND: 3,
  OMR: 3,
};

/** How many digits a currency has behind the point. */
export const fusionDigits = (currency: string | null): number => MINOR_DIGITS[currency ?? ""] ?? 2;

/** Minor units as the plain decimal that Fusion would show. */
function major(minor: bigint, currency: string | null): string {
  const digits = fusionDigits(currency);
  const unsigned = String(minor < 0n ? -minor : minor).padStart(digits + 1, "0");
  const whole = unsigned.slice(0, unsigned.length - digits);
  const fraction = unsigned.slice(unsigned.length - digits).replace(/0+$/, "");
  return `${minor < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** The item of `receivablesInvoices` that Fusion would send for it. */
export function toItem(plan: InvoicePlan, businessUnit: string): FusionItem {
  const { currency, installments, own } = plan;
  const money = (minor: bigint): unknown => JSON.rawJSON(major(minor, currency));
  const total = own?.amountMinor ?? sum(installments.map((part) => part.amountMinor));
  const balance = own?.balanceMinor ?? sum(installments.map((part) => part.balanceMinor));
  const rate = plan.ledgerRate ?? 1n;
  return {
    CustomerTransactionId: plan.id,
    TransactionNumber: plan.number,
    TransactionDate: plan.date,
    DueDate: own === undefined ? (installments[0]?.dueDate ?? null) : own.dueDate,
    AccountingDate: plan.date,
    InvoiceCurrencyCode: currency,
    EnteredAmount: money(total),
    InvoiceBalanceAmount: money(balance * rate),
    InvoiceStatus: plan.status ?? "Complete",
    TransactionType: total < 0n ? "Credit Memo" : "Invoice",
    TransactionSource: "Manual",
    BusinessUnit: businessUnit,
    BillToCustomerName: plan.customer?.name ?? null,
    BillToCustomerNumber: plan.customer?.number ?? null,
    BillToSite: plan.customer === null ? null : "MAIN",
    BillToPartyId: plan.customer?.partyId ?? null,
    BillToContact: null,
    PaymentTerms: plan.terms,
    PurchaseOrder: null,
    LastUpdateDate: `${plan.date}T08:00:01.123+00:00`,
    receivablesInvoiceInstallments: {
      items: installments.map((part, index) => ({
        InstallmentId: plan.id + BigInt(index + 1),
        InstallmentSequenceNumber: index + 1,
        InstallmentDueDate: part.dueDate,
        OriginalAmount: money(part.amountMinor),
        InstallmentBalanceDue: money(part.balanceMinor),
        AccountedBalanceDue: money(part.balanceMinor * rate),
        AmountPaid: part.balanceMinor === part.amountMinor ? null : money(part.amountMinor - part.balanceMinor),
        InstallmentStatus: part.closedDate === undefined ? "Open" : "Closed",
        DisputeAmount: part.disputedMinor === undefined ? null : money(part.disputedMinor),
        DisputeDate: part.disputedMinor === undefined ? null : plan.date,
        InstallmentClosedDate: part.closedDate ?? null,
        ExcludeFromCollections: part.excluded ? "Y" : null,
      })),
    },
  };
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
