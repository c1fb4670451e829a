import type { Request } from "express";
import type { PendingRequest } from "../../auth/authorization-server/pending-request.ts";
import type { Extendable } from "../../auth/authorization-server/step-up.ts";
import type { Membership } from "../../auth/connections.ts";
import { grantable, READ_SCOPE } from "../../auth/scopes.ts";
import { SCOPES, type Scope } from "../core/actor.ts";
import { type Html, html } from "./html.ts";
import { fieldOf } from "./site.ts";
import { dateTime, MAY } from "./words.ts";

/** Asks for the question without the offer to add to a connection there is. */
export const SEPARATE = "separate";

/** A workspace that the request could be allowed for, and the connection it could be added to there. */
export interface Place extends Membership {
  readonly extendable: Extendable | null;
}

/** Fields are told apart by their workspace: the form holds those of all, and one is chosen. */
const scopeField = (scope: Scope, { tenantId }: { tenantId: string }): string => `${scope}@${tenantId}`;
const extendField = ({ tenantId }: { tenantId: string }): string => `extend@${tenantId}`;

/** What a submitted form says of the workspace that was chosen. */
export function readPermissions(request: Request, tenantId: string): { ticked: Scope[]; extend: string | null } {
  const ticked = SCOPES.filter((scope) => fieldOf(request, scopeField(scope, { tenantId })) === "on");
  return { ticked, extend: fieldOf(request, extendField({ tenantId })) || null };
}

/** What the assistant may do in a workspace: reading always, and each write scope unless it is unticked. */
export function permissions({ scopes }: PendingRequest, place: Place, named: boolean): Html {
  const { name, role, extendable } = place;
  const where = named ? `In ${name} it` : "It";
  if (extendable !== null) return additions(place, extendable, where);
  const granted = grantable(role, scopes);
  const isReader = role !== "admin" && scopes.length > granted.length;
  return html`<h2>${where} may</h2>
<ul class="may"><li>${MAY[READ_SCOPE]}</li></ul>
${boxes(
  place,
  granted.filter((scope) => scope !== READ_SCOPE),
)}
${isReader && html`<p class="quiet">It asked for more. You are not an admin of ${name}, so it will only read.</p>`}`;
}

function additions(place: Place, { connectionId, scopes, added, createdAt }: Extendable, where: string): Html {
  return html`<h2>${where} may already</h2>
<p>You connected it on <time datetime="${createdAt}">${dateTime(createdAt, place.timezone)}</time>.</p>
<ul class="may">${scopes.map((scope) => html`<li>${MAY[scope]}</li>`)}</ul>
<h2>${where} asks for more</h2>
<p>This is added to that connection. <a href="?${SEPARATE}">Make a separate connection instead</a></p>
<input type="hidden" name="${extendField(place)}" value="${connectionId}">
${boxes(place, added)}`;
}

function boxes(place: Place, scopes: readonly Scope[]): Html | false {
  if (scopes.length === 0) return false;
  return html`<p>And this, unless you untick it:</p>
${scopes.map((scope) => html`<label class="check"><input type="checkbox" name="${scopeField(scope, place)}" value="on" checked> <span>${MAY[scope]}</span></label>`)}`;
}
