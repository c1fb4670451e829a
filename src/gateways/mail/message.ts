import type { SendMailOptions } from "nodemailer";
import type { Mailbox, MailMessage } from "./mailer.ts";

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const ADDRESS = /^[^\s\p{C}<>()[\]\\,;:"@]{1,64}@[^\s\p{C}<>()[\]\\,;:"@]{1,253}$/u;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,76}$/;
const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** What the message itself is made of, or routed by. */
const OWN_HEADERS =
  /^(to|cc|bcc|from|sender|subject|date|message-id|mime-version|return-path|received|content-.*|resent-.*)$/i;

/**
 * A message as nodemailer takes it. Nothing in it can add a recipient or a header, or read a file. Throws RangeError for an
 * invalid id, address or header.
 */
export function composed(message: MailMessage): SendMailOptions & { messageId: string } {
  const from = mailbox(message.from);
  const to = mailbox({ address: message.to });
  return {
    messageId: messageIdHeader(message.messageId, from.address),
    from,
    to,
    envelope: { from: from.address, to: [to.address] },
    subject: oneLine(message.subject),
    text: message.text,
    html: message.html,
    headers: { "Auto-Submitted": "auto-generated", ...checkedHeaders(message.headers ?? {}) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The `Message-ID` of a message from an address: the same, however often it is sent. */
export function messageIdHeader(messageId: string, fromAddress: string): string {
  return `<${checkedId(messageId)}@${fromAddress.slice(fromAddress.lastIndexOf("@") + 1)}>`;
}

/** An id that can stand in a header and be a file's name. Throws RangeError. */
export function checkedId(messageId: string): string {
  if (!ID.test(messageId)) throw new RangeError("not the id of a message");
  return messageId;
}

function mailbox({ name = "", address }: Mailbox): { name: string; address: string } {
  if (!ADDRESS.test(address)) throw new RangeError("not an email address");
  return { name: oneLine(name), address };
}

function oneLine(text: string): string {
  return text.replace(new RegExp(NOT_ONE_LINE, "gu"), " ").trim();
}

function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, value] of Object.entries(headers))
    if (!HEADER_NAME.test(name) || OWN_HEADERS.test(name) || NOT_ONE_LINE.test(value))
      throw new RangeError("not a header that can be added");
  return { ...headers };
}
