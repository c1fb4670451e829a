import { LOOPBACK } from "../../settings.ts";
import { type Scope, scopesIn } from "../gate/actor.ts";
import { workStep } from "../gate/work-step.ts";
import { cleanText } from "../kernel/text.ts";
import { inertText } from "../mail/inert-text.ts";
import { known, memberMail } from "../mail/message.ts";
import type { ClaimedMail } from "../mail/outgoing-queries.ts";
import { readableTime } from "../mail/readable.ts";
import { connectionToTell } from "./approval-queries.ts";

/** What a connection may do, as a mail says it (completions §2). */
const MAY: Readonly<Record<Scope, string>> = {
  "receivables:read": "read receivables",
  "payment_links:write": "issue and withdraw payment links",
  "tasks:write": "dismiss tasks",
  "receipts:push": "push held receipts to the ERP",
};
const listing = new Intl.ListFormat("en", { type: "conjunction" });

/** The mail to the person who approved an assistant, with its current access; null once the connection was revoked. */
export const readyApprovalMail = workStep({
  in: "workspace",
  async run({ tx, tenantId }, mail: Pick<ClaimedMail, "subject_id" | "kind" | "recipient">, publicOrigin: string) {
    const found = await connectionToTell(tx, tenantId, mail.subject_id);
    if (found === undefined || found.revoked_at !== null || found.email !== mail.recipient) return null;
    const { workspace_name: workspaceName, assistants, timezone } = found;
    const client = cleanText(inertText(found.client_name), 80) ?? "An unnamed assistant";
    const isExtended = mail.kind === "assistant_extended";
    return memberMail(workspaceName, {
      subject: `${workspaceName}: an assistant ${isExtended ? "may do more" : "was connected"}`,
      heading: `An assistant ${isExtended ? "may do more in" : "was connected to"} ${workspaceName}`,
      paragraphs: [
        `The assistant that calls itself “${client}” was ${isExtended ? "given more permissions. It acts" : "allowed to act"} for you.`,
        "If this was not you, revoke it now and change your password.",
      ],
      facts: known([
        ["It may", listing.format(scopesIn(assistants, found.scopes).map((scope) => MAY[scope]))],
        ["Its answer went to", placeOf(found.answered_at_host)],
        ["Connected", `${readableTime(found.created_at, timezone)} (${timezone})`],
      ]),
      action: { label: "See and revoke assistants", url: `${publicOrigin}/connections` },
      closing: `Sent to you as a member of the workspace ${workspaceName}.`,
    });
  },
});

/** Where an answer went; of a host that anybody could have registered, its dots are no link either. */
function placeOf(host: string | null) {
  if (host === null) return null;
  if (LOOPBACK.has(host)) return "a program on the computer that approved it";
  return host.endsWith(":") ? `the app “${host.slice(0, -1)}”` : host.replaceAll(".", " . ");
}
