import { type Core, nowOf } from "../gate/dependencies.ts";
import { mailedTokenOf } from "../gate/mailed-token.ts";
import { workStep } from "../gate/work-step.ts";
import { memberMail } from "../mail/message.ts";
import type { ClaimedMail } from "../mail/outgoing-queries.ts";
import { readableTime } from "../mail/readable.ts";
import { selectResetToMail } from "./reset-queries.ts";

/** The page that asks for the mail. */
export const FORGOTTEN_PATH = "/password/forgotten";
/** The page that the mail leads to. */
export const RESET_PATH = "/password/reset";

/** A password and a second factor are the person's in all their workspaces: none of them sends mails about these. */
export const SENDER = "Receivables";

const resetToMail = workStep({ in: "directory", run: ({ tx }, resetId: string) => selectResetToMail(tx, resetId) });

/** The mail of a password reset; null once it was used or has expired. */
export async function readyResetMail(
  core: Core,
  mail: Pick<ClaimedMail, "subject_id" | "recipient">,
  publicOrigin: string,
) {
  const { subject_id: id, recipient: email } = mail;
  const reset = await resetToMail(core, id);
  if (reset === undefined || reset.used_at !== null || reset.expires_at <= nowOf(core)) return null;
  const token = mailedTokenOf(core, "password reset", { id, hash: reset.token_hash });
  const url = `${publicOrigin}${RESET_PATH}/${token}`;
  return memberMail(SENDER, {
    subject: "Choose a new password",
    heading: "Choose a new password",
    paragraphs: [
      "Somebody asked to reset the password of this account. If it was you, choose a new one; every browser is then signed out.",
      "If it was not you, ignore this email. Your password stays the same.",
    ],
    facts: [
      ["Account", { exact: email }],
      ["Valid until", `${readableTime(reset.expires_at, "UTC")} UTC`],
    ],
    action: { label: "Choose a new password", url },
    closing: "The link is for you alone and works once. We never ask you for it.",
  });
}
