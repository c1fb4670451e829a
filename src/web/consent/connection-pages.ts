import type { Router } from "express";
import { type Membership, membershipsOf, revokeConnection } from "../../../auth/connections.ts";
import { allowAssistantAgain } from "../../../auth/external-issuer/blocked-connections.ts";
import { type AssistantConnection, listConnections } from "../../../auth/list-connections.ts";
import type { AuditEntry } from "../../core/audit-trail/read-audit-trail.ts";
import type { AssistantMode } from "../../core/gate/actor.ts";
import { LOOPBACK } from "../../settings.ts";
import { administeredBy, idIn, noticeOf } from "../kit/admin-page.ts";
import { buttonForm, type FormField } from "../kit/fields.ts";
import { emailAddress, type Html, html } from "../kit/html.ts";
import { SignedInRoutes } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { timeElement } from "../kit/words.ts";
import { modeForm, scopeList } from "./permission-pages.ts";

/** The notice after a form, by the name in the query. */
const NOTICES = {
  revoked: "The assistant was disconnected. Its next call is refused.",
  allowed: "The assistant may connect again: its next call makes a new connection.",
  changed: "Permissions changed. Takes effect on the assistant's next request.",
  only_read: "Assistants can now only read. Takes effect on their next request.",
  may_write: "Assistants can write again, as far as their permissions allow.",
};

/** `/connections`: the assistant connections a person may see, and the button that revokes one. */
export function connectionPages(site: Site): Router {
  const { core } = site;
  const routes = new SignedInRoutes(site, "/connections");

  routes.get("/connections", async (visit) => {
    const { session, request, formField } = visit;
    const memberships = await membershipsOf(core, session);
    const tables = [];
    for (const membership of memberships) {
      const connections = await visit.act(membership, listConnections, {});
      tables.push(workspaceTable(membership, connections, formField));
    }
    const body = html`<h1>Assistant connections</h1>
${noticeOf(NOTICES, request.query)}
${memberships.length === 0 && html`<p>You are not a member of any workspace.</p>`}${tables}`;
    visit.show({ title: "Assistant connections", body });
  });

  routes.post("/connections/:connectionId/revoke", async (visit) => {
    const connectionId = idIn(visit.request.params.connectionId, "connection");
    await revokeConnection(core, { who: visit.session, connectionId, requestId: visit.requestId });
    visit.redirect("/connections?revoked");
  });

  routes.post("/connections/:tenantId/:connectionId/allow", async (visit) => {
    const { tenantId, connectionId } = visit.request.params;
    const workspace = await administeredBy(site, visit.session, tenantId);
    await visit.act(workspace, allowAssistantAgain, { id: idIn(connectionId, "connection") });
    visit.redirect("/connections?allowed");
  });

  return routes.router;
}

function workspaceTable(
  membership: Membership,
  connections: readonly AssistantConnection[],
  formField: FormField,
): Html {
  const { tenantId, name, role, timezone } = membership;
  const mode = role === "admin" && modeForm(membership, formField);
  const whose = role === "admin" ? "Everybody's connections: you are an admin here." : "Your own connections.";
  const none = role === "admin" ? "No assistant is connected." : "You have connected no assistant.";
  if (connections.length === 0)
    return html`<section><h2>${name}</h2><p class="quiet">${none} <a href="/mcp">Connect one</a>.</p>${mode}</section>`;
  return html`<section>
<h2>${name}</h2>
<p class="quiet">${whose} Times are in ${timezone}.</p>
<div class="wide"><table class="connections">
<caption class="unseen">Assistant connections of ${name}</caption>
<thead><tr><th scope="col">Person</th><th scope="col">Client</th><th scope="col">Scopes</th><th scope="col">Connected</th><th scope="col">Last used</th><th scope="col">Stop</th></tr></thead>
<tbody>${connections.map((connection) => {
    const allowing = connection.isBlocked ? `/connections/${tenantId}/${connection.id}/allow` : null;
    return row(connection, { timezone, allowing, formField, assistants: membership.assistants });
  })}</tbody>
</table></div>
${mode}
</section>`;
}

interface RowOptions {
  timezone: string;
  /** The action by which an admin allows a blocked connection again; null for one that is not blocked. */
  allowing: string | null;
  formField: FormField;
  assistants: AssistantMode;
}

function row(connection: AssistantConnection, { timezone, allowing, formField, assistants }: RowOptions): Html {
  const { id, person, clientName, scopes, createdAt, lastUsedAt, revokedAt, revokedBy, ender } = connection;
  const time = (instant: string): Html => timeElement(instant, timezone);
  const [action, remove] = [`/connections/${id}/revoke`, `/connections/${id}/remove`];
  const removing = revokedAt === null && scopes.length > 1 ? { action: remove, field: formField(remove) } : null;
  const rests = revokedAt === null && assistants === "read" && scopes.length > 1;
  return html`<tr${revokedAt !== null && html` class="ended"`}>
<th scope="row">${person.name ?? emailAddress(person.email)}${person.name !== null && html`<br><span class="quiet">${emailAddress(person.email)}</span>`}</th>
<td data-label="Client"><span id="client-${id}">${clientName}</span>${origins(connection).map((words) => html`<br><span class="quiet">${words}</span>`)}</td>
<td data-label="Scopes">${scopeList(connection, removing)}${rests && html`<p class="quiet">This workspace lets assistants only read: other permissions are paused.</p>`}${revokedAt === null && html`<a href="/connections/${id}/permissions" aria-describedby="client-${id}">Change permissions</a>`}</td>
<td data-label="Connected">${time(createdAt)}</td>
<td data-label="Last used">${lastUsedAt === null ? "Never" : time(lastUsedAt)}</td>
<td>${
    revokedAt === null
      ? buttonForm(formField, action, html`<button class="danger" aria-describedby="client-${id}">Revoke</button>`)
      : html`Revoked ${time(revokedAt)}<br><span class="quiet">by ${revokedBy === null ? enderInWords(ender) : emailAddress(revokedBy)}</span>${allowing !== null && buttonForm(formField, allowing, html`<button aria-describedby="client-${id}">Allow again</button>`)}`
  }</td>
</tr>`;
}

/** Who ended a connection that no person ended on these pages. */
function enderInWords(ender: AuditEntry | undefined): string {
  if (ender?.actorKind === "operator") return "an operator";
  return ender?.actorKind === "system" ? "the assistant or the service" : "the assistant, an operator or the service";
}

/** Where a client is: first what we observed, then what it claims. */
function origins({ publishedBy, clientUri, answeredAtHost }: AssistantConnection): string[] {
  const claimed = clientUri === null ? null : (URL.parse(clientUri)?.host ?? null);
  return [
    answeredAtHost === null ? null : `At ${placeOf(answeredAtHost)}`,
    publishedBy === null || publishedBy === answeredAtHost ? null : `Published at ${publishedBy}`,
    claimed === null || claimed === answeredAtHost || claimed === publishedBy ? null : `Says it is from ${claimed}`,
  ].filter((words) => words !== null);
}

/** Where the authorization response went: a host, a program on the person's computer, or an app by its scheme. */
function placeOf(host: string): string {
  if (LOOPBACK.has(host)) return "the person's computer";
  return host.endsWith(":") ? `the app “${host.slice(0, -1)}”` : host;
}
