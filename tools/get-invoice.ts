import { getInvoice } from "../src/core/invoices/operations/get-invoice.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "get_invoice",
  title: "Get invoice",
  description:
    "An invoice with installments: what each owes, why it cannot be collected: " +
    "`retired`, the ERP no longer has the invoice; `removed`, nor this installment; `closed`, `excluded`, `disputed` are marks there (no chargeback). " +
    "`available_amount` counts while `collectible`. By number: list_invoices, include=installments.",
  operation: getInvoice,
});
