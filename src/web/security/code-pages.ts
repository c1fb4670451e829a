import { sourceOf } from "../../../auth/failed-authentications.ts";
import { openPending } from "../../../auth/pending-sign-in.ts";
import { checkCode } from "../../../auth/second-factor/check.ts";
import { tooManyAttempts } from "../account/sign-in-form.ts";
import { CODE_PATH } from "../kit/address.ts";
import { nobody } from "../kit/doors.ts";
import { input } from "../kit/fields.ts";
import { html } from "../kit/html.ts";
import type { PageRoutes } from "../kit/routes.ts";
import type { OpenVisit } from "../kit/visit.ts";

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
  const { personId, passwordHash, next } = pending;
  const code = visit.field("code").slice(0, 100);
  const from = { address: sourceOf(request.ip), browser: site.knownBrowser(request) };
  const checked = await checkCode(site.core, { personId, passwordHash, code, ...from });
  if ("refused" in checked)
    return checked.refused === "wrong"
      ? show(visit, 400, "This code is not right, or was used already.")
      : show(visit, 429, tooManyAttempts(response, checked));
  site.pending.clear(response);
  const who = { personId, tenantId: null, secondFactor: true, proof: { passwordHash } };
  return (await site.signIn(request, response, who)) ? next : expired(visit);
}

function show(visit: OpenVisit, status: number, problem?: string): void {
  const hint = "The six digits of your authenticator app, or one of your recovery codes.";
  const attributes = html`autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required
maxlength="40"`;
  const fields = html`
${input({ id: "code", name: "code", label: "Code", hint, problem }, html`${attributes} autofocus`)}
<div class="actions"><button>Sign in</button></div>`;
  const body = html`<h1>Enter your code</h1>
${visit.form(CODE_PATH, fields)}
<p class="quiet">Without your app and your recovery codes, ask the operator of this service.</p>
<p><a href="/signin">Sign in as somebody else</a></p>`;
  visit.show({ title: "Sign in", narrow: true, body }, status);
}
