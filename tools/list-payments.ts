import { listPayments } from "../src/core/payments/operations/list-payments.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_payments",
  title: "List payments",
  description:
    "Payments through links, and their ERP receipts: `held` waits to be pushed; `pending`, `processing` not there yet; " +
    "`posted` is accepted there, not allocated; `applied` is both; `failed` never got there and is tried again for a day " +
    "where the ERP was unreachable, else by a person on its page, like `reversed` (undone there). " +
    "Chargebacks (`disputed`) and `refunded` lower no `totals`. Payouts, banks and money paid otherwise are unknown here.",
  operation: listPayments,
  unlisted: ["updated_since", "currency"],
  view: "statement",
});
