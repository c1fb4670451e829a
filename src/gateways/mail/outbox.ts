import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { MailError, type Mailer } from "./mailer.ts";
import { checkedId, composed } from "./message.ts";

/**
 * Puts messages into a folder, as `<message id>.eml` that only the service's user can read. A file is there whole or not
 * at all, and the same message again replaces it.
 */
export function outboxMailer(folder: string): Mailer {
  return {
    async send(message) {
      const mail = composed(message);
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
      const { message: composedMail } = await transport.sendMail(mail);
      if (!Buffer.isBuffer(composedMail)) throw new TypeError("the message was not composed");
      const name = `${checkedId(message.messageId)}.eml`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeWhole(folder, name, composedMail);
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
        throw new MailError("temporary", "The outbox folder cannot be written to.", code);
      }
      return { messageId: mail.messageId, response: `outbox/${name}` };
    },
  };
}

async function writeWhole(folder: string, name: string, content: Buffer): Promise<void> {
  const draft = join(folder, `.${randomUUID()}.draft`);
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const directory = await open(folder, "r");
  await directory.sync().finally(() => directory.close());
}
