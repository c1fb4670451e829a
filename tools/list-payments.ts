import { listPayments } from "../src/core/payments/operations/list-payments.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_payments",
  title: "List payments",
  description:
    "Payments through links, whose they are, and whether each receipt reached the ERP; " +
    "payouts, the bank and money paid in other ways are not known here. " +
    "`include_total` adds them up per currency.",
  operation: listPayments,
  view: "statement",
});
