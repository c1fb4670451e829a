import { type Request, type Response, Router } from "express";
import { type AttemptLimit, count } from "../../../auth/attempts.ts";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { brief, IssuerUnavailable } from "../../../auth/issuer-metadata.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { type Arrival, FLOW_SECONDS, ORGANISATION_PATH, UpstreamSignIn } from "../../../auth/upstream-sign-in/flow.ts";
import { findSignIn, type UpstreamProvider } from "../../../auth/upstream-sign-in/providers.ts";
import { Uuid } from "../../core/shared/validation.ts";
import { cookie } from "../kit/cookies.ts";
import { messagePage } from "../kit/error-page.ts";
import { html } from "../kit/html.ts";
import { renderPage } from "../kit/layout.ts";
import { destination, fieldOf, type Site } from "../kit/site.ts";

const TITLE = "Sign in with your organisation";
/** Sign-ins of one source address: a whole office may share one. */
const JOURNEYS: AttemptLimit = { name: "organisation-sign-in", max: 600, windowSeconds: 900 };

const REFUSALS: Readonly<
  Record<Extract<Arrival, { refused: string }>["refused"], { status: number; message: string }>
> = {
  expired: { status: 400, message: "This sign-in has expired, or began in another browser. Try again." },
  declined: { status: 403, message: "Your organisation did not sign you in." },
  failed: { status: 400, message: "Your organisation's answer could not be used. Try again, or ask your admin." },
  unknown: {
    status: 403,
    message: "Your organisation knows you, but you are no member of its workspace. Ask your admin.",
  },
  unavailable: { status: 503, message: "Your organisation's sign-in does not answer. Try again in a moment." },
};

const TOO_MANY = { status: 429, message: "Too many attempts. Try again in a few minutes." };

/**
 * `/organisation`: to the OpenID provider of a workspace and back. The way there is found by the domain of an email, so
 * it tells nothing of who is a member, or by the address an admin gives to their people (`?workspace=`).
 */
export function organisationPages(site: Site): Router {
  const router = Router();
  const upstream = new UpstreamSignIn(site.core, site.publicOrigin);
  const flow = cookie("organisation_sign_in", site.publicOrigin);

  async function ask(request: Request, response: Response, refused: { status: number; message: string } | null) {
    const session = await site.person(request);
    const workspace = Uuid.safeParse(request.query.workspace).data;
    const provider = workspace === undefined ? null : await findSignIn(site.core, { tenantId: workspace });
    const action = addressWith({
      workspace: provider?.tenantId,
      next: destination(site.publicOrigin, request.query.next),
    });
    response.status(refused?.status ?? 200).send(askPage(request, response, { session, provider, action, refused }));
  }

  function askPage(request: Request, response: Response, form: AskForm): string {
    const { session, provider, action, refused } = form;
    const token = site.formField(request, response, ORGANISATION_PATH, session);
    const body = html`<h1>${TITLE}</h1>
${refused !== null && html`<p class="alert" role="alert">${refused.message}</p>`}
<form method="post" action="${action}">${token}
${
  provider === null
    ? html`<label for="email">Email</label>
<input id="email" name="email" type="email" value="${fieldOf(request, "email")}" autocomplete="username" required maxlength="320" autofocus>`
    : html`<p>You sign in at <strong>${new URL(provider.issuer).host}</strong>, and come back here.</p>`
}
<div class="actions"><button>Continue</button></div>
</form>
<p><a href="/signin?next=${encodeURIComponent(destination(site.publicOrigin, request.query.next))}">Sign in with a password</a></p>`;
    return renderPage({ title: TITLE, person: null, narrow: true, body });
  }

  async function admit(request: Request, response: Response): Promise<boolean> {
    const { hits, max, resetSeconds } = await count(site.core, JOURNEYS, sourceOf(request.ip));
    if (hits > max) response.setHeader("Retry-After", String(resetSeconds));
    return hits <= max;
  }

  router.get(ORGANISATION_PATH, (request, response) => ask(request, response, null));

  router.post(ORGANISATION_PATH, async (request, response) => {
    site.checkForm(request, ORGANISATION_PATH, await site.person(request));
    if (!(await admit(request, response))) return ask(request, response, TOO_MANY);
    const email = fieldOf(request, "email").slice(0, 320);
    const workspace = Uuid.safeParse(request.query.workspace).data;
    const provider = await findSignIn(site.core, workspace === undefined ? { email } : { tenantId: workspace });
    if (provider === null) {
      const message = "No organisation's sign-in is set up for this email. Sign in with your password.";
      return ask(request, response, { status: 400, message });
    }
    try {
      const next = destination(site.publicOrigin, request.query.next);
      const departure = await upstream.depart(provider, { next, email: workspace === undefined ? email : null });
      flow.set(response, departure.cookie, FLOW_SECONDS);
      response.redirect(303, departure.url.href);
    } catch (error) {
      if (!(error instanceof IssuerUnavailable)) throw error;
      site.core.log.warn({ ...brief(error), tenant_id: provider.tenantId }, "sign_in.provider_unavailable");
      await ask(request, response, REFUSALS.unavailable);
    }
  });

  router.get(`${ORGANISATION_PATH}/:tenantId/callback`, async (request, response) => {
    const params = new URL(request.originalUrl, site.publicOrigin).searchParams;
    if (!(await admit(request, response)))
      return void response.status(TOO_MANY.status).send(messagePage("You are not signed in", TOO_MANY.message));
    const arrival = await upstream.arrive(request.params.tenantId, params, flow.read(request));
    flow.clear(response);
    if ("who" in arrival && (await site.signIn(request, response, arrival.who)))
      return response.redirect(303, arrival.next);
    // The link to the member may have been removed meanwhile.
    const { status, message } = REFUSALS["refused" in arrival ? arrival.refused : "unknown"];
    response.status(status).send(messagePage("You are not signed in", message));
  });

  return router;
}

interface AskForm {
  session: WebSession | null;
  provider: UpstreamProvider | null;
  action: string;
  refused: { status: number; message: string } | null;
}

function addressWith({ workspace, next }: { workspace: string | undefined; next: string }): string {
  const query = new URLSearchParams({ ...(workspace === undefined ? {} : { workspace }), next });
  return `${ORGANISATION_PATH}?${query}`;
}
