import type { Interactions } from "../../../auth/authorization-server/interactions.ts";
import type { PendingRequest } from "../../../auth/authorization-server/pending-request.ts";
import { INTERACTION_PATH } from "../../../auth/authorization-server/routes.ts";
import type { Extendable } from "../../../auth/authorization-server/step-up.ts";
import { closedMembershipsOf, type Membership, membershipsOf } from "../../../auth/connections.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { type SignInRefused, signInByForm, signInForm } from "../account/sign-in-form.ts";
import {
  anybodyAway,
  closedNote,
  nobodyAway,
  type OpenVisit,
  type PageRoutes,
  setUpFactorPath,
  Visit,
} from "../kit/page.ts";
import type { PublicAddresses } from "../kit/public-addresses.ts";
import {
  type ConsentPlace,
  consentPath,
  readConsentForm,
  SEPARATE,
  showConsent,
  showExpired,
  showNowhere,
  showTooMany,
} from "./consent-view.ts";

/** What the pages of authorization requests are made with. */
interface Consent {
  readonly interactions: Interactions;
  readonly addresses: PublicAddresses;
}

/** The same for the request in the address. */
interface Asked extends Consent {
  readonly visit: OpenVisit;
  readonly pending: PendingRequest;
}

/**
 * The pages of an authorization request: sign in, then decide. People who are signed in already still have to consent
 * to every request.
 */
export function consentPages(consent: Consent): PageRoutes {
  const path = `${INTERACTION_PATH}/:uid`;
  const asking = (work: (asked: Asked) => Promise<unknown>) => async (visit: OpenVisit) => {
    const { request, response, session } = visit;
    const uid = request.params.uid ?? "";
    const pending = await consent.interactions.find(request, response, uid, session?.personId);
    return pending === null ? showExpired(visit) : work({ ...consent, visit, pending });
  };
  return {
    routes: [
      anybodyAway.get(path, asking(show)),
      nobodyAway.post(`${path}/signin`, asking(signIn)),
      anybodyAway.post(`${path}/signout`, signOut),
      anybodyAway.post(`${path}/decision`, asking(decide)),
    ],
  };
}

async function show({ visit, pending, interactions, addresses }: Asked): Promise<unknown> {
  if (pending.answered !== null) return pending.answered;
  const { site, session } = visit;
  // The client may require a more recent sign-in.
  const { signInAfter } = pending;
  if (session === null || (signInAfter !== null && session.createdAt < signInAfter))
    return askToSignIn(visit, pending, null);
  // A workspace's plan may not include assistants.
  const { true: open = [], false: closed = [] } = Object.groupBy(await membershipsOf(site.core, session), (one) =>
    one.assistantAccess ? "true" : "false",
  );
  if (open.length + closed.length === 0) {
    const unopened = await closedMembershipsOf(site.core, session);
    if (unopened.some(({ lacksFactor }) => lacksFactor)) return setUpFactorPath(consentPath(pending));
  }
  const others = await closedNote({ site, session }, consentPath(pending));
  if (open.length === 0) return showNowhere(visit, pending, { closed, others });
  const offers = visit.request.query[SEPARATE] === undefined ? await interactions.extendable(pending, session) : [];
  return showConsent({ visit, pending, session, workspaces: withOffers(open, offers), others, addresses });
}

async function signIn({ visit, pending }: Asked): Promise<unknown> {
  const outcome = await signInByForm(visit, consentPath(pending));
  return "goTo" in outcome ? outcome.goTo : askToSignIn(visit, pending, outcome.refused);
}

/** "Not you?": the next person signs in for the same request. */
async function signOut({ site, request, response }: OpenVisit): Promise<string> {
  await site.signOut(request, response);
  return `${INTERACTION_PATH}/${request.params.uid}`;
}

async function decide({ visit, pending, interactions }: Asked): Promise<unknown> {
  const { request, response, session, requestId } = visit;
  if (pending.answered !== null) return pending.answered;
  // Nobody is sent back to a client before they have signed in.
  if (session === null) return consentPath(pending);
  // Only the Allow button allows; any other value denies.
  if (visit.field("decision") !== "allow")
    return interactions.deny(request, response, "The person did not allow the connection.");
  const tenantId = Uuid.safeParse(visit.field("workspace")).data;
  if (tenantId === undefined) return consentPath(pending);
  const approval = { session, tenantId, requestId, ...readConsentForm(visit, tenantId) };
  try {
    return (await interactions.allow(request, response, pending, approval)) ?? consentPath(pending);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "conflict") throw error;
    return showTooMany(visit, pending, error);
  }
}

/** Adds the connections that the request could extend; workspaces with one come first. */
function withOffers(open: readonly Membership[], offers: readonly Extendable[]): ConsentPlace[] {
  const offerOf = ({ tenantId }: Membership) => offers.find((offer) => offer.tenantId === tenantId) ?? null;
  const places = open.map((membership) => ({ ...membership, extendable: offerOf(membership) }));
  return places.sort((a, b) => Number(b.extendable !== null) - Number(a.extendable !== null));
}

async function askToSignIn(visit: OpenVisit, pending: PendingRequest, refused: SignInRefused | null): Promise<void> {
  const email = refused === null ? (pending.loginHint ?? "") : visit.field("email");
  const at = new Visit<WebSession | null>({ ...visit, session: null });
  const form = await signInForm(at, {
    ...{ action: consentPath(pending, "signin"), next: consentPath(pending) },
    ...{ email, refused },
  });
  at.showNarrow("Sign in", `Sign in to connect ${pending.client.name}`, [form], refused?.status);
}
