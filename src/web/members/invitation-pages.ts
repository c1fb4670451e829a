import type { Request, Response, Router } from "express";
import type { z } from "zod";
import {
  acceptInvitation,
  type InvitationToAnswer,
  Newcomer,
  readInvitation,
} from "../../../auth/invitations/answer-invitation.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { ORGANISATION_PATH } from "../../../auth/upstream-sign-in/flow.ts";
import { INVITATION_PATH } from "../../core/accounts/invitation-token.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { afterPassword } from "../account/sign-in-form.ts";
import { input, secretInput } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { PageRoutes, sendNarrow } from "../kit/page-routes.ts";
import { fieldOf, type Site } from "../kit/site.ts";
import { ROLE_NAMES } from "../kit/words.ts";

type InvitationRequest = Request<{ token: string }>;

/** What a newcomer typed that was not accepted. */
interface Refused {
  name: string;
  problems: { name?: string; password?: string };
}

/** `/invitations/<token>`: the link in an invitation mail. GET changes nothing, because mail programs open links. */
export function invitationPages(site: Site): Router {
  const routes = new PageRoutes(site);
  const path = `${INVITATION_PATH}/:token`;

  async function show(request: InvitationRequest, response: Response, refused: Refused | null): Promise<void> {
    const { token } = request.params;
    const invitation = await readInvitation(site.core, token);
    if (invitation === null) return gone(response);
    const session = await site.person(request);
    const send = (fields: Html): Html => site.form({ request, response, session }, request.path, fields);
    const body = html`<h1>Join ${invitation.workspace}</h1>
<p>${invitation.inviter} invites you, <strong>${invitation.email}</strong>, as ${invitation.role === "admin" ? "an admin" : "a member"}.</p>
<p class="quiet">${ROLE_NAMES[invitation.role]}: you see its receivables and may connect assistants to them${invitation.role === "admin" && ", which can act for you, and you manage its people and connections"}.</p>
${answer(invitation, session, { path: request.path, send, refused })}`;
    sendNarrow(response, { title: "Invitation", person: session, body }, refused === null ? 200 : 400);
  }

  routes.get<{ token: string }>(path, (request, response) => show(request, response, null));

  routes.post<{ token: string }>(path, async (request, response) => {
    const session = await site.person(request);
    await site.readForm(request, response, request.path, session);
    const invitation = await readInvitation(site.core, request.params.token);
    if (invitation === null) return gone(response);
    const asked = { token: request.params.token, requestId: requestIdOf(response) };
    if (session !== null && session.email === invitation.email) {
      await acceptInvitation(site.core, asked, session);
      return response.redirect(303, JOINED);
    }
    if (session !== null || invitation.answeredBy === "sign_in") return show(request, response, null);
    const isByPassword = invitation.answeredBy === "password";
    const given = { name: fieldOf(request, "name"), ...(isByPassword && { password: fieldOf(request, "password") }) };
    const newcomer = Newcomer.safeParse(given);
    if (!newcomer.success) return show(request, response, { name: given.name, problems: problemsOf(newcomer.error) });
    const { personId, passwordHash } = await acceptInvitation(site.core, asked, newcomer.data);
    if (passwordHash === null) return response.redirect(303, organisationPath(invitation));
    const outcome = await afterPassword(site, request, response, { personId, passwordHash, next: JOINED });
    response.redirect(303, "goTo" in outcome ? outcome.goTo : "/signin");
  });

  return routes.router;
}

const JOINED = "/?joined";

/** Where people sign in at the workspace's provider, on the way to its overview. */
function organisationPath({ tenantId }: InvitationToAnswer): string {
  return `${ORGANISATION_PATH}?${new URLSearchParams({ workspace: tenantId, next: JOINED })}`;
}

function answer(
  invitation: InvitationToAnswer,
  session: WebSession | null,
  { path, send, refused }: { path: string; send: (fields: Html) => Html; refused: Refused | null },
): Html {
  if (session !== null && session.email === invitation.email)
    return html`${session.tenantId !== null && html`<p class="quiet">Your organisation signs you in to its own workspace only. ${invitation.workspace} opens with a password that you have here, or with the sign-in of its own organisation.</p>`}
${send(JOIN)}`;
  if (session !== null)
    return html`<p class="warn">You are signed in as <strong>${session.email}</strong>. Sign out, then open the link of the mail again.</p>
<p><a href="/signout">Sign out</a></p>`;
  if (invitation.answeredBy === "sign_in")
    return html`<p>You have an account already.</p>
<div class="actions"><a class="button" href="/signin?next=${encodeURIComponent(path)}">Sign in to join</a></div>`;
  return send(html`
${input({ id: "name", name: "name", label: "Your name", problem: refused?.problems.name }, html`value="${refused?.name}" autocomplete="name" required maxlength="100"`)}
${invitation.answeredBy === "password" ? passwordInput(invitation, refused) : html`<p class="quiet">You sign in with your organisation next.</p>`}
${JOIN}`);
}

const JOIN = html`<div class="actions"><button>Join</button></div>`;

function passwordInput({ email }: InvitationToAnswer, refused: Refused | null): Html {
  return html`<input type="hidden" name="email" value="${email}" autocomplete="username">
${secretInput(
  {
    id: "password",
    name: "password",
    label: "Choose a password",
    hint: "At least 12 characters; several words are easy to remember.",
    problem: refused?.problems.password,
  },
  html`autocomplete="new-password" required minlength="12" maxlength="1000"`,
  { isAgain: refused !== null },
)}`;
}

function problemsOf({ issues }: z.ZodError): Refused["problems"] {
  const of = (name: string): string | undefined => issues.find(({ path }) => path[0] === name)?.message;
  const [name, password] = [of("name"), of("password")];
  return {
    ...(name !== undefined && { name: `Your name ${name}.` }),
    ...(password !== undefined && { password: `It ${password}.` }),
  };
}

function gone(response: Response): void {
  const body = html`<h1>This invitation is no longer valid</h1>
<p>It was used or withdrawn, or has expired. Ask the person who invited you for a new one.</p>
<p><a href="/">To the start page</a></p>`;
  sendNarrow(response, { title: "Invitation", body }, 404);
}
