import { createPaymentLinks } from "../src/core/payment-links/operations/create-payment-links.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "create_payment_links",
  title: "Create payment links",
  description:
    "Makes 1 to 12 payment links for installments, all or none; an error's `details` name the link. " +
    "Leave `amount_minor` out to ask for all of an installment's `available_amount`. " +
    "Nothing is sent: hand the `url` on. At most 60 an hour. " +
    "Use a new `idempotency_key` for each new request, and reuse the same key when you retry.",
  operation: createPaymentLinks,
});
