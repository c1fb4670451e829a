import type { PendingRequest, RequestingClient } from "../../../auth/authorization-server/pending-request.ts";
import { INTERACTION_PATH } from "../../../auth/authorization-server/routes.ts";
import type { Extendable } from "../../../auth/authorization-server/step-up.ts";
import type { Membership } from "../../../auth/connections.ts";
import { grantable, READ_SCOPE } from "../../../auth/grantable-scopes.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { SCOPES, type Scope } from "../../core/gate/actor.ts";
import { type Html, html } from "../kit/html.ts";
import type { Page } from "../kit/layout.ts";
import { hidden, tick } from "../kit/parts.ts";
import { type PublicAddresses, publicAddresses } from "../kit/public-addresses.ts";
import type { OpenVisit } from "../kit/visit.ts";
import { MAY, NEVER, namesJoinedByOr, timeElement } from "../kit/words.ts";

/** The path of a request's page, or of one of its forms. */
export function consentPath({ uid }: PendingRequest, step?: "signin" | "signout" | "decision"): string {
  return [INTERACTION_PATH, uid, ...(step === undefined ? [] : [step])].join("/");
}

type Narrow = Pick<Page, "title" | "body" | "narrow">;

interface Consent {
  visit: OpenVisit;
  pending: PendingRequest;
  session: WebSession;
  /** At least one. */
  workspaces: readonly ConsentPlace[];
  addresses: PublicAddresses;
}

/** The consent page (contract.md): which client, which workspace, what it may and can never do. */
export function consentPage({ visit, pending, session, workspaces, addresses }: Consent): Narrow {
  const [decision, signOut] = [consentPath(pending, "decision"), consentPath(pending, "signout")];
  const { client } = pending;
  const names = namesJoinedByOr(workspaces.map(({ name }) => name));
  const isAddition = workspaces.length === 1 && workspaces[0]?.extendable !== null;
  const heading = isAddition ? `Let ${client.name} do more in ${names}?` : `Connect ${client.name} to ${names}?`;
  const fields = html`
${choice(workspaces)}
${workspaces.map((workspace) => permissions(pending, workspace, workspaces.length > 1))}
<h2>It can never</h2>
<ul class="never">${NEVER.map((words) => html`<li>${words}</li>`)}</ul>
<p class="quiet">You can stop it, or change what it may do, at any moment under Assistant connections.</p>
<div class="actions"><button name="decision" value="allow">Allow</button>
<button class="plain" name="decision" value="deny">Deny</button></div>`;
  const body = html`<h1>${heading}</h1>
<p>It would act for you, <strong>${session.email}</strong>, and see what you may see.</p>
${visit.form(signOut, html`<p class="quiet">Not you? <button class="link">Sign out</button></p>`)}
${about(client)}
${visit.form(decision, fields)}
${publicAddresses(addresses)}`;
  return { title: `Connect ${client.name}`, narrow: true, body };
}

/** The person has no workspace that an assistant could be connected to. */
export function nowherePage(visit: OpenVisit, pending: PendingRequest, closed: readonly Membership[]): Narrow {
  const { client } = pending;
  const decision = consentPath(pending, "decision");
  const reason =
    closed.length === 0
      ? "You are not a member of any workspace. Ask an admin of yours to add you."
      : `The plan of ${namesJoinedByOr(closed.map(({ name }) => name))} does not include assistants.`;
  const back = html`<div class="actions">
<button name="decision" value="deny">Go back to ${client.name}</button></div>`;
  const body = html`<h1>${client.name} cannot be connected</h1>
<p>${reason}</p>
${visit.form(decision, back)}`;
  return { title: "Cannot be connected", narrow: true, body };
}

/** The request was decided, has expired, or was begun in another browser. */
export function expiredPage(): Narrow {
  const body = html`<h1>This connection request has expired</h1>
<p>It was already answered, is too old, or was begun in another browser. Start again from the assistant.</p>`;
  return { title: "Expired", narrow: true, body };
}

