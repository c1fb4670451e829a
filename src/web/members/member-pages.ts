import { type Request, type Response, Router } from "express";
import type { Membership } from "../../../auth/connections.ts";
import { inviteMember } from "../../../auth/invitations/invite-member.ts";
import { listInvitations } from "../../../auth/invitations/list-invitations.ts";
import { withdrawInvitation } from "../../../auth/invitations/withdraw-invitation.ts";
import { Email, listMembers, type Member } from "../../../auth/members/member.ts";
import { removeMember } from "../../../auth/members/remove-member.ts";
import { setMemberRole } from "../../../auth/members/set-member-role.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import type { Role } from "../../core/gate/actor.ts";
import { notFound, ServiceError } from "../../core/gate/error.ts";
import { administeredBy, administeredWorkspaces, adminsOnly } from "../kit/administered.ts";
import { type Html, html } from "../kit/html.ts";
import { renderPage } from "../kit/layout.ts";
import { idIn, newsOf } from "../kit/news.ts";
import { fieldOf, type Site } from "../kit/site.ts";
import { membersSection, removeView } from "./member-view.ts";

/** What happened, by the name under which the address tells of it. */
const SAID = {
  invited: "The invitation is on its way.",
  invited_again: "Another invitation is on its way. The link of the earlier one is not valid any more.",
  unassigned:
    "The member was removed, and their assistants were stopped. A workflow has no assignee now: an operator can name one.",
  withdrawn: "The invitation was withdrawn. Its link leads nowhere any more.",
  removed: "The member was removed, and their assistants were stopped.",
  role: "The role was changed. It counts from their next call on.",
};

const TITLE = "Members";
const SIGN_IN = "/signin?next=%2Fmembers";

/** A form to invite that was not accepted. */
interface Refused {
  tenantId: string;
  status: number;
  email: string;
  role: Role;
  problem: string;
}

/** `/members` (completions §1): an admin invites people, changes what they may do, and removes them. */
export function memberPages(site: Site): Router {
  const router = Router();
  const fieldsFor =
    (request: Request, response: Response, session: WebSession) =>
    (action: string): Html =>
      site.formField(request, response, action, session);

  async function show(request: Request, response: Response, session: WebSession, refused: Refused | null) {
    const workspaces = await administeredWorkspaces(site, session);
    if (workspaces.length === 0)
      return void response
        .status(403)
        .send(adminsOnly(session, TITLE, "Only an admin of a workspace manages its members"));
    const sections = [];
    for (const workspace of workspaces) {
      const { tenantId } = workspace;
      sections.push(
        membersSection({
          workspace,
          members: await listMembers(site.core, tenantId),
          invitations: await listInvitations(site.core, tenantId),
          formField: fieldsFor(request, response, session),
          refused: refused?.tenantId === tenantId ? refused : null,
        }),
      );
    }
    const body = html`<h1>Members</h1>
<p class="quiet">Who belongs to a workspace, and what they may do there.</p>
${newsOf(SAID, request.query)}${sections}`;
    response.status(refused?.status ?? 200).send(renderPage({ title: TITLE, person: session, body }));
  }

  /** The admin a form is from, and their place in its workspace; null once the browser was sent to sign in. */
  async function admin(request: Request<{ tenantId: string }>, response: Response) {
    const session = await site.person(request);
    if (session === null) {
      response.redirect(303, SIGN_IN);
      return null;
    }
    site.checkForm(request, request.path, session);
    const workspace = await administeredBy(site, session, request.params.tenantId);
    return { session, workspace };
  }

  router.get("/members", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    await show(request, response, session, null);
  });

  router.post("/members/:tenantId", async (request, response) => {
    const caller = await admin(request, response);
    if (caller === null) return;
    const { tenantId } = caller.workspace;
    const role: Role = fieldOf(request, "role") === "admin" ? "admin" : "member";
    const email = Email.safeParse(fieldOf(request, "email"));
    const refuse = (status: number, problem: string) =>
      show(request, response, caller.session, { tenantId, status, email: fieldOf(request, "email"), role, problem });
    if (!email.success) return refuse(400, "That is not an email address.");
    try {
      const { replaces } = await site.act(response, caller.workspace, inviteMember, { email: email.data, role });
      return void response.redirect(303, replaces ? "/members?invited_again" : "/members?invited");
    } catch (error) {
      if (!(error instanceof ServiceError) || !["conflict", "rate_limit_exceeded"].includes(error.code)) throw error;
      return refuse(error.httpStatus, error.message);
    }
  });

  router.post("/members/:tenantId/invitations/:invitationId/withdraw", async (request, response) => {
    const caller = await admin(request, response);
    if (caller === null) return;
    const id = idIn(request.params.invitationId, "invitation");
    await site.act(response, caller.workspace, withdrawInvitation, { id });
    response.redirect(303, "/members?withdrawn");
  });

  router.post("/members/:tenantId/:memberId/role", async (request, response) => {
    const caller = await admin(request, response);
    if (caller === null) return;
    const role: Role = fieldOf(request, "role") === "admin" ? "admin" : "member";
    const memberId = idIn(request.params.memberId, "member");
    await site.act(response, caller.workspace, setMemberRole, { member: { memberId }, role });
    const hasSteppedDown = memberId === caller.workspace.memberId && role === "member";
    response.redirect(303, hasSteppedDown ? "/?stepped_down" : `/members?role=${role}`);
  });

  router.get("/members/:tenantId/:memberId/remove", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    const workspace = await administeredBy(site, session, request.params.tenantId);
    const member = await memberOf(site, workspace, request.params.memberId);
    const body = removeView(workspace, member, fieldsFor(request, response, session));
    response.send(renderPage({ title: "Remove", person: session, narrow: true, body }));
  });

  router.post("/members/:tenantId/:memberId/remove", async (request, response) => {
    const caller = await admin(request, response);
    if (caller === null) return;
    const memberId = idIn(request.params.memberId, "member");
    const { assignee_of: left } = await site.act(response, caller.workspace, removeMember, { member: { memberId } });
    response.redirect(303, left.length === 0 ? "/members?removed" : "/members?unassigned");
  });

  return router;
}

async function memberOf({ core }: Site, { tenantId }: Membership, memberId: string): Promise<Member> {
  const member = (await listMembers(core, tenantId)).find(({ id }) => id === memberId);
  if (member === undefined) throw notFound("member");
  return member;
}
