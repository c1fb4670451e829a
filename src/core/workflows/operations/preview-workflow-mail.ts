import { z } from "zod";
import { ADMINS_READ, operation } from "../../gate/operation.ts";
import { businessDate } from "../../kernel/calendar.ts";
import { notFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { SAMPLE_URL } from "../../mail/mail-samples.ts";
import { selectMailSettings } from "../../mail/settings-queries.ts";
import { ShownMail, shownMail } from "../../mail/shown-mail.ts";
import { MOST_LINKS } from "../../payment-links/emails/claim-message-queries.ts";
import { composeLinkMessage } from "../../payment-links/emails/link-messages.ts";
import { messageGiven } from "../plan-enabling.ts";
import { Enable } from "../settings.ts";
import { debtsToShow } from "../settings-queries.ts";

/**
 * A message of a plan, by an installment that it asks for, as the customer would get it; the addresses of its links are not
 * known yet. Throws `validation_failed`, `not_found`.
 */
export const previewWorkflowMail = operation({
  id: "previewWorkflowMail",
  summary: "Preview a mail that a workflow would send",
  ...ADMINS_READ,
  input: z.strictObject({ ...Enable.shape, installmentId: Uuid }),
  output: ShownMail.extend({ to: z.string(), customer: z.string().nullable(), send_at: z.string() }),
  async run({ tx, core, actor: { tenantId } }, given) {
    const message = await messageGiven(tx, core, tenantId, given);
    const settings = await selectMailSettings(tx, tenantId);
    if (message === undefined || settings === undefined) throw notFound("message");
    const { customer, email: to, sendAt: send_at } = message;
    const links = await debtsToShow(tx, tenantId, message.links.slice(0, MOST_LINKS));
    const today = businessDate(new Date(send_at), settings.timezone);
    const mail = composeLinkMessage(
      settings,
      links.map((link) => ({ ...link, url: SAMPLE_URL })),
      today,
    );
    return { ...shownMail(settings, mail), to, customer, send_at };
  },
});
