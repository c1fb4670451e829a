import type { z } from "zod";
import {
  acceptInvitation,
  type InvitationToAnswer,
  Newcomer,
  readInvitation,
} from "../../../auth/invitations/answer-invitation.ts";
import { ORGANISATION_PATH } from "../../../auth/upstream-sign-in/flow.ts";
import { INVITATION_PATH } from "../../core/accounts/invitation-token.ts";
import { afterPassword } from "../account/sign-in-form.ts";
import { withQuery } from "../kit/address.ts";
import { anybody } from "../kit/doors.ts";
import { type Html, html } from "../kit/html.ts";
import { input, muted, secretInput } from "../kit/parts.ts";
import type { PageRoutes } from "../kit/routes.ts";
import type { OpenVisit } from "../kit/visit.ts";
import { ROLE_NAMES } from "../kit/words.ts";

/** What a newcomer typed that was not accepted. */
interface Refused {
  name: string;
  problems: { name?: string; password?: string };
}

const PATH = `${INVITATION_PATH}/:token`;

/** `/invitations/<token>`: the link in an invitation mail. GET changes nothing, because mail programs open links. */
export const INVITATION_PAGES: PageRoutes = {
  routes: [anybody.get(PATH, (visit) => show(visit, null)), anybody.post(PATH, accept)],
};

const tokenIn = ({ request: { params } }: OpenVisit): string => params.token ?? "";

async function show(visit: OpenVisit, refused: Refused | null): Promise<void> {
  const invitation = await readInvitation(visit.site.core, tokenIn(visit));
  if (invitation === null) return gone(visit);
  const { role } = invitation;
  const more = role === "admin" && ", which can act for you, and you manage its people and connections";
  const body = html`<h1>Join ${invitation.workspace}</h1>
<p>${invitation.inviter} invites you, <strong>${invitation.email}</strong>, as ${
    role === "admin"
      ? "an admin"
      : "a \
member"
  }.</p>
<p class="quiet">${ROLE_NAMES[role]}: you see its receivables and may connect assistants to them${more}.</p>
${answer(invitation, visit, refused)}`;
  visit.show({ title: "Invitation", narrow: true, body }, refused === null ? 200 : 400);
}

async function accept(visit: OpenVisit): Promise<unknown> {
  const { session, requestId } = visit;
  const { core } = visit.site;
  const token = tokenIn(visit);
  const invitation = await readInvitation(core, token);
  if (invitation === null) return gone(visit);
  const asked = { token, requestId };
  if (session !== null && session.email === invitation.email) {
    await acceptInvitation(core, asked, session);
    return JOINED;
  }
  if (session !== null || invitation.answeredBy === "sign_in") return show(visit, null);
  const isByPassword = invitation.answeredBy === "password";
  const given = { name: visit.field("name"), ...(isByPassword && { password: visit.field("password") }) };
  const newcomer = Newcomer.safeParse(given);
  if (!newcomer.success) return show(visit, { name: given.name, problems: problemsOf(newcomer.error) });
  const { personId, passwordHash } = await acceptInvitation(core, asked, newcomer.data);
  if (passwordHash === null) return withQuery(ORGANISATION_PATH, { workspace: invitation.tenantId, next: JOINED });
  const outcome = await afterPassword(visit, { personId, passwordHash, next: JOINED });
  return "goTo" in outcome ? outcome.goTo : "/signin";
}

const JOINED = "/?done=joined";

const ONE_WORKSPACE = (workspace: string): Html => html`<p class="quiet">Your organisation signs you in to its own \
workspace only. ${workspace} opens with a password that you have here, or with the sign-in of its own
organisation.</p>`;

function answer(invitation: InvitationToAnswer, visit: OpenVisit, refused: Refused | null): Html {
  const { session, request } = visit;
  const send = (fields: Html): Html => visit.form(request.path, fields);
  if (session !== null && session.email === invitation.email)
    return html`${session.tenantId !== null && ONE_WORKSPACE(invitation.workspace)}
${send(JOIN)}`;
  if (session !== null)
    return html`<p class="warn">You are signed in as <strong>${session.email}</strong>. Sign out, then open the link
of the
mail again.</p>
<p><a href="/signout">Sign out</a></p>`;
  if (invitation.answeredBy === "sign_in")
    return html`<p>You have an account already.</p>
<div class="actions"><a class="button" href="/signin?next=${encodeURIComponent(request.path)}">Sign in to
join</a></div>`;
  return send(html`
${input(
  { id: "name", name: "name", label: "Your name", problem: refused?.problems.name },
  html`value="${refused?.name}" autocomplete="name" required maxlength="100"`,
)}
${
  invitation.answeredBy === "password"
    ? passwordInput(invitation, refused)
    : muted("You sign in with your organisation next.")
}
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

function gone(visit: OpenVisit): void {
  const body = html`<h1>This invitation is no longer valid</h1>
<p>It was used or withdrawn, or has expired. Ask the person who invited you for a new one.</p>
<p><a href="/">To the start page</a></p>`;
  visit.show({ title: "Invitation", narrow: true, body }, 404);
}
