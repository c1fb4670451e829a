import type { PendingRequest } from "../../../auth/authorization-server/pending-request.ts";
import { INTERACTION_PATH } from "../../../auth/authorization-server/routes.ts";
import { type Extendable, offerOf } from "../../../auth/authorization-server/step-up.ts";
import type { Membership } from "../../../auth/connections.ts";
import { grantable, READ_SCOPE } from "../../../auth/grantable-scopes.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { SCOPES, type Scope } from "../../core/gate/actor.ts";
import type { ServiceError } from "../../core/kernel/error.ts";
import {
  actions,
  facts,
  type Html,
  hidden,
  html,
  link,
  MAY,
  mayList,
  muted,
  NEVER_LIST,
  namesJoinedByOr,
  paragraph,
  select,
  tick,
  timeElement,
  warning,
} from "../kit/markup.ts";
import type { OpenVisit } from "../kit/page.ts";
import { type PublicAddresses, publicAddresses } from "../kit/public-addresses.ts";

/** The path of a request's page, or of one of its forms. */
export function consentPath({ uid }: PendingRequest, step?: "signin" | "signout" | "decision"): string {
  return [INTERACTION_PATH, uid, ...(step === undefined ? [] : [step])].join("/");
}

interface Consent {
  visit: OpenVisit;
  pending: PendingRequest;
  session: WebSession;
  /** At least one. */
  workspaces: readonly ConsentPlace[];
  /** What is said of workspaces that the person's sign-in does not open. */
  others: readonly Html[];
  addresses: PublicAddresses;
}

/** Shows the consent page (contract.md): which client, which workspace, what it may and can never do. */
export function showConsent({ visit, pending, session, workspaces, others, addresses }: Consent): void {
  const { name, uri, publishedBy, redirectUri } = pending.client;
  const names = namesJoinedByOr(workspaces.map((workspace) => workspace.name));
  const isAddition = workspaces.length === 1 && workspaces[0]?.extendable !== null;
  visit.showNarrow(
    `Connect ${name}`,
    isAddition ? `Let ${name} do more in ${names}?` : `Connect ${name} to ${names}?`,
    [
      html`<p>It would act for you, <strong>${session.email}</strong>, and see what you may see.</p>`,
      visit.form(consentPath(pending, "signout"), muted(["Not you? ", html`<button class="link">Sign out</button>`])),
      others,
      facts([
        ["Assistant", name],
        publishedBy !== null && ["Published at", publishedBy],
        uri !== null && ["Says it is from", uri],
        [
          "Access is handed to",
          html`${whereTo(redirectUri)}<br><code class="whole" dir="ltr" translate="no">${redirectUri}</code>`,
        ],
      ]),
      warning("The name is not verified: every program can call itself that. Allow it only if you just started this."),
      visit.form(consentPath(pending, "decision"), [
        choice(workspaces),
        workspaces.map((workspace) => permissions(pending, workspace, workspaces.length > 1)),
        html`<h2>It can never</h2>${NEVER_LIST}`,
        muted("You can stop it, or change what it may do, at any moment under Assistant connections."),
        actions(deciding("allow", "Allow"), deciding("deny", "Deny", html` class="plain"`)),
      ]),
      publicAddresses(addresses),
    ],
  );
}

const deciding = (decision: "allow" | "deny", words: string, look?: Html): Html =>
  html`<button${look} name="decision" value="${decision}">${words}</button>`;

/** Says that the person has no workspace that an assistant could be connected to. */
export function showNowhere(
  visit: OpenVisit,
  pending: PendingRequest,
  { closed, others }: Pick<Consent, "others"> & { closed: readonly Membership[] },
): void {
  const { name } = pending.client;
  visit.showNarrow("Cannot be connected", `${name} cannot be connected`, [
    closed.length > 0 &&
      `${namesJoinedByOr(closed.map((one) => one.name))} has no assistant access: it is switched off there, \
or the plan does not include it.`,
    others,
    closed.length + others.length === 0 && "You are not a member of any workspace. Ask an admin of yours to add you.",
    visit.form(consentPath(pending, "decision"), actions(deciding("deny", `Go back to ${name}`))),
  ]);
}

/** Says that the person has to revoke a connection first, and leads there and back. */
export function showTooMany(visit: OpenVisit, pending: PendingRequest, { message, httpStatus }: ServiceError): void {
  const ways = [link("/connections", "Assistant connections"), ", ", link(consentPath(pending), "back to the request")];
  visit.showNarrow("Too many connections", "Too many connections", [message, paragraph(ways)], httpStatus);
}

