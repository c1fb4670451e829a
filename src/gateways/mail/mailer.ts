/** Where mail goes out: an SMTP server, or a folder (completions §7). */
export interface Mailer {
  /**
   * Hands a message over. It may be handed over again (after a crash, or when the connection ended before the server's
   * answer): a folder then holds it once, and a recipient's mail program can tell by its unchanged `Message-ID`. Rejects
   * with a {@link MailError}, or a RangeError for a message that must not be sent.
   */
  send(message: MailMessage, options?: { readonly signal?: AbortSignal }): Promise<MailAccepted>;
}

export interface Mailbox {
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
  /** Further headers, such as `Reply-To`; none of those the message itself is made of. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MailAccepted {
  /** The `Message-ID`, with its angle brackets. */
  readonly messageId: string;
  /** What the server said, for the log. */
  readonly response: string;
}

/**
 * A message that was not taken. `temporary`: the same may go well later (no connection, refused credentials, 4xx);
 * `permanent`: the server will not take this message (5xx). `message` is for the log and may quote the server.
 */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly kind: "temporary" | "permanent";
  /** Safe to show to any caller: the service's words only. */
  readonly publicMessage: string;

  constructor(kind: "temporary" | "permanent", publicMessage: string, detail = "") {
    super(detail === "" ? publicMessage : `${publicMessage} (${detail})`);
    this.kind = kind;
    this.publicMessage = publicMessage;
  }
}
