import { z } from "zod";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { resendPaymentLinkEmail } from "../../core/payment-links/operations/resend-payment-link-email.ts";
import { type Command, option, workspaceCommand } from "../command.ts";

export const linkCommands: readonly Command[] = [
  workspaceCommand("link resend", {
    summary: "schedule the failed email of a payment link for the next sending time",
    input: z.strictObject({ link: option(Uuid, "ID", "the payment link's id") }),
    run: ({ operate }, { link }) => operate(resendPaymentLinkEmail, { payment_link_id: link }),
  }),
];
