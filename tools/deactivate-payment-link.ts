import { deactivatePaymentLink } from "../src/core/payment-links/operations/deactivate-payment-link.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "deactivate_payment_link",
  title: "Withdraw payment link",
  description:
    "Withdraws a payment link for good, with its scheduled email; what it asked for is available again. " +
    "Auto Generate makes none in its place until the amount changes or somebody makes one, also after its invoice's task is dismissed. " +
    "One that was paid: conflict.",
  operation: deactivatePaymentLink,
  view: "confirm",
});
