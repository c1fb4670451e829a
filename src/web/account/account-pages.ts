import type { Request, Response, Router } from "express";
import { type Html, html } from "../kit/html.ts";
import type { Page } from "../kit/layout.ts";
import { PageRoutes, sendNarrow } from "../kit/page-routes.ts";
import { AFTER_SIGN_IN, destination, fieldOf, type Site } from "../kit/site.ts";
import { organisationLink, type SignInRefused, signInByForm, signInForm } from "./sign-in-form.ts";

/** The notice above the form, by the name in the query. */
const NOTICES = [
  ["signed_out", "You have signed out."],
  ["password_reset", "Your password is changed. Sign in with the new one."],
  ["code_expired", "Too much time has passed. Sign in again."],
] as const;

/** `/signin` and `/signout`. */
export function accountPages(site: Site): Router {
  const routes = new PageRoutes(site);
  routes.get("/signin", async (request, response) => {
    const session = await site.person(request);
    const next = destination(site.publicOrigin, request.query.next);
    if (session !== null) return response.redirect(303, next);
    const notice = NOTICES.find(([name]) => request.query[name] !== undefined)?.[1] ?? null;
    sendNarrow(response, await signInPage(site, request, response, { next, notice, email: "", refused: null }));
  });

  routes.post("/signin", async (request, response) => {
    await site.readForm(request, response, "/signin", null);
    const next = destination(site.publicOrigin, request.query.next);
    const outcome = await signInByForm(site, request, response, next);
    if ("goTo" in outcome) return response.redirect(303, outcome.goTo);
    const { refused } = outcome;
    const email = fieldOf(request, "email");
    const form = { next, notice: null, email, refused };
    sendNarrow(response, await signInPage(site, request, response, form), refused.status);
  });

  routes.get("/signout", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, "/signin");
    const form = html`<div class="actions"><button>Sign out</button></div>`;
    const body = html`<h1>Sign out</h1>
<p>You are signed in as <strong>${session.email}</strong>. Assistants you have connected stay connected.</p>
${site.form({ request, response, session }, "/signout", form)}`;
    sendNarrow(response, { title: "Sign out", person: session, body });
  });

  routes.post("/signout", async (request, response) => {
    const session = await site.person(request);
    if (session !== null) await site.readForm(request, response, "/signout", session);
    await site.signOut(request, response);
    response.redirect(303, "/signin?signed_out");
  });

  return routes.router;
}

async function signInPage(
  site: Site,
  request: Request,
  response: Response,
  form: { next: string; notice: string | null; email: string; refused: SignInRefused | null },
): Promise<Pick<Page, "title" | "body">> {
  const { next, notice, email, refused } = form;
  const action = next === AFTER_SIGN_IN ? "/signin" : `/signin?next=${encodeURIComponent(next)}`;
  const send = (fields: Html): Html => site.form({ request, response, session: null }, "/signin", fields, { action });
  const body = html`<h1>Sign in</h1>
${notice !== null && html`<p class="status" role="status">${notice}</p>`}
${signInForm({ send, email, refused, organisation: await organisationLink(site, next) })}`;
  return { title: "Sign in", body };
}
