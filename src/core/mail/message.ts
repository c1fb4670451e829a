import { type Letter, setLetter } from "../../gateways/mail/letter.ts";
import type { InlinePicture } from "../../gateways/mail/mailer.ts";

/** The content of a message, without its envelope. */
export interface Message {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Images in the HTML part. */
  readonly pictures?: readonly InlinePicture[];
  /** The reply address, if it is not the sender's. */
  readonly replyTo?: string;
}

const MAX_SUBJECT = 200;

/** Builds a message from plain strings: the subject is one line, and markup is escaped. */
export function message(subject: string, letter: Letter): Message {
  const line = subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return { subject: Array.from(line).slice(0, MAX_SUBJECT).join(""), ...setLetter(letter) };
}

/** A message to a member of a workspace, which ends with why they get it. */
export function memberMessage(
  workspaceName: string,
  { subject, closing, ...letter }: Omit<Letter, "lang" | "sender"> & { subject: string; closing: string },
): Message {
  return message(subject, { lang: "en", sender: { name: workspaceName, foot: [closing] }, ...letter });
}

/** The facts that have a value. */
export function known(
  facts: ReadonlyArray<readonly [label: string, value: string | null]>,
): (readonly [label: string, value: string])[] {
  return facts.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]));
}
