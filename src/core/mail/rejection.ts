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

/** Why a mail server rejected a message, by its codes, such as `550 5.1.1`; never quoting it. */
export function rejectionReason(codes: string): string {
  return REASONS.find(([pattern]) => pattern.test(codes))?.[1] ?? "The mail server rejected the message.";
}
