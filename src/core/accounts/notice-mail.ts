import type { AccountNotice } from "../../store/tables/mail.ts";
import { type Message, memberMessage } from "../mail/message.ts";
import type { ClaimedMail } from "../mail/outgoing-queries.ts";
import { readableTime } from "../mail/readable.ts";
import { FORGOTTEN_PATH } from "../password-resets/reset-mail.ts";

/** A password and a second factor are the person's in all their workspaces: none of them sends this. */
const SENDER = "Receivables";

const WORDS: Readonly<Record<AccountNotice, readonly [subject: string, what: string]>> = {
  password_changed: [
    "Your password was changed",
    "It was changed by somebody who was signed in and knew the earlier one. All other browsers were signed out.",
  ],
  password_was_reset: [
    "Your password was reset",
    "It was replaced through the link of a mail to this address. All browsers were signed out.",
  ],
  password_replaced: [
    "Your password was replaced",
    "The operator of this service gave your account another one. All browsers were signed out.",
  ],
  factor_on: [
    "Your second factor was switched on",
    "Signing in with your password now takes a code of an authenticator app. All other browsers were signed out.",
  ],
  factor_off: ["Your second factor was switched off", "Signing in now takes your password only."],
  factor_removed: [
    "Your second factor was removed",
    "The operator of this service removed it. Signing in now takes your password only. All browsers were signed out.",
  ],
  recovery_codes_renewed: ["Your recovery codes were replaced", "New ones were made; the earlier ones no longer work."],
};

/** The mail about a change of a person's account. Later changes do not cancel it. */
export function readyAccountNotice(
  { kind, recipient, created_at: at }: Pick<ClaimedMail, "recipient" | "created_at"> & { kind: AccountNotice },
  publicOrigin: string,
): { workspaceName: string; compose(): Message } {
  const [subject, what] = WORDS[kind];
  const compose = (): Message =>
    memberMessage(SENDER, {
      subject,
      heading: subject,
      paragraphs: [
        what,
        "If you know of this, there is nothing to do. If you do not, reset your password now, sign out all other browsers on the page Security, and tell an admin of your workspace or the operator of this service.",
      ],
      facts: [
        ["Account", recipient],
        ["When", `${readableTime(at, "UTC")} UTC`],
        ["Security", `${publicOrigin}/security`],
      ],
      action: { label: "Reset your password", url: `${publicOrigin}${FORGOTTEN_PATH}` },
      closing: "Sent to you because it is your account. We never ask for your password or a code by email.",
    });
  return { workspaceName: SENDER, compose };
}
