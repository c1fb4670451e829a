import { inviteMember } from "../../../auth/invitations/invite-member.ts";
import { type Invitation, listInvitations } from "../../../auth/invitations/list-invitations.ts";
import { withdrawInvitation } from "../../../auth/invitations/withdraw-invitation.ts";
import { listMembers, type Member } from "../../../auth/members/member.ts";
import { removeMember } from "../../../auth/members/remove-member.ts";
import { setMemberRole } from "../../../auth/members/set-member-role.ts";
import { notFound } from "../../core/kernel/error.ts";
import { Form } from "../kit/form.ts";
import { emailAddress, type Html, html } from "../kit/html.ts";
import { confirmation, hidden } from "../kit/parts.ts";
import { doing } from "../kit/routes.ts";
import { sectionsPage } from "../kit/sections-page.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { ROLE_NAMES, timeElement } from "../kit/words.ts";
import { plainTable } from "../lists/table.ts";

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
    role: "The role was changed. It counts from their next call on.",
  },
  section: async (visit) =>
    membersSection({
      visit,
      members: await visit.call(listMembers, {}),
      invitations: await visit.call(listInvitations, {}),
    }),
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
        return removeView(visit, member);
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
    choices: {
      member: "Member: reads everything, changes nothing",
      admin: "Admin: also acts, and manages members, keys and connections",
    },
  },
});

/** A workspace's people as its admin sees them. */
interface MembersView {
  visit: WorkspaceVisit;
  members: readonly Member[];
  invitations: readonly Invitation[];
}

/** The section of a workspace: who is in it, who is invited, and the form to invite. */
function membersSection(view: MembersView): Html {
  const { visit, invitations } = view;
  const { tenantId: key, name, timezone } = visit.workspace;
  return html`<section>
<h2>${name}</h2>
<p class="quiet">Times are in ${timezone}.</p>
${memberTable(view)}
${invitations.length > 0 && invitationTable(view)}
<h3>Invite somebody to ${name}</h3>
${INVITE.view(visit, {
  ...{ path: `/members/${key}`, key, button: "Invite", once: true, look: "card", label: `Invite somebody to ${name}` },
})}
</section>`;
}

function memberTable({ visit, members }: MembersView): Html {
  const { name: place, memberId, timezone, tenantId } = visit.workspace;
  const isLastAdmin = ({ role }: Member): boolean =>
    role === "admin" && members.filter((one) => one.role === "admin").length === 1;
  return plainTable<Member>({
    caption: `Members of ${place}`,
    look: "people",
    rows: members,
    columns: [
      {
        head: "Member",
        cell: ({ id, name, email }) => html`<span id="member-${id}">${name ?? emailAddress(email)}</span>\
${id === memberId && " (you)"}${name !== null && html`<br><span class="quiet">${emailAddress(email)}</span>`}`,
      },
      { head: "Role", cell: ({ role }) => ROLE_NAMES[role] },
      { head: "Since", cell: ({ created_at: since }) => timeElement(since, timezone) },
      {
        head: "Change",
        kind: "acts",
        cell: (member) => {
          const { id, role } = member;
          if (isLastAdmin(member))
            return html`<span class="quiet">The only admin: stays until there is another.</span>`;
          const path = `/members/${tenantId}/${id}`;
          const other = role === "admin" ? "member" : "admin";
          const change = html`${hidden("role", other)}\
<button class="plain" aria-describedby="member-${id}">Make ${other}</button>`;
          return html`${visit.button(`${path}/role`, change)}
<a class="danger" href="${path}/remove" aria-describedby="member-${id}">${id === memberId ? "Leave" : "Remove"}</a>`;
        },
      },
    ],
  });
}

function invitationTable({ visit, invitations }: MembersView): Html {
  const { name, tenantId, timezone } = visit.workspace;
  return html`<h3>Invited</h3>
${plainTable<Invitation>({
  caption: `Invitations to ${name} that wait for an answer`,
  look: "people",
  rows: invitations,
  columns: [
    { head: "Email", cell: ({ id, email }) => html`<span id="invitation-${id}">${email}</span>` },
    { head: "Role", cell: ({ role }) => ROLE_NAMES[role] },
    { head: "Invited by", cell: ({ invitedBy }) => invitedBy },
    { head: "Good until", cell: ({ expiresAt }) => timeElement(expiresAt, timezone) },
    {
      head: "Withdraw",
      kind: "acts",
      cell: ({ id }) =>
        visit.button(
          `/members/${tenantId}/invitations/${id}/withdraw`,
          html`<button class="danger" aria-describedby="invitation-${id}">Withdraw</button>`,
        ),
    },
  ],
})}`;
}

/** Asks an admin to confirm that a member is to be removed. */
function removeView(visit: WorkspaceVisit, member: Member): Html {
  const { name, memberId } = visit.workspace;
  const isOwn = member.id === memberId;
  const [they, their, them] = isOwn ? ["You", "you", "you"] : ["They", "they", "them"];
  return confirmation(visit, {
    question: isOwn ? `Leave ${name}?` : `Remove ${member.name ?? member.email} from ${name}?`,
    consequences: [
      `Every assistant ${their} have connected to ${name} stops at once.`,
      `${they} see nothing of ${name} any more, and the invitations ${their} sent end.`,
      `What ${their} did stays in the audit trail. To come back ${their} have to be invited again.`,
    ],
    button: isOwn ? "Leave" : "Remove",
    back: { path: "/members", words: isOwn ? "Stay" : `Keep ${them}` },
  });
}
