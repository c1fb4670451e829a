import { deactivatePaymentLink } from "../src/core/payment-links/deactivate-payment-link.ts";
import { ENDS_OUTSIDE } from "./annotations.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "deactivate_payment_link",
  title: "Withdraw payment link",
  description:
    "Withdraws a payment link for good and cancels its scheduled email; what it asked for is available again. " +
    "One that was paid answers conflict. " +
    "A checkout opened before may still be paid.",
  annotations: ENDS_OUTSIDE,
  operation: deactivatePaymentLink,
});
