import type { Selectable } from "kysely";
import type { LinkEmailRow as Row } from "../../store/tables/payment-links.ts";
import { withOutsideWords } from "../kernel/outside-words.ts";

type LinkEmailRow = Selectable<Row>;

/** The meaning of mail servers' enhanced codes (RFC 3463) for a sender; the first match counts. */
const REASONS: ReadonlyArray<readonly [codes: RegExp, words: string]> = [
  [/ 5\.1\.[0136]$/, "The mailbox does not exist."],
  [/ 5\.1\.(2|10)$/, "The domain of the address takes no mail."],
  [/ 5\.2\.1$/, "The mailbox is disabled."],
  [/ 5\.2\.2$/, "The mailbox is full."],
  [/ 5\.(2|3)\.(3|4)$/, "The message is too large for the mail server."],
  [/ 5\.7\.\d+$/, "The mail server does not accept mail from this sender."],
  [/^55[013]/, "The mail server does not know the address, or does not accept mail for it."],
  [/^552/, "The mailbox is full."],
];

/** Why a mail was not sent, as stored. */
export type MailFailure = Pick<LinkEmailRow, "failure" | "server_codes" | "server_words">;

/** The service's own words for it. */
export function failureReason({ failure, server_codes: codes }: Partial<MailFailure>) {
  if (failure === "not_taken") return "No mail server took it for a day.";
  if (failure === "unsendable") return "It cannot be put into a mail: the address, or a link in it, is not valid.";
  const known = REASONS.find(([pattern]) => pattern.test(codes ?? ""));
  return known?.[1] ?? "The mail server rejected the message.";
}

/** The service's words, and after them what the mail server said, codes included. */
export function failureWords(failed: Partial<MailFailure>) {
  const said = [failed.server_codes, failed.server_words].filter((part) => part).join(" ");
  return withOutsideWords(failureReason(failed), "The mail server", said);
}
