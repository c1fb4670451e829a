import type { Request, Response, Router } from "express";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { openPending } from "../../../auth/pending-sign-in.ts";
import { checkCode } from "../../../auth/second-factor/check.ts";
import { tooManyAttempts } from "../account/sign-in-form.ts";
import { input } from "../kit/fields.ts";
import { html } from "../kit/html.ts";
import { PageRoutes, sendNarrow } from "../kit/page-routes.ts";
import { CODE_PATH } from "../kit/sign-in-paths.ts";
import { fieldOf, type Site } from "../kit/site.ts";

/** `/signin/code`: the second step of a sign-in, for who has a second factor. */
export function codePages(site: Site): Router {
  const routes = new PageRoutes(site);
  const expired = (response: Response): void => {
    site.pending.clear(response);
    response.redirect(303, "/signin?code_expired");
  };

  routes.get(CODE_PATH, async (request, response) => {
    if ((await openPending(site.core, site.pending.read(request))) === null) return expired(response);
    show(request, response, { status: 200 });
  });

  routes.post(CODE_PATH, async (request, response) => {
    await site.readForm(request, response, CODE_PATH, null);
    const pending = await openPending(site.core, site.pending.read(request));
    if (pending === null) return expired(response);
    const { personId, passwordHash, next } = pending;
    const code = fieldOf(request, "code").slice(0, 100);
    const from = { address: sourceOf(request.ip), browser: site.knownBrowser(request) };
    const checked = await checkCode(site.core, { personId, passwordHash, code, ...from });
    if ("refused" in checked) {
      if (checked.refused === "wrong")
        return show(request, response, { status: 400, problem: "This code is not right, or was used already." });
      return show(request, response, { status: 429, problem: tooManyAttempts(response, checked) });
    }
    site.pending.clear(response);
    const who = { personId, tenantId: null, secondFactor: true, proof: { passwordHash } };
    if (!(await site.signIn(request, response, who))) return expired(response);
    response.redirect(303, next);
  });

  function show(
    request: Request,
    response: Response,
    { status, problem }: { status: number; problem?: string | undefined },
  ): void {
    const field = {
      id: "code",
      name: "code",
      label: "Code",
      hint: "The six digits of your authenticator app, or one of your recovery codes.",
      problem,
    };
    const attributes = html`autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="40"`;
    const fields = html`
${input(field, html`${attributes} autofocus`)}
<div class="actions"><button>Sign in</button></div>`;
    const body = html`<h1>Enter your code</h1>
${site.form({ request, response, session: null }, CODE_PATH, fields)}
<p class="quiet">Without your app and your recovery codes, ask the operator of this service.</p>
<p><a href="/signin">Sign in as somebody else</a></p>`;
    sendNarrow(response, { title: "Sign in", body }, status);
  }

  return routes.router;
}
