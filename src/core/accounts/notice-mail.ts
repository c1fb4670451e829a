import type { AccountNotice } from "../../store/tables/mail.ts";
import { memberMail } from "../mail/message.ts";
import type { ClaimedMail } from "../mail/outgoing-queries.ts";
import { readableTime } from "../mail/readable.ts";
import { FORGOTTEN_PATH, SENDER } from "./reset-mail.ts";

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
  password_set: [
    "Your account has a password",
    "The operator of this service gave it one. Anybody who knows it can sign in with it, in every workspace of yours that takes passwords.",
  ],
  password_chosen: [
    "A password was chosen for your account",
    "It was chosen through the link of a mail to this address. All other browsers were signed out.",
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
  recovery_code_used: [
    "A recovery code was used",
    "It stood in for a code of your authenticator app, and no longer works.",
  ],
  sign_in_linked: [
    "Your organisation's sign-in leads to your account",
    "The sign-in provider of one of your workspaces was linked to your account there. Signing in at the provider now opens that workspace.",
  ],
  sign_in_unlinked: [
    "Your organisation's sign-in no longer leads to your account",
    "The operator of this service removed the link between a sign-in provider and your account in one of your workspaces.",
  ],
};

/** The mail about a change of a person's account. Later changes do not cancel it. */
export function readyAccountNotice(
  { kind, recipient, created_at: at }: Pick<ClaimedMail, "recipient" | "created_at"> & { kind: AccountNotice },
  publicOrigin: string,
) {
  const [subject, what] = WORDS[kind];
  return memberMail(SENDER, {
    subject,
    heading: subject,
    paragraphs: [
      what,
      "If you know of this, there is nothing to do. If you do not, reset your password if you have one, sign out all other browsers on the page Security, and tell an admin of your workspace or the operator of this service.",
    ],
    facts: [
      ["Account", { exact: recipient }],
      ["When", `${readableTime(at, "UTC")} UTC`],
      ["Security", { exact: `${publicOrigin}/security` }],
    ],
    action: { label: "Reset your password", url: `${publicOrigin}${FORGOTTEN_PATH}` },
    closing: "Sent to you because it is your account. We never ask for your password or a code by email.",
  });
}
