import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { onTestFinished } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { connectMailer } from "../../src/gateways/mail/index.ts";
import { sendMails } from "../../src/jobs/send-mails.ts";

/** Sends what is queued for people of workspaces to an outbox folder, and reads it there. */
export async function mailsIn({ core, origin }: { core: Core; origin: string }): Promise<Email[]> {
  const folder = mkdtempSync(join(tmpdir(), "receivables-outbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const mailer = connectMailer({ smtpUrl: null, outboxFolder: folder });
  await sendMails(core, { mailer, fromAddress: "no-reply@example.test", publicOrigin: origin });
  return Promise.all(readdirSync(folder).map((name) => PostalMime.parse(readFileSync(join(folder, name)))));
}
