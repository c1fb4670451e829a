import { reschedulePaymentLinkEmail } from "../src/core/payment-links/operations/emails.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "reschedule_payment_link_email",
  title: "Reschedule payment-link email",
  description:
    "Moves a payment link's scheduled email to another time. " +
    "Text and recipient are the workspace's and cannot be changed. " +
    "Unless the email is `scheduled`: conflict.",
  operation: reschedulePaymentLinkEmail,
});
