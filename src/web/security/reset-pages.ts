import type { Request, Response, Router } from "express";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { Password } from "../../../auth/members/member.ts";
import { readReset, requestReset, resetPassword } from "../../../auth/reset-password.ts";
import { FORGOTTEN_PATH, RESET_PATH } from "../../core/accounts/reset-mail.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { tooManyAttempts } from "../account/sign-in-form.ts";
import { input } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { PageRoutes, sendNarrow } from "../kit/page-routes.ts";
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
    send(response, 200, forgottenView(site.form({ request, response, session: null }, FORGOTTEN_PATH, EMAIL)));
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
    send(response, 200, resetView(request, response, reset.email));
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
    send(response, 400, resetView(request, response, reset.email, problem));
  });

  function resetView(request: ResetRequest, response: Response, email: string, problem?: string): Html {
    const field = { id: "new", name: "new_password", label: "New password", hint: "At least 12 characters.", problem };
    const attributes = html`type="password" autocomplete="new-password" required minlength="12" maxlength="1000" autofocus`;
    const fields = html`
<input type="hidden" name="username" value="${email}" autocomplete="username">
${input(field, attributes)}
<div class="actions"><button>Change password</button></div>`;
    return html`<h1>Choose a new password</h1>
<p>For <strong>${email}</strong>. Every browser you are signed in with is signed out. Assistants you have connected stay
connected.</p>
${site.form({ request, response, session: null }, request.path, fields)}`;
  }

  return routes.router;
}

function send(response: Response, status: number, body: Html): void {
  // The address of the page is what opens the account.
  response.setHeader("Referrer-Policy", "same-origin");
  sendNarrow(response, { title: "New password", body }, status);
}

function sendTooMany(response: Response, refused: { retryAfterSeconds: number }): void {
  const message = tooManyAttempts(response, refused);
  send(response, 429, html`<h1>Choose a new password</h1><p class="alert" role="alert">${message}</p>`);
}

const EMAIL = html`
${input(
  { id: "email", name: "email", label: "Email" },
  html`type="email" autocomplete="username" required maxlength="320" autofocus`,
)}
<div class="actions"><button>Send the link</button></div>`;

function forgottenView(form: Html): Html {
  return html`<h1>Forgot your password?</h1>
<p>We mail you a link with which you choose a new one.</p>
${form}
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
