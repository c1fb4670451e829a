import { getInvoice } from "../src/core/invoices/operations/get-invoice.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "get_invoice",
  title: "Get invoice",
  description:
    "One invoice with its installments: what each still owes, and why one cannot be collected: " +
    "`retired`, the ERP no longer has the invoice; `removed`, nor this installment; `closed`, `excluded`, `disputed` are its marks there (no chargeback). " +
    "`available_amount` counts while `collectible`. By number: list_invoices with include=installments.",
  operation: getInvoice,
});
