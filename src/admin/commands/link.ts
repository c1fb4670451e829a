import { resendPaymentLinkEmail } from "../../core/payment-links/operations/resend-payment-link-email.ts";
import { type Command, command } from "../command.ts";

export const linkCommands: readonly Command[] = [
  command("link resend", resendPaymentLinkEmail, {
    options: { payment_link_id: ["--link ID", "the payment link's id"] },
  }),
];
