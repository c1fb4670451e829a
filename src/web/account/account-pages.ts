import { openPending } from "../../../auth/pending-sign-in.ts";
import { checkCode } from "../../../auth/second-factor/check.ts";
import { html, link, muted, submit } from "../kit/markup.ts";
import { anybody, CODE_PATH, nobody, type OpenVisit, type PageRoutes, Visit } from "../kit/page.ts";
import { AFTER_SIGN_IN, destination } from "../kit/site.ts";
import { credential, type FormFaults, originOf, refusedProof, signInByPassword, typedProof } from "./credentials.ts";
import { type SignInRefused, signInByForm, signInForm } from "./sign-in-form.ts";

const ENDED = "Your session had ended, so this was not carried out. Sign in again";

/** What was just done, by the name in the address. */
const DONE = {
  signed_out: "You have signed out.",
  password_reset: "Your password is changed. Sign in with the new one.",
  form_kept: `${ENDED} within 15 minutes to find the form as you typed it; if you had sent it before, \
look whether it is done.`,
  form_lost: `${ENDED} and repeat it: the form could not be kept.`,
  code_expired: "Too much time has passed. Sign in again.",
};

/** `/signin` and `/signout`. */
export const ACCOUNT_PAGES: PageRoutes = {
  routes: [
    anybody.get("/signin", async (visit) => (visit.session === null ? showSignIn(visit, null) : destinationOf(visit))),
    nobody.post("/signin", async (visit) => {
      const outcome = await signInByForm(visit, destinationOf(visit));
      return "goTo" in outcome ? outcome.goTo : showSignIn(visit, outcome.refused);
    }),
    anybody.get("/signout", showSignOut),
    {
      ...anybody.get("/signout", showSignOut),
      method: "post",
      async answer({ site, request, response }) {
        const session = await site.person(request);
        await (session === null ? site.readOurs(request) : site.readForm(request, "/signout", session));
        await site.signOut(request, response);
        new Visit({ site, request, response, session }).redirect("/signin?done=signed_out");
      },
    },
  ],
};

const destinationOf = ({ site, request }: OpenVisit): string => destination(site.publicOrigin, request.query.next);

async function showSignIn(visit: OpenVisit, refused: SignInRefused | null): Promise<void> {
  const next = destinationOf(visit);
  const action = next === AFTER_SIGN_IN ? "/signin" : `/signin?next=${encodeURIComponent(next)}`;
  const form = await signInForm(visit, { action, next, email: visit.field("email"), refused });
  visit.showNarrow("Sign in", "Sign in", [refused === null && visit.note(DONE), form], refused?.status);
}

async function showSignOut(visit: OpenVisit): Promise<unknown> {
  if (visit.session === null) return "/signin";
  const who = html`<p>You are signed in as <strong>${visit.session.email}</strong>. Assistants you have connected stay
connected.</p>`;
  return visit.showNarrow("Sign out", "Sign out", [who, visit.form("/signout", submit("Sign out"))]);
}

/** `/signin/code`: the second step of a sign-in, for who has a second factor. */
export const CODE_PAGE: PageRoutes = { routes: [nobody.get(CODE_PATH, ask), nobody.post(CODE_PATH, enter)] };

function expired({ site, response }: OpenVisit): string {
  site.pending.clear(response);
  return "/signin?done=code_expired";
}

const pendingOf = ({ site, request }: OpenVisit) => openPending(site.core, site.pending.read(request));

async function ask(visit: OpenVisit): Promise<unknown> {
  return (await pendingOf(visit)) === null ? expired(visit) : show(visit, 200);
}

async function enter(visit: OpenVisit): Promise<unknown> {
  const { site, request, response } = visit;
  const pending = await pendingOf(visit);
  if (pending === null) return expired(visit);
  const attempt = {
    ...pending,
    ...originOf(visit),
    code: typedProof(visit, "code"),
    browser: site.knownBrowser(request),
  };
  const checked = await checkCode(site.core, attempt);
  if ("refused" in checked) {
    const { status, faults } = refusedProof(visit, checked, { code: "This code is not right, or was used already." });
    return show(visit, status, faults);
  }
  site.pending.clear(response);
  return (await signInByPassword(visit, pending, true)) ? pending.next : expired(visit);
}

function show(visit: OpenVisit, status: number, faults: FormFaults = {}): void {
  const hint = "The six digits of your authenticator app, or one of your recovery codes.";
  const fields = [credential("code", { hint, faults, more: html`autofocus` }), submit("Sign in")];
  const parts = [
    visit.form(CODE_PATH, fields),
    muted("Without your app and your recovery codes, ask the operator of this service."),
    html`<p>${link("/signin", "Sign in as somebody else")}</p>`,
  ];
  visit.showNarrow("Sign in", "Enter your code", parts, status);
}
