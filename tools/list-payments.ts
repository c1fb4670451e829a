import { listPayments } from "../src/core/payments/operations/list-payments.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_payments",
  title: "List payments",
  description:
    "Payments confirmed through payment links, newest first, with the write-back of their receipts to the ERP. " +
    "What was collected lately: confirmed_since.",
  operation: listPayments,
});