function about({ name, uri, publishedBy, redirectUri }: RequestingClient): Html {
  return html`<dl class="facts">
<dt>Assistant</dt><dd>${name}</dd>
${publishedBy !== null && html`<dt>Published at</dt><dd>${publishedBy}</dd>`}
${uri !== null && html`<dt>Says it is from</dt><dd>${uri}</dd>`}
<dt>Answer goes to</dt><dd>${whereTo(redirectUri)}<br><code class="whole" dir="ltr"
 translate="no">${redirectUri}</code></dd>
</dl>
<p class="warn">The name is not verified: anybody can call a program that. Allow it only if you have just started
this yourself.</p>`;
}

/** The destination in words; the full address is shown beside it as plain text. */
function whereTo(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === "http:") return `a program on this computer (${hostname})`;
  return protocol === "https:" ? host : `the app “${protocol.slice(0, -1)}” on this device`;
}

function choice(workspaces: readonly Membership[]): Html {
  const [only] = workspaces;
  if (workspaces.length === 1) return hidden("workspace", only?.tenantId ?? "");
  return html`<label for="workspace">Workspace</label>
<select id="workspace" name="workspace" required>${workspaces.map(
    ({ tenantId, name }) => html`<option
 value="${tenantId}">${name}</option>`,
  )}</select>
<p class="quiet">It reaches the one you choose, and no other.</p>`;
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
export function permissions({ scopes: asked }: PendingRequest, place: ConsentPlace, named: boolean): Html {
  const where = named ? `In ${place.name} it` : "It";
  const { extendable } = place;
  if (extendable !== null) return additions(place, extendable, where);
  return html`<h2>${where} may</h2>
<ul class="may"><li>${MAY[READ_SCOPE]}</li></ul>
${boxes(place, { asked, ticked: [] })}
${whyOnlyReading(place, asked)}`;
}

function additions(place: ConsentPlace, { connectionId, scopes, added, createdAt }: Extendable, where: string): Html {
  return html`<h2>${where} asks for more</h2>
<p>You connected it on ${timeElement(createdAt, place.timezone)}. This changes that connection. <a
 href="?${SEPARATE}">Make a separate connection instead</a></p>
<ul class="may"><li>${MAY[READ_SCOPE]}</li></ul>
${hidden(extendField(place), connectionId)}
${boxes(place, { asked: added, ticked: [...scopes, ...stepUp(added)] })}`;
}

/**
 * The one scope that a call lacked and our challenge named. A client that asks for several scopes asks for all it
 * knows, as at its first connection: those stay unticked.
 */
function stepUp(added: readonly Scope[]): readonly Scope[] {
  return added.length === 1 ? added : [];
}

/** A box for each write scope the person could grant there, whether it was asked for or not. */
function boxes(
  place: ConsentPlace,
  { asked, ticked }: { asked: readonly Scope[]; ticked: readonly Scope[] },
): Html | false {
  const scopes = grantable(place).filter((scope) => scope !== READ_SCOPE);
  if (scopes.length === 0) return false;
  return html`<p>It may also, if you tick it:</p>
${scopes.map((scope) => {
  const note = asked.includes(scope) && html` <span class="quiet">(it asks for this)</span>`;
  return tick(scopeField(scope, place), "on", [MAY[scope], note], ticked.includes(scope) ? "ticked" : null);
})}`;
}

function whyOnlyReading({ name, role, assistants }: ConsentPlace, asked: readonly Scope[]): Html | false {
  if (assistants === "read") return html`<p class="quiet">${name} lets assistants only read.</p>`;
  if (role === "admin") return false;
  const more = asked.some((scope) => scope !== READ_SCOPE) && "It asked for more. ";
  return html`<p class="quiet">${more}You are not an admin of ${name}, so it will only read.</p>`;
}
