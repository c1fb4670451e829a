import type { Core } from "../core/gate/dependencies.ts";
import { afterTemporaryFailure, type MailOutcome } from "../core/mail/member-mails.ts";
import type { Message } from "../core/mail/message.ts";
import { MailError, type Mailer } from "../gateways/mail/mailer.ts";
import { type OutsideCall, outsideCalls } from "../signals.ts";

/** How the service sends mail. */
export interface PostOffice {
  readonly mailer: Mailer;
  /** The address everything is sent from; its name is the workspace's. */
  readonly fromAddress: string;
  /** `https://host[:port]`: where links into the service's own pages lead. */
  readonly publicOrigin: string;
}

/** When a job that mails ends. */
export interface MailSignals {
  /** Takes up nothing more. */
  readonly stop?: AbortSignal;
  /** Gives up what is under way; it is due again. */
  readonly giveUp?: AbortSignal;
}

/** A mail, and how often it was tried, this time included. */
export interface Mail {
  /** The row's own id: the same at every attempt, so that a mail sent twice can be told to be one. */
  readonly mailId: string;
  readonly to: string;
  readonly workspaceName: string;
  /** Throws RangeError for what cannot be put into a mail. */
  compose(): Message;
  readonly attempts: number;
}

/** Claims of `leaseMs` end long after the mailer has given up a message. */
export const MAIL_LEASE_MS = 5 * 60_000;

/**
 * Tries to send a mail once, with no transaction open. An outage is worth another attempt later; a message that a server
 * refuses, or that cannot be sent at all, is not.
 */
export async function attemptMail(
  core: Core,
  { mailer, fromAddress }: PostOffice,
  { mailId, to, workspaceName, compose, attempts }: Mail,
  { giveUp }: MailSignals,
): Promise<MailOutcome> {
  const from = { name: workspaceName, address: fromAddress };
  try {
    const message = { messageId: mailId, to, from, ...compose() };
    const told: OutsideCall = { system: "mail", operation: "send", outcome: "ok" };
    await outsideCalls.during(told, () => mailer.send(message, giveUp === undefined ? {} : { signal: giveUp }));
    return { status: "sent" };
  } catch (error) {
    const temporary = error instanceof MailError && error.kind === "temporary";
    core.log.warn({ mailId, attempts, err: error }, temporary ? "a mail was not sent yet" : "a mail cannot be sent");
    if (temporary) return afterTemporaryFailure(core, attempts);
    if (error instanceof MailError || error instanceof RangeError) return { status: "failed" };
    throw error;
  }
}
