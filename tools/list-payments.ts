import { listPayments } from "../src/core/payments/operations/list-payments.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_payments",
  title: "List payments",
  description:
    "Payments through links, and their receipts in the ERP: `held` waits to be pushed; `pending`, `processing` have not reached it; " +
    "`posted` is accepted there, not allocated; `applied` is both; `failed` never got there and is tried again every 15 minutes for a day " +
    "where the ERP was unreachable, else waits for a person, as does `reversed` (undone there). " +
    "`disputed` is a chargeback; it and `refunded` are not in `totals`. Payouts, the bank and money paid in other ways are not known here.",
  operation: listPayments,
  view: "statement",
});
