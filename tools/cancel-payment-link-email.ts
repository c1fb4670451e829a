import { cancelPaymentLinkEmail } from "../src/core/payment-links/operations/emails.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "cancel_payment_link_email",
  title: "Cancel payment-link email",
  description:
    "Cancels a payment link's scheduled email for good; the link stays payable. " +
    "One that was sent or failed: conflict.",
  operation: cancelPaymentLinkEmail,
});
