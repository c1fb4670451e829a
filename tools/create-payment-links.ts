import { createPaymentLinks } from "../src/core/payment-links/operations/create-links.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "create_payment_links",
  title: "Create payment links",
  description:
    "Makes 1 to 12 payment links for installments, all or none, at most 60 an hour. " +
    "Without `amount_minor` a link asks for all of `available_amount`. " +
    "Nothing is sent: hand the `url` on.",
  operation: createPaymentLinks,
  view: "confirm",
});
