import { domainToASCII } from "node:url";
import type { SendMailOptions } from "nodemailer";
import { OutsideError } from "../outside-error.ts";

/** Where mail goes out: an SMTP server, or a folder (completions §7). */
export interface Mailer {
  /**
   * Hands a message over. It may be handed over again (after a crash, or when the connection ended before the server's
   * answer): a folder then holds it once, and a recipient's mail program can tell by its unchanged `Message-ID`. Rejects
   * with a {@link MailError}, or a RangeError for a message that must not be sent.
   */
  send(message: MailMessage, options?: { readonly signal?: AbortSignal }): Promise<MailAccepted>;
  /** Deletes what it keeps from before an instant; absent where it keeps nothing. */
  deleteOld?(before: string): Promise<void>;
}

interface Mailbox {
  readonly name?: string;
  readonly address: string;
}

/** A message to one person. */
export interface MailMessage {
  /** The service's id of the message: letters, digits, `.`, `_` and `-`. The `Message-ID` is made from it. */
  readonly messageId: string;
  readonly to: string;
  readonly from: Mailbox;
  /** One line: what would break it becomes a space. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** What `cid:` addresses in the HTML part name: nothing is loaded from elsewhere when the mail is read. */
  readonly pictures?: readonly InlinePicture[];
  readonly replyTo?: string;
}

/** A picture that travels in the message. */
export interface InlinePicture {
  /** What `cid:` is followed by: letters, digits, `.`, `_` and `-`. */
  readonly id: string;
  readonly type: "image/png";
  readonly content: Uint8Array;
}

interface MailAccepted {
  /** The `Message-ID`, with its angle brackets. */
  readonly messageId: string;
  /** What the server said, for the log. */
  readonly response: string;
}

/**
 * A message that was not taken. `temporary`: the same may go well later (no connection, refused credentials, 4xx);
 * `permanent`: the server will not take this message (5xx).
 */
export class MailError extends OutsideError<"temporary" | "permanent"> {
  override readonly name = "MailError";
  /** The mail server's codes, such as `550 5.1.1`; null where it gave none. */
  readonly codes: string | null;
  /** What else it said, cleaned and short; null where it said nothing. Data from outside. */
  readonly words: string | null;

  constructor(
    kind: "temporary" | "permanent",
    publicMessage: string,
    { detail, codes = null, words = null }: { detail?: string; codes?: string | null; words?: string | null } = {},
  ) {
    super(kind, publicMessage, detail);
    this.codes = codes;
    this.words = words;
  }
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const ADDRESS = /^[^\s\p{C}<>()[\]\\,;:"@]{1,64}@[^\s\p{C}<>()[\]\\,;:"@]{1,253}$/u;
const DOT_ASTRAY = /^\.|\.\.|\.@/;
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;

/** A message as nodemailer takes it. Throws RangeError for an invalid id or address; reads no file. */
export function composed(message: MailMessage): SendMailOptions & { messageId: string } {
  const from = sender(message.from);
  const to = recipient(message.to);
  return {
    messageId: `<${checkedId(message.messageId)}@${from.address.slice(from.address.lastIndexOf("@") + 1)}>`,
    from,
    to,
    envelope: { from: from.address, to: [to.address] },
    subject: oneLine(message.subject),
    text: message.text,
    html: message.html,
    headers: { "Auto-Submitted": "auto-generated" },
    ...(message.replyTo === undefined ? {} : { replyTo: recipient(message.replyTo) }),
    attachments: (message.pictures ?? []).map(inlined),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function inlined({ id, type, content }: InlinePicture) {
  const cid = checkedId(id);
  return {
    cid,
    filename: `${cid}.png`,
    contentType: type,
    content: Buffer.from(content),
    contentDisposition: "inline" as const,
  };
}

/** An id that can stand in a header and be a file's name. Throws RangeError. */
export function checkedId(messageId: string) {
  if (!ID.test(messageId)) throw new RangeError("not the id of a message");
  return messageId;
}

/** Whether mail can be sent there: one address, without quotes or comments, at a domain of the internet. */
export function isMailAddress(address: string) {
  if (!ADDRESS.test(address) || DOT_ASTRAY.test(address)) return false;
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const labels = DOMAIN.test(domain) ? domainToASCII(domain).split(".") : [];
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && /\D/.test(labels.at(-1) ?? "");
}

function recipient(address: string) {
  if (!isMailAddress(address)) throw new RangeError("not an email address");
  return { name: "", address };
}

/** The service's own address: its host may be one of the local network. */
function sender({ name = "", address }: Mailbox) {
  if (!ADDRESS.test(address)) throw new RangeError("not an email address");
  return { name: oneLine(name), address };
}

function oneLine(text: string) {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").trim();
}
