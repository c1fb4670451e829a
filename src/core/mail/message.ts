import { type Letter, setLetter } from "../../gateways/mail/letter.ts";
import type { InlinePicture } from "../../gateways/mail/mailer.ts";
import { inertText } from "./inert-text.ts";

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

/** An address of the service's own, or a person's email: shown unchanged. */
interface Verbatim {
  readonly exact: string;
}

interface MemberLetter extends Required<Pick<Letter, "heading" | "paragraphs" | "action">> {
  readonly subject: string;
  readonly facts: ReadonlyArray<readonly [label: string, value: string | Verbatim]>;
  /** Why they get it: the last line. */
  readonly closing: string;
}

/** A message with current data, and whose it is. */
export interface ReadyMail {
  readonly workspaceName: string;
  /** Throws RangeError for what cannot be put into a mail. */
  compose(): Message;
}

/**
 * A message to a member of a workspace. ERPs, assistants and other people chose many of its words, so none of its text can
 * become a link but that of its action and what is {@link Verbatim}.
 */
export function memberMail(
  ofWorkspace: string,
  { subject, heading, paragraphs, facts, action, closing }: MemberLetter,
): ReadyMail {
  const workspaceName = inertText(ofWorkspace);
  const compose = () =>
    message(inertText(subject), {
      lang: "en",
      sender: { name: workspaceName, foot: [inertText(closing)] },
      heading: inertText(heading),
      paragraphs: paragraphs.map(inertText),
      facts: facts.map(([label, value]) => [label, typeof value === "string" ? inertText(value) : value.exact]),
      action,
    });
  return { workspaceName, compose };
}

/** The facts that have a value. */
export function known(
  facts: ReadonlyArray<readonly [label: string, value: string | null]>,
): (readonly [label: string, value: string])[] {
  return facts.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]));
}
