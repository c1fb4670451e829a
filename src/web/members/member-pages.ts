import { listApiKeys, liveKeysOf } from "../../../auth/api-keys/api-key.ts";
import { inviteMember } from "../../../auth/invitations/invite-member.ts";
import { type Invitation, listInvitations } from "../../../auth/invitations/list-invitations.ts";
import { withdrawInvitation } from "../../../auth/invitations/withdraw-invitation.ts";
import { listMembers, type Member } from "../../../auth/members/member.ts";
import { removeMember } from "../../../auth/members/remove-member.ts";
import { setMemberRole } from "../../../auth/members/set-member-role.ts";
import { notFound } from "../../core/kernel/error.ts";
import { type Confirmation, emailAddress, type Html, hidden, html, link, muted, ROLE_NAMES } from "../kit/markup.ts";
import { doing, Form, type WorkspaceVisit } from "../kit/page.ts";
import { sectionsPage } from "../kit/sections-page.ts";
import { plainTable } from "../lists/list.ts";

/** `/members` (completions §1): an admin invites people, changes their roles, and removes them. */
export const MEMBERS = sectionsPage({
  path: "/members",
  title: "Members",
  settings: { group: "People", words: "Invite people, change what they may do, remove them." },
  adminsOnly: "Only an admin of a workspace manages its members",
  intro: "Who belongs to a workspace, and what they may do there.",
  done: {
    invited: "The invitation is on its way.",
    invited_again: "Another invitation is on its way. The link of the earlier one is not valid any more.",
    unassigned:
      "The member was removed, and their assistants were stopped. A workflow has no assignee now: an operator can \
name one.",
    withdrawn: "The invitation was withdrawn. Its link is no longer valid.",
    removed: "The member was removed, and their assistants were stopped.",
    role: "The role was changed. It takes effect on their next request.",
  },
  async section(visit) {
    const { tenantId: key, name, timezone } = visit.workspace;
    const invite = `Invite somebody to ${name}`;
    const members = await visit.call(listMembers, {});
    const invitations = await visit.call(listInvitations, {});
    return html`${muted(`Times are in ${timezone}.`)}
${memberTable(visit, members)}
${invitations.length > 0 && [html`<h3>Invited</h3>`, invitationTable(visit, invitations)]}
<h3>${invite}</h3>
${INVITE.view(visit, {
  ...{ path: `/members/${key}`, key, button: "Invite", once: true, look: "card", label: invite },
  now: { role: "member" },
})}`;
  },
  acts: {
    "": {
      send: async (visit) => ((await INVITE.send(visit, {}, { once: true })).replaces ? "invited_again" : "invited"),
    },
    "/invitations/:invitationId/withdraw": doing("withdrawn", (visit) =>
      visit.call(withdrawInvitation, { id: visit.id("invitationId", "invitation") }),
    ),
    "/:memberId/role": {
      async send(visit) {
        const role = visit.field("role") === "admin" ? "admin" : "member";
        const memberId = visit.id("memberId", "member");
        await visit.call(setMemberRole, { member: { memberId }, role });
        return memberId === visit.workspace.memberId && role === "member" ? "/?done=stepped_down" : "role";
      },
    },
    "/:memberId/remove": {
      title: "Remove",
      async ask(visit) {
        const members = await visit.call(listMembers, {});
        const member = members.find(({ id }) => id === visit.request.params.memberId);
        if (member === undefined) throw notFound("member");
        return removeView(visit, member, liveKeysOf(await visit.call(listApiKeys, {}), member.email));
      },
      async send(visit) {
        const memberId = visit.id("memberId", "member");
        const { assignee_of: left } = await visit.call(removeMember, { member: { memberId } });
        return left.length === 0 ? "removed" : "unassigned";
      },
    },
  },
});

const INVITE = new Form(inviteMember, {
  email: {
    label: "Email",
    hint: "They get a link by mail that works once, for seven days.",
    type: "email",
    attributes: html`maxlength="254" autocomplete="off"`,
    isBlamed: true,
    say: () => "That is not an email address.",
  },
  role: {
    label: "Role",
    hint: "Members read the receivables. Admins also act, and manage members, keys and connections.",
    choices: ROLE_NAMES,
  },
});

function memberTable(visit: WorkspaceVisit, members: readonly Member[]): Html {
  const { name: place, memberId, tenantId } = visit.workspace;
  const admins = members.filter(({ role }) => role === "admin");
  const change = ({ id, role }: Member): Html => {
    if (role === "admin" && admins.length === 1)
      return html`<span class="quiet">The only admin: cannot be removed.</span>`;
    const path = `/members/${tenantId}/${id}`;
    const other = role === "admin" ? "member" : "admin";
    const about = `member-${id}`;
    const look = html` class="danger" aria-describedby="${about}"`;
    return html`${visit.act(`${path}/role`, `Make ${other}`, about, "plain", hidden("role", other))}
${link(`${path}/remove`, id === memberId ? "Leave" : "Remove", look)}`;
  };
  return plainTable<Member>({
    ...{ caption: `Members of ${place}`, look: "people", rows: members },
    columns: [
      {
        head: "Member",
        cell: ({ id, name, email }) => html`<span id="member-${id}">${name ?? emailAddress(email)}</span>\
${id === memberId && " (you)"}${name !== null && html`<br><span class="quiet">${emailAddress(email)}</span>`}`,
      },
      { head: "Role", cell: ({ role }) => ROLE_NAMES[role] },
      { head: "Since", cell: ({ created_at: since }) => visit.time(since) },
      { head: "Change", kind: "acts", cell: change },
    ],
  });
}

function invitationTable(visit: WorkspaceVisit, rows: readonly Invitation[]): Html {
  const { name, tenantId } = visit.workspace;
  const withdraw = ({ id }: Invitation): Html =>
    visit.act(`/members/${tenantId}/invitations/${id}/withdraw`, "Withdraw", `invitation-${id}`);
  return plainTable<Invitation>({
    ...{ caption: `Invitations to ${name} that wait for an answer`, look: "people", rows },
    columns: [
      { head: "Email", cell: ({ id, email }) => html`<span id="invitation-${id}">${email}</span>` },
      { head: "Role", cell: ({ role }) => ROLE_NAMES[role] },
      { head: "Invited by", cell: ({ invitedBy }) => invitedBy },
      { head: "Good until", cell: ({ expiresAt }) => visit.time(expiresAt) },
      { head: "Withdraw", kind: "acts", cell: withdraw },
    ],
  });
}

/** Asks an admin to confirm that a member is to be removed. */
function removeView(visit: WorkspaceVisit, member: Member, keys: string | null): Confirmation {
  const { name, memberId } = visit.workspace;
  const isOwn = member.id === memberId;
  const [they, their, them] = isOwn ? ["You", "you", "you"] : ["They", "they", "them"];
  return {
    question: isOwn ? `Leave ${name}?` : `Remove ${member.name ?? member.email} from ${name}?`,
    consequences: [
      `Every assistant ${their} have connected to ${name} stops at once.`,
      ...(keys === null ? [] : [`${keys}: what knows such a key still gets in. Revoke it under API keys.`]),
      `${they} see nothing of ${name} any more, and open invitations by ${them} are withdrawn.`,
      `What ${their} did stays in the audit trail. To come back ${their} have to be invited again.`,
    ],
    button: isOwn ? "Leave" : "Remove",
    stay: isOwn ? "Stay" : `Keep ${them}`,
  };
}
