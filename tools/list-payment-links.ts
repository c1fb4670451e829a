import { listPaymentLinks } from "../src/core/payment-links/operations/list-payment-links.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_payment_links",
  title: "List payment links",
  description: "Payment links, newest first: status, and whether their emails were sent.",
  operation: listPaymentLinks,
});
