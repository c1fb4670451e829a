import type { Request, Response, Router } from "express";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { Password } from "../../../auth/members/member.ts";
import { readReset, requestReset, resetPassword } from "../../../auth/reset-password.ts";
import { FORGOTTEN_PATH, RESET_PATH } from "../../core/accounts/reset-mail.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { tooManyAttempts } from "../account/sign-in-form.ts";
import { input } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { renderPage } from "../kit/layout.ts";
import { PageRoutes } from "../kit/page-routes.ts";
import { fieldOf, type Site } from "../kit/site.ts";

type ResetRequest = Request<{ token: string }>;

/** `/password/forgotten` and the link in its mail. GET uses nothing up, because mail programs open links. */
export function resetPages(site: Site): Router {
  const routes = new PageRoutes(site);
  const asked = (request: Request<object>, response: Response) => ({
    address: sourceOf(request.ip),
    requestId: requestIdOf(response),
  });

  routes.get(FORGOTTEN_PATH, (request, response) => {
    const token = site.formField(request, response, FORGOTTEN_PATH, null);
    send(response, 200, forgottenForm(token));
  });

  routes.post(FORGOTTEN_PATH, async (request, response) => {
    await site.readForm(request, response, FORGOTTEN_PATH, null);
    const refused = await requestReset(site.core, fieldOf(request, "email").slice(0, 320), asked(request, response));
    if (refused !== null) return sendTooMany(response, refused);
    send(response, 200, sent());
  });

  routes.get(`${RESET_PATH}/:token`, async (request: ResetRequest, response) => {
    const reset = await readReset(site.core, request.params.token, asked(request, response));
    if (reset === null) return send(response, 404, gone());
    if ("refused" in reset) return sendTooMany(response, reset);
    const token = site.formField(request, response, request.path, null);
    send(response, 200, resetForm({ action: request.path, token, email: reset.email }));
  });

  routes.post(`${RESET_PATH}/:token`, async (request: ResetRequest, response) => {
    await site.readForm(request, response, request.path, null);
    const { token } = request.params;
    const next = Password.safeParse(fieldOf(request, "new_password"));
    const reset = next.success
      ? await resetPassword(site.core, { token, next: next.data }, asked(request, response))
      : await readReset(site.core, token, asked(request, response));
    if (reset === null) return send(response, 404, gone());
    if ("refused" in reset) return sendTooMany(response, reset);
    if (next.success) return response.redirect(303, "/signin?password_reset");
    const problem = `It ${next.error.issues[0]?.message ?? "cannot be used"}.`;
    const field = site.formField(request, response, request.path, null);
    send(response, 400, resetForm({ action: request.path, token: field, email: reset.email, problem }));
  });

  return routes.router;
}

function send(response: Response, status: number, body: Html): void {
  // The address of the page is what opens the account.
  response.setHeader("Referrer-Policy", "same-origin");
  response.status(status).send(renderPage({ title: "New password", person: null, narrow: true, body }));
}

function sendTooMany(response: Response, refused: { retryAfterSeconds: number }): void {
  const message = tooManyAttempts(response, refused);
  send(response, 429, html`<h1>Choose a new password</h1><p class="alert" role="alert">${message}</p>`);
}

function forgottenForm(token: Html): Html {
  return html`<h1>Forgot your password?</h1>
<p>We mail you a link with which you choose a new one.</p>
<form method="post" action="${FORGOTTEN_PATH}">${token}
${input({ id: "email", name: "email", label: "Email" }, html`type="email" autocomplete="username" required maxlength="320" autofocus`)}
<div class="actions"><button>Send the link</button></div></form>
<p><a href="/signin">Back to sign in</a></p>`;
}

function sent(): Html {
  return html`<h1>Check your email</h1>
<p>If there is an account with this email and a password, a link is on its way. It works once, for 30 minutes.</p>
<p class="quiet">Nothing came? Check your spam folder and the spelling of the email. If you sign in with your organisation, you have no password here.</p>
<p><a href="/signin">Back to sign in</a></p>`;
}

function gone(): Html {
  return html`<h1>This link is no longer valid</h1>
<p>It was used, or its 30 minutes are over.</p>
<div class="actions"><a class="button" href="${FORGOTTEN_PATH}">Get another link</a></div>`;
}

function resetForm({
  action,
  token,
  email,
  problem,
}: {
  action: string;
  token: Html;
  email: string;
  problem?: string;
}): Html {
  const field = { id: "new", name: "new_password", label: "New password", hint: "At least 12 characters.", problem };
  return html`<h1>Choose a new password</h1>
<p>For <strong>${email}</strong>. Every browser you are signed in with is signed out. Assistants you have connected stay connected.</p>
<form method="post" action="${action}">${token}
<input type="hidden" name="username" value="${email}" autocomplete="username">
${input(field, html`type="password" autocomplete="new-password" required minlength="12" maxlength="1000" autofocus`)}
<div class="actions"><button>Change password</button></div></form>`;
}
