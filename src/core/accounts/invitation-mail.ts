import { type Core, nowOf } from "../gate/dependencies.ts";
import { mailedTokenOf } from "../gate/mailed-token.ts";
import { cleanText } from "../kernel/text.ts";
import { inertText } from "../mail/inert-text.ts";
import { memberMail } from "../mail/message.ts";
import type { ClaimedMail } from "../mail/outgoing-queries.ts";
import { readableTime } from "../mail/readable.ts";
import { openInvitations } from "./invitation-queries.ts";
import { INVITATION_PATH } from "./invitation-token.ts";

/** The mail of an invitation as it stands now; null once it was accepted, withdrawn or has expired. */
export async function readyInvitationMail(
  core: Core,
  mail: Pick<ClaimedMail, "tenant_id" | "subject_id">,
  publicOrigin: string,
) {
  const invitation = await core.store.read(mail.tenant_id, (tx) =>
    openInvitations(tx, mail.tenant_id).where("invitation.invitation_id", "=", mail.subject_id).executeTakeFirst(),
  );
  if (invitation === undefined || invitation.expires_at <= nowOf(core)) return null;
  const { workspace_name: workspaceName, inviter_email: email, inviter_name: name } = invitation;
  const inviter = cleanText(inertText(name ?? ""), 80) ?? "Somebody";
  const url = `${publicOrigin}${INVITATION_PATH}/${mailedTokenOf(core, "invitation", { id: mail.subject_id, hash: invitation.token_hash })}`;
  return memberMail(workspaceName, {
    subject: `${workspaceName}: you are invited to its receivables`,
    heading: `Join ${workspaceName}`,
    paragraphs: [
      `${inviter} invites you to the workspace ${workspaceName}, where you see its receivables and connect assistants to them.`,
    ],
    facts: [
      ["Invited by", { exact: email }],
      ["Valid until", `${readableTime(invitation.expires_at, "UTC")} UTC`],
    ],
    action: { label: "Accept the invitation", url },
    closing: "The link is for you alone and works once. If you do not know who invites you, ignore it.",
  });
}
