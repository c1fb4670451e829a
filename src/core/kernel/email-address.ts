import { z } from "zod";
import { isMailAddress } from "../../gateways/mail/mailer.ts";
import { cleanText } from "./text.ts";
import { shown } from "./validation-messages.ts";

const MAX_LENGTH = 320;
const AROUND = /^[\s;,]+|[\s;,.]+$/g;
/** As mail programs copy one: `Accounts payable <ap@acme.example>`. A name that is an address itself would mislead. */
const IN_BRACKETS = /^[^<>@]*<([^<>]*)>$/;

/**
 * The one address that mail can be sent to in a text, without what people and programs put around it: white space, angle
 * brackets with a name before them, `mailto:`, and what ends a list or sentence. Null for anything else, such as two addresses.
 */
export function readEmailAddress(text: string | null | undefined) {
  const outer = cleanText(text, MAX_LENGTH)?.replace(AROUND, "") ?? "";
  const inner = IN_BRACKETS.exec(outer)?.[1] ?? outer;
  const address = inner
    .trim()
    .replace(/^mailto:/i, "")
    .replace(AROUND, "");
  return isMailAddress(address) ? address : null;
}

/** An address that mail can be sent to, cleaned ({@link readEmailAddress}). */
export const EmailAddress = z.string().transform((text, context) => {
  const address = readEmailAddress(text);
  if (address !== null) return address;
  const several = (text.match(/@/g)?.length ?? 0) > 1 ? "only one " : "an ";
  const message = `must be ${several}email address, such as billing@example.com${text.trim() && `, not ${shown(text)}`}`;
  context.issues.push({ code: "custom", message, input: text });
  return z.NEVER;
});
