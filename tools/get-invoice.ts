import { getInvoice } from "../src/core/invoices/operations/get-invoice.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "get_invoice",
  title: "Get invoice",
  description: "One invoice with its installments: what each still owes, whether it is collectible, and if not, why.",
  operation: getInvoice,
});
