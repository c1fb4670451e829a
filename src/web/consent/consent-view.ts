import type { PendingRequest, RequestingClient } from "../../../auth/authorization-server/pending-request.ts";
import type { Membership } from "../../../auth/connections.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { type Html, html } from "../kit/html.ts";
import type { Page } from "../kit/layout.ts";
import { NEVER, namesJoinedByOr } from "../kit/words.ts";
import { type ConsentPlace, permissions } from "./consent-permissions.ts";

/** The actions of the page's forms, each with its hidden field. */
export interface ConsentForms {
  decide: string;
  decideToken: Html;
  switchTo: string;
  switchToken: Html;
}

interface Consent {
  pending: PendingRequest;
  session: WebSession;
  /** At least one. */
  workspaces: readonly ConsentPlace[];
  forms: ConsentForms;
}

/** The consent page (contract.md): which client, which workspace, what it may and can never do. */
export function consentPage({ pending, session, workspaces, forms }: Consent): Page {
  const { client } = pending;
  const names = namesJoinedByOr(workspaces.map(({ name }) => name));
  const isAddition = workspaces.length === 1 && workspaces[0]?.extendable !== null;
  const heading = isAddition ? `Let ${client.name} do more in ${names}?` : `Connect ${client.name} to ${names}?`;
  const body = html`<h1>${heading}</h1>
<p>It would act for you, <strong>${session.email}</strong>, and see what you may see.</p>
<form method="post" action="${forms.switchTo}">${forms.switchToken}<p class="quiet">Not you? <button class="link">Sign out</button></p></form>
${about(client)}
<form method="post" action="${forms.decide}">${forms.decideToken}
${choice(workspaces)}
${workspaces.map((workspace) => permissions(pending, workspace, workspaces.length > 1))}
<h2>It can never</h2>
<ul class="never">${NEVER.map((words) => html`<li>${words}</li>`)}</ul>
<p class="quiet">You can stop it, or change what it may do, at any moment under Assistant connections.</p>
<div class="actions"><button name="decision" value="allow">Allow</button><button class="plain" name="decision" value="deny">Deny</button></div>
</form>`;
  return { title: `Connect ${client.name}`, person: null, narrow: true, body };
}

/** The person has no workspace that an assistant could be connected to. */
export function nowherePage(
  { client }: PendingRequest,
  closed: readonly Membership[],
  forms: Pick<ConsentForms, "decide" | "decideToken">,
): Page {
  const reason =
    closed.length === 0
      ? "You are not a member of any workspace. Ask an admin of yours to add you."
      : `The plan of ${namesJoinedByOr(closed.map(({ name }) => name))} does not include assistants.`;
  const body = html`<h1>${client.name} cannot be connected</h1>
<p>${reason}</p>
<form method="post" action="${forms.decide}">${forms.decideToken}
<div class="actions"><button name="decision" value="deny">Go back to ${client.name}</button></div>
</form>`;
  return { title: "Cannot be connected", person: null, narrow: true, body };
}

/** The request was decided, has expired, or was begun in another browser. */
export function expiredPage(): Page {
  const body = html`<h1>This connection request has expired</h1>
<p>It was already answered, is too old, or was begun in another browser. Start again from the assistant.</p>`;
  return { title: "Expired", person: null, narrow: true, body };
}

function about({ name, uri, publishedBy, redirectUri }: RequestingClient): Html {
  return html`<dl class="facts">
<dt>Assistant</dt><dd>${name}</dd>
${publishedBy !== null && html`<dt>Published at</dt><dd>${publishedBy}</dd>`}
${uri !== null && html`<dt>Says it is from</dt><dd>${uri}</dd>`}
<dt>Answer goes to</dt><dd>${whereTo(redirectUri)}<br><code class="whole" dir="ltr" translate="no">${redirectUri}</code></dd>
</dl>
<p class="warn">The name is not verified: anybody can call a program that. Allow it only if you have just started this yourself.</p>`;
}

/** The destination in words; the full address is shown beside it as plain text. */
function whereTo(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === "http:") return `a program on this computer (${hostname})`;
  return protocol === "https:" ? host : `the app “${protocol.slice(0, -1)}” on this device`;
}

function choice(workspaces: readonly Membership[]): Html {
  const [only] = workspaces;
  if (workspaces.length === 1) return html`<input type="hidden" name="workspace" value="${only?.tenantId}">`;
  return html`<label for="workspace">Workspace</label>
<select id="workspace" name="workspace" required>${workspaces.map(({ tenantId, name }) => html`<option value="${tenantId}">${name}</option>`)}</select>
<p class="quiet">It reaches the one you choose, and no other.</p>`;
}
