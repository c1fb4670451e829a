import fc from "fast-check";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";
import { MailError, type MailMessage } from "../../../src/gateways/mail/mailer.ts";

/** A message that arrived, with its envelope. */
export interface Delivered {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly raw: string;
  readonly email: Email;
}

/** What an SMTP server answers with: an error with a status of its own. */
export const refusal = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });

/** A running SMTP server; it ends with the test. Resolves to its port and what it took. */
export async function smtpServer(options: SMTPServerOptions = {}): Promise<{ port: number; delivered: Delivered[] }> {
  const delivered: Delivered[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 10,
    async onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(Buffer.from(chunk));
      const raw = Buffer.concat(chunks).toString("utf8");
      const { mailFrom, rcptTo } = session.envelope;
      delivered.push({
        from: mailFrom === false ? "" : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        user: session.user === undefined ? undefined : String(session.user),
        raw,
        email: await PostalMime.parse(raw),
      });
      callback();
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { port: address.port, delivered };
}

/** A message, any of it to be overridden. */
export function message(over: Partial<MailMessage> = {}): MailMessage {
  return {
    messageId: "0190f0f0-0000-7000-8000-000000000001",
    to: "pat@customer.example",
    from: { name: "Acme, “Billing”", address: "billing@acme.example" },
    subject: "Invoice INV-1 · €1.250,50 — 支払い",
    text: "Please pay.\n.\nFrom here — thank you.\n",
    html: "<p>Please pay — thank you.</p>",
    ...over,
  };
}

/** The error of a message that has to be refused. */
export async function failure(sending: Promise<unknown>): Promise<MailError> {
  const outcome = await sending.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof MailError) return outcome;
  throw new Error(`a MailError was expected, not ${String(outcome)}`);
}

/** Text of the characters that could break out of a header, a line or a tag. */
export const nastyText = fc.string({
  unit: fc.constantFrom(..."\r\n\t\0\v\u0085\u2028\u2029\u202e\u200b<>\"'&;:,=?@()-aé€\u{1f4b0}", "\ud800"),
  maxLength: 60,
});
