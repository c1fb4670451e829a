import { outboxMailer } from "../gateways/mail/index.ts";
import { MailError, type Mailer } from "../gateways/mail/mailer.ts";
import { sendLinkEmails, sendMails } from "../jobs/send-mails.ts";
import { invoiceOf } from "./links.ts";
import type { Tell } from "./scene.ts";

const FROM = "receivables@demo.example";

/** Sends all due mail to the outbox, except the email of one invoice's link, whose mailbox refuses it. */
export function mailOut(siteKey: string): Tell {
  return async (scene) => {
    const [, refusing = ""] = scene.site(siteKey).book.roles.linked;
    const refused = (await invoiceOf(scene, refusing))?.url ?? null;
    const outbox = outboxMailer(scene.outboxFolder);
    const mailer: Mailer = {
      async send(message, options) {
        if (refused !== null && message.text.includes(refused))
          throw new MailError("permanent", "The mailbox does not exist.", { codes: "550 5.1.1" });
        return outbox.send(message, options);
      },
    };
    const office = { mailer, fromAddress: FROM, publicOrigin: scene.baseUrl };
    await sendMails(scene.core, office);
    await sendLinkEmails(scene.core, office);
  };
}
