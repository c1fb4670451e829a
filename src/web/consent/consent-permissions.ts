import type { Request } from "express";
import type { PendingRequest } from "../../../auth/authorization-server/pending-request.ts";
import type { Extendable } from "../../../auth/authorization-server/step-up.ts";
import type { Membership } from "../../../auth/connections.ts";
import { grantable, READ_SCOPE } from "../../../auth/scopes.ts";
import { SCOPES, type Scope } from "../../core/gate/actor.ts";
import { type Html, html } from "../kit/html.ts";
import { fieldOf } from "../kit/site.ts";
import { dateTime, MAY } from "../kit/words.ts";

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
export function readConsentForm(request: Request, tenantId: string): { ticked: Scope[]; extend: string | null } {
  const ticked = SCOPES.filter((scope) => fieldOf(request, scopeField(scope, { tenantId })) === "on");
  return { ticked, extend: fieldOf(request, extendField({ tenantId })) || null };
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
<p>You connected it on <time datetime="${createdAt}">${dateTime(createdAt, place.timezone)}</time>. This changes that connection. <a href="?${SEPARATE}">Make a separate connection instead</a></p>
<ul class="may"><li>${MAY[READ_SCOPE]}</li></ul>
<input type="hidden" name="${extendField(place)}" value="${connectionId}">
${boxes(place, { asked: added, ticked: [...scopes, ...stepUp(added)] })}`;
}

/**
 * The one scope that a call lacked and our challenge named. A client that asks for several scopes asks for all it knows,
 * as at its first connection: those stay unticked.
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
  return html`<label class="check"><input type="checkbox" name="${scopeField(scope, place)}" value="on"${ticked.includes(scope) && html` checked`}> <span>${MAY[scope]}${note}</span></label>`;
})}`;
}

function whyOnlyReading({ name, role, assistants }: ConsentPlace, asked: readonly Scope[]): Html | false {
  if (assistants === "read") return html`<p class="quiet">${name} lets assistants only read.</p>`;
  if (role === "admin") return false;
  const more = asked.some((scope) => scope !== READ_SCOPE) && "It asked for more. ";
  return html`<p class="quiet">${more}You are not an admin of ${name}, so it will only read.</p>`;
}
