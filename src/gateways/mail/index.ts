import type { Mailer } from "./mailer.ts";
import { outboxMailer } from "./outbox.ts";
import { smtpMailer } from "./smtp.ts";

/** Where mail goes out: `SMTP_URL`, or without one the folder `DATA_DIR/outbox`. */
export interface MailSettings {
  readonly smtpUrl: string | null;
  readonly outboxFolder: string;
}

/** The mailer of the settings. Nothing is sent yet; throws RangeError for an SMTP URL that cannot be used. */
export function connectMailer({ smtpUrl, outboxFolder }: MailSettings): Mailer {
  return smtpUrl === null ? outboxMailer(outboxFolder) : smtpMailer(smtpUrl);
}
