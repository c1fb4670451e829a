import { z } from "zod";
import { operation, PAGES_READ } from "../../gate/operation.ts";
import { businessDate } from "../../kernel/calendar.ts";
import { orNotFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { selectMailSettings } from "../../mail/settings-queries.ts";
import { plannedBeside } from "../emails/claim-message-queries.ts";
import { composeLinkMessage } from "../emails/link-messages.ts";
import { linksToMail } from "../emails/mailed-links-queries.ts";

/**
 * The mail that a link went or will go out in. Mails are not kept: it is written again, of its day. One that is planned
 * is shown without the `others` in it. Throws `not_found`.
 */
export const showLinkMail = operation({
  id: "showPaymentLinkMail",
  summary: "Show the mail of a payment link",
  ...PAGES_READ,
  input: z.strictObject({ payment_link_id: Uuid }),
  output: z.strictObject({
    subject: z.string(),
    text: z.string(),
    others: z.number(),
    /** Of a cancelled one: what it waits for; null for nothing. */
    cancelled_until: z.enum(["workflow_on", "mailable"]).nullable(),
  }),
  async run({ tx, actor: { tenantId } }, { payment_link_id: linkId }) {
    const [link] = await linksToMail(tx, tenantId, { "email.payment_link_id": linkId });
    const own = orNotFound(link, "mail");
    const settings = orNotFound(await selectMailSettings(tx, tenantId), "workspace");
    const { message_id: message } = own;
    const links = message === null ? [own] : await linksToMail(tx, tenantId, { "email.message_id": message });
    const today = businessDate(new Date(own.sent_at ?? own.send_at), settings.timezone);
    const { subject, text } = composeLinkMessage(settings, links, today);
    const others = own.status === "scheduled" ? await plannedBeside(tx, own) : 0;
    return { subject, text, others, cancelled_until: own.cancelled_until };
  },
});
