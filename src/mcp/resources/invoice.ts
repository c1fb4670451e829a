import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { suggestInvoices } from "../suggestions.ts";
import type { ResourceTemplate } from "./resource.ts";

export const INVOICE: ResourceTemplate = {
  uriTemplate: "receivables://invoices/{invoice_id}",
  name: "invoice",
  title: "Invoice",
  description: "One invoice with its installments, as get_invoice answers it.",
  mimeType: "application/json",
  variables: { invoice_id: suggestInvoices },
  read: ({ invoice_id = "" }, call) => call(getInvoice, { invoice_id }),
};
