import type { Request, Response, Router } from "express";
import type { Interactions } from "../../../auth/authorization-server/interactions.ts";
import type { PendingRequest } from "../../../auth/authorization-server/pending-request.ts";
import { INTERACTION_PATH } from "../../../auth/authorization-server/routes.ts";
import { type Membership, membershipsOf } from "../../../auth/connections.ts";
import { lacksSecondFactor } from "../../../auth/pending-sign-in.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { organisationLink, type SignInRefused, signInByForm, signInForm } from "../account/sign-in-form.ts";
import { type Html, html } from "../kit/html.ts";
import { PageRoutes, sendNarrow } from "../kit/page-routes.ts";
import type { PublicAddresses } from "../kit/public-addresses.ts";
import { setUpFactorPath } from "../kit/sign-in-paths.ts";
import { fieldOf, type Site } from "../kit/site.ts";
import {
  type ConsentPlace,
  consentPage,
  consentPath,
  expiredPage,
  nowherePage,
  readConsentForm,
  SEPARATE,
} from "./consent-view.ts";

/**
 * The pages of an authorization request: sign in, then decide. People who are signed in already still have to consent
 * to every request.
 */
export function consentPages(site: Site, interactions: Interactions, addresses: PublicAddresses): Router {
  const routes = new PageRoutes({ publicOrigin: site.publicOrigin, leadsAway: true });
  const flow = new Flow(site, interactions, addresses);
  routes.get<FlowParams>(`${INTERACTION_PATH}/:uid`, (request, response) => flow.show(request, response));
  routes.post<FlowParams>(`${INTERACTION_PATH}/:uid/signin`, (request, response) => flow.signIn(request, response));
  routes.post<FlowParams>(`${INTERACTION_PATH}/:uid/signout`, (request, response) => flow.signOut(request, response));
  routes.post<FlowParams>(`${INTERACTION_PATH}/:uid/decision`, (request, response) => flow.decide(request, response));
  return routes.router;
}

type FlowParams = { uid: string };
type FlowRequest = Request<FlowParams>;

class Flow {
  readonly #site: Site;
  readonly #interactions: Interactions;
  readonly #addresses: PublicAddresses;

  constructor(site: Site, interactions: Interactions, addresses: PublicAddresses) {
    this.#site = site;
    this.#interactions = interactions;
    this.#addresses = addresses;
  }

  async show(request: FlowRequest, response: Response): Promise<void> {
    const pending = await this.#pending(request, response);
    if (pending === null) return sendNarrow(response, expiredPage(), 400);
    if (pending.answered !== null) return response.redirect(303, pending.answered);
    const session = await this.#signedIn(request, pending);
    if (session === null) return this.#askToSignIn(request, response, pending, null);
    const form = (path: string, body: Html) => this.#site.form({ request, response, session }, path, body);
    const { open, closed } = await placesOf(this.#site, session);
    if (open.length + closed.length === 0 && (await lacksSecondFactor(this.#site.core, session)))
      return response.redirect(303, setUpFactorPath(consentPath(pending)));
    if (open.length === 0) return sendNarrow(response, nowherePage(pending, closed, form));
    const separate = request.query[SEPARATE] !== undefined;
    const workspaces = separate ? open.map(withoutOffer) : await this.#withOffers(open, pending, session);
    sendNarrow(response, consentPage({ pending, session, workspaces, form, addresses: this.#addresses }));
  }

  async signIn(request: FlowRequest, response: Response): Promise<void> {
    const pending = await this.#pending(request, response);
    if (pending === null) return sendNarrow(response, expiredPage(), 400);
    await this.#site.readForm(request, response, consentPath(pending, "signin"), null);
    const outcome = await signInByForm(this.#site, request, response, consentPath(pending));
    if ("goTo" in outcome) return response.redirect(303, outcome.goTo);
    await this.#askToSignIn(request, response, pending, outcome.refused);
  }

  /** "Not you?": the next person signs in for the same request. */
  async signOut(request: FlowRequest, response: Response): Promise<void> {
    await this.#site.readForm(request, response, request.path, await this.#site.person(request));
    await this.#site.signOut(request, response);
    response.redirect(303, `${INTERACTION_PATH}/${request.params.uid}`);
  }

  async decide(request: FlowRequest, response: Response): Promise<void> {
    const pending = await this.#pending(request, response);
    if (pending === null) return sendNarrow(response, expiredPage(), 400);
    const session = await this.#site.person(request);
    await this.#site.readForm(request, response, consentPath(pending, "decision"), session);
    if (pending.answered !== null) return response.redirect(303, pending.answered);
    // Nobody is sent back to a client before they have signed in.
    if (session === null) return response.redirect(303, consentPath(pending));
    // Only the Allow button allows; any other value denies.
    if (fieldOf(request, "decision") !== "allow") {
      const reason = "The person did not allow the connection.";
      return response.redirect(303, await this.#interactions.deny(request, response, reason));
    }
    const tenantId = Uuid.safeParse(fieldOf(request, "workspace")).data;
    if (tenantId === undefined) return response.redirect(303, consentPath(pending));
    const approval = { session, tenantId, requestId: requestIdOf(response), ...readConsentForm(request, tenantId) };
    const next = await this.#interactions.allow(request, response, pending, approval);
    response.redirect(303, next ?? consentPath(pending));
  }

  /** Adds the connections that the request could extend; workspaces with one come first. */
  async #withOffers(open: Membership[], pending: PendingRequest, session: WebSession): Promise<ConsentPlace[]> {
    const offers = await this.#interactions.extendable(pending, session);
    const offerOf = ({ tenantId }: Membership) => offers.find((offer) => offer.tenantId === tenantId) ?? null;
    const places = open.map((membership) => ({ ...membership, extendable: offerOf(membership) }));
    return places.sort((a, b) => Number(b.extendable !== null) - Number(a.extendable !== null));
  }

  #pending(request: FlowRequest, response: Response): Promise<PendingRequest | null> {
    return this.#interactions.find(request, response, request.params.uid);
  }

  /** The current session, unless the client requires a more recent sign-in. */
  async #signedIn(request: Request, { signInAfter }: PendingRequest): Promise<WebSession | null> {
    const session = await this.#site.person(request);
    return session !== null && signInAfter !== null && session.createdAt < signInAfter ? null : session;
  }

  async #askToSignIn(
    request: Request,
    response: Response,
    pending: PendingRequest,
    refused: SignInRefused | null,
  ): Promise<void> {
    const action = consentPath(pending, "signin");
    const send = (fields: Html): Html => this.#site.form({ request, response, session: null }, action, fields);
    const email = refused === null ? (pending.loginHint ?? "") : fieldOf(request, "email");
    const body = html`<h1>Sign in to connect ${pending.client.name}</h1>
${signInForm({ send, email, refused, organisation: await organisationLink(this.#site, consentPath(pending)) })}`;
    sendNarrow(response, { title: "Sign in", body }, refused?.status);
  }
}

function withoutOffer(membership: Membership): ConsentPlace {
  return { ...membership, extendable: null };
}

/** Workspaces where the person may connect an assistant, and those whose plan does not include assistants. */
async function placesOf(site: Site, session: WebSession): Promise<{ open: Membership[]; closed: Membership[] }> {
  const memberships = await membershipsOf(site.core, session);
  return {
    open: memberships.filter((membership) => membership.assistantAccess),
    closed: memberships.filter((membership) => !membership.assistantAccess),
  };
}
