import type { Router } from "express";
import { listInvitations } from "../../../auth/invitations/list-invitations.ts";
import { withdrawInvitation } from "../../../auth/invitations/withdraw-invitation.ts";
import { listMembers } from "../../../auth/members/member.ts";
import { removeMember } from "../../../auth/members/remove-member.ts";
import { setMemberRole } from "../../../auth/members/set-member-role.ts";
import { notFound } from "../../core/kernel/error.ts";
import { AdminPage } from "../kit/admin-page.ts";
import type { Site } from "../kit/site.ts";
import { INVITE, membersSection, removeView } from "./member-view.ts";

/** The notice after a form, by the name in the query. */
const NOTICES = {
  invited: "The invitation is on its way.",
  invited_again: "Another invitation is on its way. The link of the earlier one is not valid any more.",
  unassigned:
    "The member was removed, and their assistants were stopped. A workflow has no assignee now: an operator can name one.",
  withdrawn: "The invitation was withdrawn. Its link is no longer valid.",
  removed: "The member was removed, and their assistants were stopped.",
  role: "The role was changed. It counts from their next call on.",
};

/** `/members` (completions §1): an admin invites people, changes their roles, and removes them. */
export function memberPages(site: Site): Router {
  const page = new AdminPage(site, {
    path: "/members",
    title: "Members",
    adminsOnly: "Only an admin of a workspace manages its members",
    intro: "Who belongs to a workspace, and what they may do there.",
    notices: NOTICES,
    section: async (workspace, visit) =>
      membersSection({
        visit,
        workspace,
        members: await visit.act(workspace, listMembers, {}),
        invitations: await visit.act(workspace, listInvitations, {}),
      }),
  });

  page.form("", async (visit, workspace) => {
    const { replaces } = await INVITE.send({ visit, workspace }, {}, { once: true });
    return replaces ? "invited_again" : "invited";
  });

  page.form("/invitations/:invitationId/withdraw", async (visit, workspace) => {
    await visit.act(workspace, withdrawInvitation, { id: visit.id("invitationId", "invitation") });
    return "withdrawn";
  });

  page.form("/:memberId/role", async (visit, workspace) => {
    const role = visit.field("role") === "admin" ? "admin" : "member";
    const memberId = visit.id("memberId", "member");
    await visit.act(workspace, setMemberRole, { member: { memberId }, role });
    return memberId === workspace.memberId && role === "member" ? "/?stepped_down" : "role";
  });

  page.page("/:memberId/remove", "Remove", async (visit, workspace) => {
    const members = await visit.act(workspace, listMembers, {});
    const member = members.find(({ id }) => id === visit.request.params.memberId);
    if (member === undefined) throw notFound("member");
    return removeView(workspace, member, visit);
  });

  page.form("/:memberId/remove", async (visit, workspace) => {
    const memberId = visit.id("memberId", "member");
    const { assignee_of: left } = await visit.act(workspace, removeMember, { member: { memberId } });
    return left.length === 0 ? "removed" : "unassigned";
  });

  return page.router;
}
