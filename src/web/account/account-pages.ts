import { anybody, nobody } from "../kit/doors.ts";
import { html } from "../kit/html.ts";
import type { PageRoutes } from "../kit/routes.ts";
import { AFTER_SIGN_IN, destination } from "../kit/site.ts";
import { type OpenVisit, Visit } from "../kit/visit.ts";
import { type SignInRefused, signInByForm, signInForm } from "./sign-in-form.ts";

/** What was just done, by the name in the address. */
const DONE = {
  signed_out: "You have signed out.",
  password_reset: "Your password is changed. Sign in with the new one.",
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
      async answer(site, request, response) {
        const session = await site.person(request);
        if (session !== null) await site.readForm(request, response, "/signout", session);
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
  const body = html`<h1>Sign in</h1>
${refused === null && visit.note(DONE)}
${await signInForm(visit, { action, next, email: visit.field("email"), refused })}`;
  visit.show({ title: "Sign in", narrow: true, body }, refused?.status);
}

async function showSignOut(visit: OpenVisit): Promise<unknown> {
  if (visit.session === null) return "/signin";
  const body = html`<h1>Sign out</h1>
<p>You are signed in as <strong>${visit.session.email}</strong>. Assistants you have connected stay connected.</p>
${visit.form("/signout", html`<div class="actions"><button>Sign out</button></div>`)}`;
  return visit.show({ title: "Sign out", narrow: true, body });
}
