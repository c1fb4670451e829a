import type { Core } from "../gate/dependencies.ts";
import type { ReadyMail } from "../mail/message.ts";
import type { ClaimedMail } from "../mail/outgoing-queries.ts";
import { readyTaskMail } from "../tasks/task-mail.ts";
import { readyApprovalMail } from "./approval-mail.ts";
import { readyInvitationMail } from "./invitation-mail.ts";
import { readyNewsMail } from "./news-mail.ts";
import { readyAccountNotice } from "./notice-mail.ts";
import { readyResetMail } from "./reset-mail.ts";

/** The mail with current data; null if it is no longer needed. Links in it lead to `publicOrigin`. */
export async function readyMemberMail(core: Core, mail: ClaimedMail, publicOrigin: string): Promise<ReadyMail | null> {
  switch (mail.kind) {
    case "invitation":
      return readyInvitationMail(core, mail.tenant_id, mail, publicOrigin);
    case "task_assigned":
      return readyTaskMail(core, mail.tenant_id, mail, publicOrigin);
    case "assistant_connected":
    case "assistant_extended":
      return readyApprovalMail(core, mail.tenant_id, mail, publicOrigin);
    case "news":
      return readyNewsMail(core, mail.tenant_id, mail, publicOrigin);
    case "password_reset":
      return readyResetMail(core, mail, publicOrigin);
    default:
      return readyAccountNotice({ ...mail, kind: mail.kind }, publicOrigin);
  }
}
