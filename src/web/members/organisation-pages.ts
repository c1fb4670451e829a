import type { Response } from "express";
import { type AttemptLimit, count } from "../../../auth/attempt-limits.ts";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { brief, IssuerUnavailable } from "../../../auth/issuer-metadata.ts";
import { type Arrival, FLOW_SECONDS, ORGANISATION_PATH, UpstreamSignIn } from "../../../auth/upstream-sign-in/flow.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { credential, typedProof } from "../account/credentials.ts";
import { type Cookie, cookie } from "../kit/cookies.ts";
import { messagePage } from "../kit/error-page.ts";
import { html, link, refusalNote, submit } from "../kit/markup.ts";
import { anybodyAway, type OpenVisit, type PageRoutes, withQuery } from "../kit/page.ts";
import { destination, type Site } from "../kit/site.ts";

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
export function organisationPages({ core, publicOrigin }: Pick<Site, "core" | "publicOrigin">): PageRoutes {
  const upstream = new UpstreamSignIn(core, publicOrigin);
  return {
    routes: [
      anybodyAway.get(ORGANISATION_PATH, (visit) => ask(visit, upstream, null)),
      anybodyAway.post(ORGANISATION_PATH, (visit) => depart(visit, upstream)),
      anybodyAway.get(`${ORGANISATION_PATH}/:tenantId/callback`, (visit) => arrive(visit, upstream)),
    ],
  };
}

const workspaceIn = ({ request }: OpenVisit): string | undefined => Uuid.safeParse(request.query.workspace).data;

const nextOf = ({ site, request }: OpenVisit): string => destination(site.publicOrigin, request.query.next);

/** Remembers the sign-in that is under way in the browser. */
const flowOf = ({ site }: OpenVisit): Cookie => cookie("organisation_sign_in", site.publicOrigin);

async function ask(visit: OpenVisit, upstream: UpstreamSignIn, refused: Refusal | null): Promise<void> {
  const tenantId = workspaceIn(visit);
  const provider = tenantId === undefined ? null : await upstream.find({ tenantId });
  const next = nextOf(visit);
  const fields = [
    provider === null
      ? credential("email", { more: html`value="${visit.field("email")}" autofocus` })
      : html`<p>You sign in at <strong>${new URL(provider.issuer).host}</strong>, and come back here.</p>`,
    submit("Continue"),
  ];
  const action = withQuery(ORGANISATION_PATH, { workspace: provider?.tenantId, next });
  const parts = [
    refusalNote(refused),
    visit.form(ORGANISATION_PATH, fields, { action }),
    html`<p>${link(`/signin?next=${encodeURIComponent(next)}`, "Sign in with a password")}</p>`,
  ];
  visit.showNarrow(TITLE, TITLE, parts, refused?.status);
}

async function depart(visit: OpenVisit, upstream: UpstreamSignIn): Promise<unknown> {
  if (!(await admit(visit))) return ask(visit, upstream, TOO_MANY);
  const email = typedProof(visit, "email");
  const tenantId = workspaceIn(visit);
  const provider = await upstream.find(tenantId === undefined ? { email } : { tenantId });
  if (provider === null) {
    const message = "No organisation's sign-in is set up for this email. Sign in with your password.";
    return ask(visit, upstream, { status: 400, message });
  }
  return async () => {
    try {
      const hint = tenantId === undefined ? email : null;
      const { cookie: flow, url } = await upstream.depart(provider, { next: nextOf(visit), email: hint });
      flowOf(visit).set(visit.response, flow, FLOW_SECONDS);
      return url.href;
    } catch (error) {
      if (!(error instanceof IssuerUnavailable)) throw error;
      visit.site.core.log.warn({ ...brief(error), tenant_id: provider.tenantId }, "sign_in.provider_unavailable");
      return ask(visit, upstream, REFUSALS.unavailable);
    }
  };
}

async function arrive(visit: OpenVisit, upstream: UpstreamSignIn): Promise<unknown> {
  const { site, request, response } = visit;
  const params = new URL(request.originalUrl, site.publicOrigin).searchParams;
  if (!(await admit(visit))) return notSignedIn(response, TOO_MANY);
  return async () => {
    const flow = flowOf(visit);
    const arrival = await upstream.arrive(request.params.tenantId ?? "", params, flow.read(request));
    flow.clear(response);
    if ("who" in arrival && (await site.signIn(request, response, arrival.who))) return arrival.next;
    // The link to the member may have been removed meanwhile.
    return notSignedIn(response, REFUSALS["refused" in arrival ? arrival.refused : "unknown"]);
  };
}

async function admit({ site, request, response }: OpenVisit): Promise<boolean> {
  const { hits, max, resetSeconds } = await count(site.core, JOURNEYS, sourceOf(request.ip));
  if (hits > max) response.setHeader("Retry-After", String(resetSeconds));
  return hits <= max;
}

function notSignedIn(response: Response, { status, message }: Refusal): void {
  response.status(status).send(messagePage("You are not signed in", message));
}
