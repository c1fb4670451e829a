import { pushHeldPayments } from "../src/core/payments/operations/push-held-payments.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "push_held_payments",
  title: "Push held receipts",
  description:
    "Queues receipts of held payments to be posted to the ERP and applied there, which cannot be taken back: all of a " +
    "`connection_id`, or `payment_ids` (then all or none). Give exactly one of the two. " +
    "list_payments tells how each went.",
  operation: pushHeldPayments,
  view: "confirm",
});
