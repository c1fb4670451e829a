import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { certificateProblem } from "../../certificate-problem.ts";
import { LOOPBACK } from "../../settings.ts";
import { quotable } from "../outside-error.ts";
import { checkedId, composed, MailError, type Mailer } from "./mailer.ts";

/** Puts messages into a folder as `<message id>.eml`, whole or not at all; the same message again replaces it. */
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
        throw new MailError("temporary", "The outbox folder cannot be written to.", { detail: code });
      }
      return { messageId: mail.messageId, response: `outbox/${name}` };
    },
    async deleteOld(before) {
      const names = existsSync(folder) ? await readdir(folder) : [];
      for (const path of names.filter((name) => name.endsWith(".eml")).map((name) => join(folder, name)))
        if ((await stat(path)).mtime < new Date(before)) await rm(path, { force: true });
    },
  };
}

async function writeWhole(folder: string, name: string, content: Buffer) {
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

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
/** For one message, from the look-up of the server's name to its last answer: one that drips is not silent. */
const TOTAL_MS = 300_000;

/** How long the server may take; less in tests. */
interface SmtpTimeouts {
  readonly connectMs?: number;
  readonly silenceMs?: number;
  readonly totalMs?: number;
}

/** `smtp://` (STARTTLS, demanded for passwords that leave this machine) or `smtps://`; RangeError for anything else. */
export function smtpSettings(smtpUrl: string) {
  const url = URL.parse(smtpUrl);
  const beyond = url === null || !["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "";
  if (beyond || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "")
    throw new RangeError("must be an address such as smtp://user:password@mail.example.com:587");
  const secure = url.protocol === "smtps:";
  const auth =
    url.username === ""
      ? {}
      : {
          auth: { user: decoded(url.username), pass: decoded(url.password) },
          requireTLS: !secure && !LOOPBACK.has(url.hostname),
        };
  const port = url.port === "" ? (secure ? 465 : 587) : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port, secure, ...auth };
}

function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError("must have its user and password percent-encoded");
  }
}

/** Sends through an SMTP server, each message over a connection of its own. Throws what {@link smtpSettings} does. */
export function smtpMailer(smtpUrl: string, timeouts: SmtpTimeouts = {}): Mailer {
  const settings = smtpSettings(smtpUrl);
  const connectMs = timeouts.connectMs ?? CONNECT_MS;
  const options = {
    ...settings,
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: timeouts.silenceMs ?? SILENCE_MS,
  };
  const password = settings.auth?.pass ?? "";

  return {
    async send(message, { signal: stop } = {}) {
      const late = AbortSignal.timeout(timeouts.totalMs ?? TOTAL_MS);
      const signal = stop === undefined ? late : AbortSignal.any([stop, late]);
      const mail = composed(message);
      const { createTransport } = await import("nodemailer");
      try {
        const sent = await createTransport(options).sendMail({ ...mail, signal });
        return { messageId: mail.messageId, response: quotable(sent.response) };
      } catch (error) {
        throw toMailError(error, password);
      }
    },
  };
}

/** A refusal of this message (its sender, recipient or content) is the server's last word; anything else may pass. */
function toMailError(error: unknown, password: string) {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const status = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
  const said = error instanceof Error ? error.message : "unknown";
  const safe = (text: string) => quotable(password === "" ? text : text.replaceAll(password, "…"));
  const answer = error instanceof Error && "response" in error ? String(error.response) : "";
  const server = {
    detail: safe(`${code} ${said}`),
    codes: status === 0 ? null : codesOf(status, answer),
    words: safe(answer.replace(CODES, "")) || null,
  };
  const failed = (kind: MailError["kind"], words: string) => new MailError(kind, words, server);
  if (status >= 500 && (code === "EENVELOPE" || code === "EMESSAGE"))
    return failed("permanent", "The mail server rejected the message.");
  if (code === "EAUTH") return failed("temporary", "The mail server rejected the user name or password.");
  if (status >= 400) return failed("temporary", "The mail server cannot take the message now.");
  const certificate = certificateProblem(error);
  if (certificate !== null) return failed("temporary", `The mail server's certificate ${certificate}.`);
  return failed("temporary", "The mail server cannot be reached, or did not answer in time.");
}

/** At the beginning of each line of an answer. */
const CODES = /^\d{3}[ -](?:[245]\.\d{1,3}\.\d{1,3}\b ?)?/gm;

/** The reply code, and the enhanced one (RFC 3463) where the answer has it. */
function codesOf(status: number, answer: string) {
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(answer)?.[1];
  return enhanced === undefined ? String(status) : `${status} ${enhanced}`;
}

/** Where mail goes out: `SMTP_URL`, or without one the folder `DATA_DIR/outbox`. */
interface MailSettings {
  readonly smtpUrl: string | null;
  readonly outboxFolder: string;
}

/** The mailer of the settings. Nothing is sent yet; throws RangeError for an SMTP URL that cannot be used. */
export function connectMailer({ smtpUrl, outboxFolder }: MailSettings): Mailer {
  return smtpUrl === null ? outboxMailer(outboxFolder) : smtpMailer(smtpUrl);
}
