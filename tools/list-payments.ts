import { listPayments } from "../src/core/payments/operations/list-payments.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_payments",
  title: "List payments",
  description:
    "Payments through links (`amount`, `paid_at`), and their ERP receipts: `held` waits to be pushed; `pending`, `processing` have not reached it; " +
    "`posted` is accepted there, not allocated; `applied` is both; `failed` never got there and is tried again every 15 minutes for a day " +
    "where the ERP was unreachable, else by a person on its page, as is `reversed` (undone there). " +
    "Chargebacks (`disputed`) and `refunded` lower no `totals`. Payouts, the bank and money paid otherwise are not known here.",
  operation: listPayments,
  unlisted: ["updated_since", "currency", "refunded"],
  view: "statement",
});
