import { getPaymentLink } from "../src/core/payment-links/operations/get-payment-link.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "get_payment_link",
  title: "Get payment link",
  description: "One payment link: its address, status and scheduled email.",
  operation: getPaymentLink,
});
