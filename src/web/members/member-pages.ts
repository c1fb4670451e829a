import type { Router } from "express";
import { inviteMember } from "../../../auth/invitations/invite-member.ts";
import { listInvitations } from "../../../auth/invitations/list-invitations.ts";
import { withdrawInvitation } from "../../../auth/invitations/withdraw-invitation.ts";
import { Email, listMembers } from "../../../auth/members/member.ts";
import { removeMember } from "../../../auth/members/remove-member.ts";
import { setMemberRole } from "../../../auth/members/set-member-role.ts";
import type { Role } from "../../core/gate/actor.ts";
import { notFound, ServiceError } from "../../core/kernel/error.ts";
import { AdminPage, idIn, noticeOf, type RefusedForm } from "../kit/admin-page.ts";
import { actOnce, onceField, SENT_BEFORE } from "../kit/once.ts";
import type { Visit } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { membersSection, removeView } from "./member-view.ts";

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

/** An invitation that was not accepted: what was typed, and why. */
interface RefusedInvitation extends RefusedForm {
  email: string;
  role: Role;
  problem: string;
  /** Its name is used up: the next is another form. */
  isSpent?: boolean;
}

const REFUSALS = new Set(["conflict", "rate_limit_exceeded", "idempotency_conflict"]);

/** Rethrows errors that are not about the form. */
function whyNotInvited(error: unknown): Pick<RefusedInvitation, "status" | "problem" | "isSpent"> {
  if (!(error instanceof ServiceError) || !REFUSALS.has(error.code)) throw error;
  const isSpent = error.code === "idempotency_conflict";
  return { status: error.httpStatus, problem: isSpent ? SENT_BEFORE : error.message, isSpent };
}

/** `/members` (completions §1): an admin invites people, changes their roles, and removes them. */
export function memberPages(site: Site): Router {
  const page = new AdminPage<RefusedInvitation>(site, {
    path: "/members",
    title: "Members",
    adminsOnly: "Only an admin of a workspace manages its members",
    intro: "Who belongs to a workspace, and what they may do there.",
    notice: (query) => noticeOf(NOTICES, query),
    section: async (workspace, visit, refused) =>
      membersSection({
        once: onceField(visit, { isFresh: refused?.isSpent === true }),
        workspace,
        members: await visit.act(workspace, listMembers, {}),
        invitations: await visit.act(workspace, listInvitations, {}),
        formField: visit.formField,
        refused,
      }),
  });

  page.form("", async (visit, workspace) => {
    const role = roleIn(visit);
    const email = Email.safeParse(visit.field("email"));
    const typed = { tenantId: workspace.tenantId, email: visit.field("email"), role };
    if (!email.success) return { ...typed, status: 400, problem: "That is not an email address." };
    try {
      const { replaces } = await actOnce({ visit, workspace }, inviteMember, { email: email.data, role });
      return replaces ? "/members?invited_again" : "/members?invited";
    } catch (error) {
      return { ...typed, ...whyNotInvited(error) };
    }
  });

  page.form("/invitations/:invitationId/withdraw", async (visit, workspace) => {
    await visit.act(workspace, withdrawInvitation, { id: idIn(visit.request.params.invitationId, "invitation") });
    return "/members?withdrawn";
  });

  page.form("/:memberId/role", async (visit, workspace) => {
    const role = roleIn(visit);
    const memberId = idIn(visit.request.params.memberId, "member");
    await visit.act(workspace, setMemberRole, { member: { memberId }, role });
    return memberId === workspace.memberId && role === "member" ? "/?stepped_down" : `/members?role=${role}`;
  });

  page.page("/:memberId/remove", "Remove", async (visit, workspace) => {
    const members = await visit.act(workspace, listMembers, {});
    const member = members.find(({ id }) => id === visit.request.params.memberId);
    if (member === undefined) throw notFound("member");
    return removeView(workspace, member, visit.formField);
  });

  page.form("/:memberId/remove", async (visit, workspace) => {
    const memberId = idIn(visit.request.params.memberId, "member");
    const { assignee_of: left } = await visit.act(workspace, removeMember, { member: { memberId } });
    return left.length === 0 ? "/members?removed" : "/members?unassigned";
  });

  return page.router;
}

function roleIn(visit: Visit): Role {
  return visit.field("role") === "admin" ? "admin" : "member";
}
