import { listPaymentLinks } from "../src/core/payment-links/operations/list-payment-links.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_payment_links",
  title: "List payment links",
  description:
    "Payment links, newest first: `amount`, status, and their emails (`email.to`, `email.send_at`). A `failed` one (`email.error` says why) goes out again only " +
    "when the customer's billing email changes or a person schedules it on the link's page; bounces after sending are not known.",
  operation: listPaymentLinks,
  unlisted: ["updated_since"],
});
