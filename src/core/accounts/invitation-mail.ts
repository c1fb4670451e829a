import { mailedTokenOf } from "../gate/mailed-token.ts";
import { workStep } from "../gate/work-step.ts";
import { cleanText } from "../kernel/text.ts";
import { inertText } from "../mail/inert-text.ts";
import { memberMail } from "../mail/message.ts";
import type { ClaimedMail } from "../mail/outgoing-queries.ts";
import { readableTime } from "../mail/readable.ts";
import { openInvitations } from "./invitation-queries.ts";
import { INVITATION_PATH } from "./invitation-token.ts";

/** The mail of an invitation as it stands now; null once it was accepted, withdrawn or has expired. */
export const readyInvitationMail = workStep({
  in: "workspace",
  async run({ tx, core, now, tenantId }, { subject_id: id }: Pick<ClaimedMail, "subject_id">, publicOrigin: string) {
    const invitation = await openInvitations(tx, tenantId)
      .where("invitation.invitation_id", "=", id)
      .executeTakeFirst();
    if (invitation === undefined || invitation.expires_at <= now) return null;
    const { workspace_name: workspaceName, inviter_email: email, inviter_name: name } = invitation;
    const inviter = cleanText(inertText(name ?? ""), 80) ?? "Somebody";
    const url = `${publicOrigin}${INVITATION_PATH}/${mailedTokenOf(core, "invitation", { id, hash: invitation.token_hash })}`;
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
  },
});