/** Says that the request was decided, has expired, or was begun in another browser. */
export function showExpired(visit: OpenVisit): void {
  const why = "It was already answered, is too old, or was begun in another browser. ";
  const next = ["If the assistant is not among your ", link("/connections", "assistant connections"), TRY_AGAIN];
  visit.showNarrow("Expired", "This connection request has expired", [paragraph(why, next)], 400);
}

const TRY_AGAIN = ", or says that it is not connected, start again from there.";

/** The destination in words; the full address is shown beside it as plain text. */
function whereTo(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === "http:") return `a program on this computer (${hostname})`;
  return protocol === "https:" ? host : `the app “${protocol.slice(0, -1)}” on this device`;
}

function choice(workspaces: readonly Membership[]): Html {
  const [only] = workspaces;
  if (workspaces.length === 1) return hidden("workspace", only?.tenantId ?? "");
  const options = workspaces.map(({ tenantId, name }) => ({ value: tenantId, label: name }));
  return html`${select({ id: "workspace", name: "workspace", label: "Workspace" }, options)}
${muted("It reaches the one you choose, and no other: only what is ticked there counts.")}`;
}

/** The query parameter for consent without the offer to extend an existing connection. */
export const SEPARATE = "separate";

/** A workspace that the request could be allowed for, and the connection it could be added to there. */
export interface ConsentPlace extends Membership {
  readonly extendable: Extendable | null;
}

/** Field names include the workspace: the form has the fields of all workspaces. */
const scopeField = (scope: Scope, { tenantId }: { tenantId: string }): string => `${scope}@${tenantId}`;
const extendField = ({ tenantId }: { tenantId: string }): string => `extend@${tenantId}`;

/** The permissions in a submitted form, for the chosen workspace. */
export function readConsentForm(visit: OpenVisit, tenantId: string): { ticked: Scope[]; extend: string | null } {
  const ticked = SCOPES.filter((scope) => visit.isTicked(scopeField(scope, { tenantId })));
  return { ticked, extend: visit.field(extendField({ tenantId })) || null };
}

/**
 * What the assistant may do in a workspace: read, and what the person ticks. No box is ticked at first, even those the
 * client asks for (completions §11): permissions are the person's choice, not the program's.
 */
function permissions({ scopes: asked }: PendingRequest, place: ConsentPlace, named: boolean): Html {
  const where = named ? `If you choose ${place.name}, it` : "It";
  const { extendable } = place;
  if (extendable !== null) return additions(place, extendable, where);
  return html`<h2>${where} may</h2>
${mayList(MAY[READ_SCOPE])}
${boxes(place, asked)}
${whyOnlyReading(place, asked)}`;
}

function additions(place: ConsentPlace, offer: Extendable, where: string): Html {
  const { scopes, added, createdAt } = offer;
  return html`<h2>${where} asks for more</h2>
<p>You connected it on ${timeElement(createdAt, place.timezone)}. This changes that connection: on
another device that uses it, the assistant has to be connected again. <a href="?${SEPARATE}">Make a separate connection
instead</a></p>
${mayList(MAY[READ_SCOPE])}
${hidden(extendField(place), offerOf(offer))}
${boxes(place, [added], [...scopes, added])}`;
}

/** A box for each write scope the person could grant there, whether it was asked for or not. */
function boxes(place: ConsentPlace, asked: readonly Scope[], ticked: readonly Scope[] = []): Html | false {
  const scopes = grantable(place).filter((scope) => scope !== READ_SCOPE);
  if (scopes.length === 0) return false;
  return html`<p>It may also, if you tick it:</p>
${scopes.map((scope) => {
  const note = asked.includes(scope) && html` <span class="quiet">(it asks for this)</span>`;
  return tick(scopeField(scope, place), "on", [MAY[scope], note], ticked.includes(scope) ? "ticked" : null);
})}`;
}

function whyOnlyReading({ name, role, assistants }: ConsentPlace, asked: readonly Scope[]): Html | false {
  if (assistants === "read") return muted(`${name} lets assistants only read.`);
  const more = asked.some((scope) => scope !== READ_SCOPE) && "It asked for more. ";
  return role !== "admin" && muted([more, `You are not an admin of ${name}, so it will only read.`]);
}
