import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { onTestFinished } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { connectMailer } from "../../src/gateways/mail/index.ts";
import type { Mailer, MailMessage } from "../../src/gateways/mail/mailer.ts";
import { sendMails } from "../../src/jobs/send-mails.ts";

/** A mailer whose mails are files in a folder, until the test ends. */
export function outbox() {
  const folder = mkdtempSync(join(tmpdir(), "receivables-outbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const names = () => readdirSync(folder);
  const mails = (): Promise<Email[]> =>
    Promise.all(names().map((name) => PostalMime.parse(readFileSync(join(folder, name)))));
  return { mailer: connectMailer({ smtpUrl: null, outboxFolder: folder }), folder, names, mails };
}

/** A mailer that keeps what it is given, and says that it went. */
export function keepingMails() {
  const sent: MailMessage[] = [];
  const mailer: Mailer = {
    async send(message) {
      sent.push(message);
      return { messageId: message.messageId, response: "ok" };
    },
  };
  return { sent, mailer };
}

/** Sends what is queued for people of workspaces to an outbox folder, and reads it there. */
export async function mailsIn({ core, origin }: { core: Core; origin: string }): Promise<Email[]> {
  const { mailer, mails } = outbox();
  await sendMails(core, { mailer, fromAddress: "no-reply@example.test", publicOrigin: origin });
  return mails();
}
