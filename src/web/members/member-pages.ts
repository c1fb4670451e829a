import { listInvitations } from "../../../auth/invitations/list-invitations.ts";
import { withdrawInvitation } from "../../../auth/invitations/withdraw-invitation.ts";
import { listMembers } from "../../../auth/members/member.ts";
import { removeMember } from "../../../auth/members/remove-member.ts";
import { setMemberRole } from "../../../auth/members/set-member-role.ts";
import { notFound } from "../../core/kernel/error.ts";
import { sectionsPage } from "../kit/sections-page.ts";
import { INVITE, membersSection, removeView } from "./member-view.ts";

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
      "The member was removed, and their assistants were stopped. A workflow has no assignee now: an operator can name one.",
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
    "/invitations/:invitationId/withdraw": {
      async send(visit) {
        await visit.call(withdrawInvitation, { id: visit.id("invitationId", "invitation") });
        return "withdrawn";
      },
    },
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
