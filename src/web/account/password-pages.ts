import { type Request, type Response, Router } from "express";
import { changePassword } from "../../../auth/change-password.ts";
import { sourceOf } from "../../../auth/failed-attempts.ts";
import { Password } from "../../../auth/members/member.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { input } from "../kit/fields.ts";
import { html } from "../kit/html.ts";
import { type Page, renderPage } from "../kit/layout.ts";
import { fieldOf, type Site } from "../kit/site.ts";
import { tooManyAttempts } from "./sign-in-form.ts";

const PATH = "/password";
const SIGN_IN = "/signin?next=%2Fpassword";

/** What was wrong with a form, by field. */
interface Problems {
  current?: string;
  next?: string;
}

/** `/password`: what a person signs in with, changed by whoever knows it. */
export function passwordPages(site: Site): Router {
  const router = Router();

  router.get(PATH, async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    const notice = request.query.changed === undefined ? null : "Your password is changed.";
    response.send(renderPage(formPage(site, request, response, { session, notice, problems: {} })));
  });

  router.post(PATH, async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    site.checkForm(request, PATH, session);
    const refuse = (status: number, problems: Problems): void =>
      void response
        .status(status)
        .send(renderPage(formPage(site, request, response, { session, notice: null, problems })));
    // A provider that vouched for the person in one workspace does not answer for what is theirs everywhere.
    if (session.tenantId !== null) return refuse(403, {});
    const next = Password.safeParse(fieldOf(request, "new_password"));
    if (!next.success) return refuse(400, { next: `It ${next.error.issues[0]?.message ?? "cannot be used"}.` });
    const outcome = await changePassword(site.core, {
      session,
      current: fieldOf(request, "current_password").slice(0, 1_000),
      next: next.data,
      address: sourceOf(request.ip),
      requestId: requestIdOf(response),
    });
    if ("personId" in outcome) {
      const { personId, passwordHash } = outcome;
      const isSignedIn = await site.signIn(request, response, { personId, tenantId: null, proof: { passwordHash } });
      return response.redirect(303, isSignedIn ? `${PATH}?changed` : SIGN_IN);
    }
    if (outcome.refused === "wrong") return refuse(400, { current: "This is not your current password." });
    const { message, retryAfterSeconds } = tooManyAttempts(outcome.retryAfterSeconds);
    response.setHeader("Retry-After", String(retryAfterSeconds));
    refuse(429, { current: message });
  });

  return router;
}

function formPage(
  site: Site,
  request: Request,
  response: Response,
  { session, notice, problems }: { session: WebSession; notice: string | null; problems: Problems },
): Page {
  const token = site.formField(request, response, PATH, session);
  const form = html`<form method="post" action="${PATH}">${token}
<input type="hidden" name="username" value="${session.email}" autocomplete="username">
${input({ id: "current", name: "current_password", label: "Current password", problem: problems.current }, html`type="password" autocomplete="current-password" required maxlength="1000"`)}
${input({ id: "new", name: "new_password", label: "New password", hint: "At least 12 characters.", problem: problems.next }, html`type="password" autocomplete="new-password" required minlength="12" maxlength="1000"`)}
<div class="actions"><button>Change password</button></div>
</form>`;
  const elsewhere = html`<p>You signed in with your organisation, which keeps your password. To change one you have here, sign out and sign in with it.</p>`;
  const body = html`<h1>Password</h1>
${notice !== null && html`<p class="status" role="status">${notice}</p>`}
<p>Every other browser you are signed in with is signed out. Assistants you have connected stay connected.</p>
${session.tenantId === null ? form : elsewhere}`;
  return { title: "Password", person: session, narrow: true, body };
}
