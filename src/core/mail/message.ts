import { type Letter, setLetter } from "../../gateways/mail/letter.ts";

/** A message without its envelope: what a person reads. */
export interface Message {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const MAX_SUBJECT = 200;

/** Makes a message of plain strings: the subject is one line, and nothing becomes markup. */
export function message(subject: string, letter: Letter): Message {
  const line = subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return { subject: Array.from(line).slice(0, MAX_SUBJECT).join(""), ...setLetter(letter) };
}

/** The facts that have a value. */
export function known(
  facts: ReadonlyArray<readonly [label: string, value: string | null]>,
): (readonly [label: string, value: string])[] {
  return facts.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]));
}
