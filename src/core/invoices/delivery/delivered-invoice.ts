import { hash } from "node:crypto";
import type { BillingContact, ErpCustomer, ErpInvoice } from "../../../gateways/erp/gateway.ts";
import type { CustomerRow } from "../../../store/tables/invoices.ts";
import { isPlainDate } from "../../kernel/calendar.ts";
import { readEmailAddress } from "../../kernel/email-address.ts";
import { cleanText } from "../../kernel/text.ts";

/** Stands for the ERP's customer id on invoices whose ERP record names no customer at all. */
export const NO_CUSTOMER = "none";

/**
 * What a customer of a connection is kept under (service.md §2.4): the ERP's id, else its account number, else one key for
 * all that names none. Never a name, which several may have.
 */
function erpCustomerKey({ erpCustomerId, number }: ErpCustomer): string {
  if (erpCustomerId !== null) return erpCustomerId;
  const account = cleanText(number);
  return account === null ? NO_CUSTOMER : `number:${account}`;
}

/** An invoice as the ERP delivered it, ready to be compared with what is stored. */
export type DeliveredInvoice = ReturnType<typeof deliveredInvoice>;

/**
 * Cleans what an ERP said of an invoice and of its customer's billing contact, so that it is safe to keep and show. The content
 * hash is equal when, and only when, all of it is.
 */
export function deliveredInvoice(
  invoice: ErpInvoice,
  contact: BillingContact | undefined,
  options: { readonly contactNames: boolean },
) {
  const content = {
    erpInvoiceId: invoice.erpInvoiceId,
    customerKey: erpCustomerKey(invoice.customer),
    columns: {
      invoice_number: cleanText(invoice.invoiceNumber),
      currency: currencyOf(invoice.currency),
      total_amount: invoice.totalAmount,
      erp_invoice_open_balance: invoice.openBalance,
      invoice_date: dateOf(invoice.invoiceDate),
      due_date: dateOf(invoice.dueDate),
      payment_terms: cleanText(invoice.paymentTerms),
      business_unit: cleanText(invoice.businessUnit),
      finalised: invoice.finalised,
      customer_number: cleanText(invoice.customer.number),
      customer_name: cleanText(invoice.customer.name),
      customer_site: cleanText(invoice.customer.site),
      contact_name: options.contactNames ? cleanText(contact?.contactName) : null,
      customer_email: cleanText(contact?.email, 320),
    },
    installments: invoice.installments.map((installment) => ({
      erp_installment_id: installment.erpInstallmentId,
      sequence_number: installment.sequenceNumber,
      due_date: dateOf(installment.dueDate),
      original_amount: installment.originalAmount,
      erp_outstanding: installment.outstanding,
      closed: installment.closed,
      disputed: installment.disputed,
      excluded: installment.excluded,
      closed_on: dateOf(installment.closedOn),
    })),
  };
  return { ...content, contentHash: hash("sha256", JSON.stringify(content), "base64url") };
}

/** A currency is exactly three letters (service.md §2.3); anything else is unknown. */
function currencyOf(text: string | null): string | null {
  const code = cleanText(text)?.toUpperCase() ?? "";
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

function dateOf(text: string | null): string | null {
  return text !== null && isPlainDate(text) ? text : null;
}

/**
 * Where a customer's bills go: the workspace's own address for them, which wins over the ERP's (completions §7). What the ERP
 * has counts only where mail can be sent there.
 */
export function billingEmail({ email_override, email }: Pick<CustomerRow, "email_override" | "email">): string | null {
  return email_override ?? readEmailAddress(email);
}
