import {
  acceptInvitation,
  type InvitationToAnswer,
  Newcomer,
  readInvitation,
} from "../../../auth/invitations/answer-invitation.ts";
import { ORGANISATION_PATH } from "../../../auth/upstream-sign-in/flow.ts";
import { INVITATION_PATH } from "../../core/accounts/invitation-token.ts";
import { credential, usernameField } from "../account/credentials.ts";
import { afterPassword } from "../account/sign-in-form.ts";
import {
  actions,
  buttonLink,
  type Html,
  html,
  type Inserted,
  input,
  link,
  muted,
  ROLE_NAMES,
  submit,
  warning,
} from "../kit/markup.ts";
import { anybody, type OpenVisit, type PageRoutes, withQuery } from "../kit/page.ts";

/** What a newcomer typed that was not accepted. */
type Refused = Extract<ReturnType<typeof Newcomer.safeParse>, { success: false }>["error"];

const PATH = `${INVITATION_PATH}/:token`;

/** `/invitations/<token>`: the link in an invitation mail. GET changes nothing, because mail programs open links. */
export const INVITATION_PAGES: PageRoutes = {
  routes: [anybody.get(PATH, (visit) => show(visit, null)), anybody.post(PATH, accept)],
};

const tokenIn = ({ request: { params } }: OpenVisit): string => params.token ?? "";

async function show(visit: OpenVisit, refused: Refused | null): Promise<void> {
  const invitation = await readInvitation(visit.site.core, tokenIn(visit));
  if (invitation === null) return gone(visit);
  const { role, workspace, inviter, email } = invitation;
  const more = role === "admin" ? ", which can act for you. You manage its people and connections" : "";
  const parts = [
    html`<p>${inviter} invites you, <strong>${email}</strong>, as ${role === "admin" ? "an admin" : "a member"}.</p>`,
    muted(`${ROLE_NAMES[role]}: you see its receivables and may connect assistants to them${more}.`),
    ...answer(invitation, visit, refused),
  ];
  visit.showNarrow("Invitation", `Join ${workspace}`, parts, refused === null ? 200 : 400);
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
  if (!newcomer.success) return show(visit, newcomer.error);
  const { personId, passwordHash } = await acceptInvitation(core, asked, newcomer.data);
  if (passwordHash === null) return withQuery(ORGANISATION_PATH, { workspace: invitation.tenantId, next: JOINED });
  const outcome = await afterPassword(visit, { personId, passwordHash, next: JOINED });
  return "goTo" in outcome ? outcome.goTo : "/signin";
}

const JOINED = "/?done=joined";

const oneWorkspace = (workspace: string): Html =>
  muted([
    `Your organisation signs you in to its own workspace only. ${workspace} opens with a password, or with the \
sign-in of its own organisation. If you have no password here, once you have joined `,
    link("/password", "choose a first one"),
    ".",
  ]);

function answer(invitation: InvitationToAnswer, visit: OpenVisit, refused: Refused | null): Inserted[] {
  const { session, request } = visit;
  const { email, answeredBy, workspace } = invitation;
  const join = submit("Join");
  if (session !== null && session.email === email)
    return [session.tenantId !== null && oneWorkspace(workspace), visit.form(request.path, join)];
  if (session !== null)
    return [
      warning(html`You are signed in as <strong>${session.email}</strong>. Sign out, then open the link of the mail
again.`),
      html`<p>${link("/signout", "Sign out")}</p>`,
    ];
  if (answeredBy === "sign_in") {
    const path = `/signin?next=${encodeURIComponent(request.path)}`;
    return ["You have an account already.", actions(buttonLink(path, "Sign in to join", ""))];
  }
  const problemOf = (name: string) => refused?.issues.find(({ path }) => path[0] === name)?.message;
  const [name, password] = [problemOf("name"), problemOf("password")];
  const fields = [
    input(
      { id: "name", name: "name", label: "Your name", problem: name && `Your name ${name}.` },
      html`value="${visit.field("name")}" autocomplete="name" required maxlength="100"`,
    ),
    answeredBy === "password"
      ? [
          usernameField(email),
          credential("new_password", {
            name: "password",
            label: "Choose a password",
            hint: "At least 12 characters; several words are easy to remember.",
            faults: refused === null ? {} : { new_password: password && `It ${password}.` },
          }),
        ]
      : muted("You sign in with your organisation next."),
    join,
  ];
  return [visit.form(request.path, fields)];
}

function gone(visit: OpenVisit): void {
  const parts = [
    "It was used or withdrawn, or has expired. Ask the person who invited you for a new one.",
    html`<p>Joined already? ${link("/signin", "Sign in")}</p>`,
  ];
  visit.showNarrow("Invitation", "This invitation is no longer valid", parts, 404);
}
