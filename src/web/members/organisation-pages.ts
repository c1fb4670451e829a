import type { Request, Response, Router } from "express";
import { type AttemptLimit, count } from "../../../auth/attempt-limits.ts";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { brief, IssuerUnavailable } from "../../../auth/issuer-metadata.ts";
import { type Arrival, FLOW_SECONDS, ORGANISATION_PATH, UpstreamSignIn } from "../../../auth/upstream-sign-in/flow.ts";
import { findSignIn } from "../../../auth/upstream-sign-in/providers.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { type Cookie, cookie } from "../kit/cookies.ts";
import { messagePage } from "../kit/error-page.ts";
import { input } from "../kit/fields.ts";
import { html } from "../kit/html.ts";
import { PageRoutes, sendNarrow } from "../kit/page-routes.ts";
import { refusalNote } from "../kit/refusal.ts";
import { destination, fieldOf, type Site } from "../kit/site.ts";

const TITLE = "Sign in with your organisation";
/** Sign-ins of one source address: a whole office may share one. */
const JOURNEYS: AttemptLimit = { name: "organisation-sign-in", max: 600, windowSeconds: 900 };

/** Why a sign-in ended here. */
interface Refusal {
  status: number;
  message: string;
}

const REFUSALS: Readonly<Record<Extract<Arrival, { refused: string }>["refused"], Refusal>> = {
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
  const routes = new PageRoutes({ publicOrigin: site.publicOrigin, leadsAway: true });
  const pages = new OrganisationPages(site);
  routes.get(ORGANISATION_PATH, (request, response) => pages.ask(request, response, null));
  routes.post(ORGANISATION_PATH, (request, response) => pages.depart(request, response));
  routes.get<{ tenantId: string }>(`${ORGANISATION_PATH}/:tenantId/callback`, (request, response) =>
    pages.arrive(request, response),
  );
  return routes.router;
}

class OrganisationPages {
  readonly #site: Site;
  readonly #upstream: UpstreamSignIn;
  readonly #flow: Cookie;

  constructor(site: Site) {
    this.#site = site;
    this.#upstream = new UpstreamSignIn(site.core, site.publicOrigin);
    this.#flow = cookie("organisation_sign_in", site.publicOrigin);
  }

  async ask(request: Request, response: Response, refused: Refusal | null): Promise<void> {
    const { core } = this.#site;
    const session = await this.#site.person(request);
    const tenantId = Uuid.safeParse(request.query.workspace).data;
    const provider = tenantId === undefined ? null : await findSignIn(core, { tenantId });
    const next = this.#next(request);
    const query = new URLSearchParams({ ...(provider !== null && { workspace: provider.tenantId }), next });
    const field =
      provider === null
        ? input(
            { id: "email", name: "email", label: "Email" },
            html`type="email" value="${fieldOf(request, "email")}" autocomplete="username" required maxlength="320" autofocus`,
          )
        : html`<p>You sign in at <strong>${new URL(provider.issuer).host}</strong>, and come back here.</p>`;
    const fields = html`
${field}
<div class="actions"><button>Continue</button></div>`;
    const action = `${ORGANISATION_PATH}?${query}`;
    const body = html`<h1>${TITLE}</h1>
${refusalNote(refused)}
${this.#site.form({ request, response, session }, ORGANISATION_PATH, fields, { action })}
<p><a href="/signin?next=${encodeURIComponent(next)}">Sign in with a password</a></p>`;
    sendNarrow(response, { title: TITLE, body }, refused?.status);
  }

  async depart(request: Request, response: Response): Promise<void> {
    const { core } = this.#site;
    await this.#site.readForm(request, response, ORGANISATION_PATH, await this.#site.person(request));
    if (!(await this.#admit(request, response))) return this.ask(request, response, TOO_MANY);
    const email = fieldOf(request, "email").slice(0, 320);
    const tenantId = Uuid.safeParse(request.query.workspace).data;
    const provider = await findSignIn(core, tenantId === undefined ? { email } : { tenantId });
    if (provider === null) {
      const message = "No organisation's sign-in is set up for this email. Sign in with your password.";
      return this.ask(request, response, { status: 400, message });
    }
    try {
      const hint = tenantId === undefined ? email : null;
      const departure = await this.#upstream.depart(provider, { next: this.#next(request), email: hint });
      this.#flow.set(response, departure.cookie, FLOW_SECONDS);
      response.redirect(303, departure.url.href);
    } catch (error) {
      if (!(error instanceof IssuerUnavailable)) throw error;
      core.log.warn({ ...brief(error), tenant_id: provider.tenantId }, "sign_in.provider_unavailable");
      await this.ask(request, response, REFUSALS.unavailable);
    }
  }

  async arrive(request: Request<{ tenantId: string }>, response: Response): Promise<void> {
    const params = new URL(request.originalUrl, this.#site.publicOrigin).searchParams;
    if (!(await this.#admit(request, response))) return notSignedIn(response, TOO_MANY);
    const arrival = await this.#upstream.arrive(request.params.tenantId, params, this.#flow.read(request));
    this.#flow.clear(response);
    if ("who" in arrival && (await this.#site.signIn(request, response, arrival.who)))
      return response.redirect(303, arrival.next);
    // The link to the member may have been removed meanwhile.
    notSignedIn(response, REFUSALS["refused" in arrival ? arrival.refused : "unknown"]);
  }

  async #admit(request: Request<object>, response: Response): Promise<boolean> {
    const { hits, max, resetSeconds } = await count(this.#site.core, JOURNEYS, sourceOf(request.ip));
    if (hits > max) response.setHeader("Retry-After", String(resetSeconds));
    return hits <= max;
  }

  #next(request: Request): string {
    return destination(this.#site.publicOrigin, request.query.next);
  }
}

function notSignedIn(response: Response, { status, message }: Refusal): void {
  response.status(status).send(messagePage("You are not signed in", message));
}
