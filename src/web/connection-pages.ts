import { Router } from "express";
import {
  type AssistantConnection,
  listConnections,
  type Membership,
  membershipsOf,
  revokeConnection,
} from "../../auth/connections.ts";
import { allowAgain, listBlocked } from "../../auth/external-issuer/connections.ts";
import { ServiceError } from "../core/error.ts";
import { Uuid } from "../core/validation.ts";
import { requestIdOf } from "../http/request-id.ts";
import { administeredBy } from "./administered.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";
import type { Site } from "./site.ts";
import { dateTime, MAY, MAY_BRIEFLY } from "./words.ts";

const SIGN_IN = "/signin?next=%2Fconnections";

/** `/connections`: what is connected, and the button that stops it. */
export function connectionPages(site: Site): Router {
  const router = Router();

  router.get("/connections", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    const memberships = await membershipsOf(site.core, session);
    const tables = [];
    for (const membership of memberships) {
      const connections = await listConnections(site.core, membership);
      const blocked = membership.role === "admin" ? await listBlocked(site.core, membership.tenantId) : [];
      const formField: FormField = (action) => site.formField(request, response, action, session);
      tables.push(workspaceTable(membership, connections, new Set(blocked.map(({ id }) => id)), formField));
    }
    const body = html`<h1>Assistant connections</h1>
${request.query.revoked !== undefined && html`<p class="status" role="status">The assistant was disconnected. Its next call is refused.</p>`}
${request.query.allowed !== undefined && html`<p class="status" role="status">The assistant may connect again: its next call makes a new connection.</p>`}
${memberships.length === 0 && html`<p>You are not a member of any workspace.</p>`}${tables}`;
    response.send(renderPage({ title: "Assistant connections", person: session, body }));
  });

  router.post("/connections/:connectionId/revoke", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    site.checkForm(request, request.path, session);
    const connectionId = Uuid.safeParse(request.params.connectionId).data;
    if (connectionId === undefined) throw new ServiceError("not_found", "No such connection.");
    await revokeConnection(site.core, { who: session, connectionId, requestId: requestIdOf(response) });
    response.redirect(303, "/connections?revoked");
  });

  router.post("/connections/:tenantId/:connectionId/allow", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    site.checkForm(request, request.path, session);
    const { tenantId, memberId } = await administeredBy(site, session, request.params.tenantId);
    const connectionId = Uuid.safeParse(request.params.connectionId).data;
    if (connectionId === undefined) throw new ServiceError("not_found", "No such connection.");
    await allowAgain(site.core, tenantId, connectionId, { memberId, requestId: requestIdOf(response) });
    response.redirect(303, "/connections?allowed");
  });

  return router;
}

type FormField = (action: string) => Html;

/** `blocked` are the connections that were revoked and stop tokens that somebody else goes on issuing. */
function workspaceTable(
  { tenantId, name, role, timezone }: Membership,
  connections: readonly AssistantConnection[],
  blocked: ReadonlySet<string>,
  formField: FormField,
): Html {
  const whose = role === "admin" ? "Everybody's connections: you are an admin here." : "Your own connections.";
  const none = role === "admin" ? "No assistant is connected." : "You have connected no assistant.";
  if (connections.length === 0) return html`<section><h2>${name}</h2><p class="quiet">${none}</p></section>`;
  return html`<section>
<h2>${name}</h2>
<p class="quiet">${whose} Times are in ${timezone}.</p>
<div class="wide"><table class="connections">
<caption class="unseen">Assistant connections of ${name}</caption>
<thead><tr><th scope="col">Person</th><th scope="col">Client</th><th scope="col">Scopes</th><th scope="col">Connected</th><th scope="col">Last used</th><th scope="col">Stop</th></tr></thead>
<tbody>${connections.map((connection) => {
    const allowing = blocked.has(connection.id) ? `/connections/${tenantId}/${connection.id}/allow` : null;
    return row(connection, timezone, allowing, formField);
  })}</tbody>
</table></div>
</section>`;
}

function row(connection: AssistantConnection, timezone: string, allowing: string | null, formField: FormField): Html {
  const { id, person, clientName, scopes, createdAt, lastUsedAt, revokedAt, revokedBy } = connection;
  const time = (instant: string): Html => html`<time datetime="${instant}">${dateTime(instant, timezone)}</time>`;
  const action = `/connections/${id}/revoke`;
  return html`<tr${revokedAt !== null && html` class="ended"`}>
<th scope="row">${person.name ?? person.email}${person.name !== null && html`<br><span class="quiet">${person.email}</span>`}</th>
<td data-label="Client"><span id="client-${id}">${clientName}</span>${origins(connection).map((words) => html`<br><span class="quiet">${words}</span>`)}</td>
<td data-label="Scopes"><ul class="plain-list">${scopes.map((scope) => html`<li title="${MAY[scope]}">${MAY_BRIEFLY[scope]}<br><span class="id">${scope}</span></li>`)}</ul></td>
<td data-label="Connected">${time(createdAt)}</td>
<td data-label="Last used">${lastUsedAt === null ? "Never" : time(lastUsedAt)}</td>
<td>${
    revokedAt === null
      ? html`<form class="inline" method="post" action="${action}">${formField(action)}<button class="danger" aria-describedby="client-${id}">Revoke</button></form>`
      : html`Revoked ${time(revokedAt)}<br><span class="quiet">${revokedBy === null ? "by the client, an operator or the service" : `by ${revokedBy}`}</span>${allowing !== null && html`<form class="inline" method="post" action="${allowing}">${formField(allowing)}<button aria-describedby="client-${id}">Allow again</button></form>`}`
  }</td>
</tr>`;
}

/** What is known of where a client is: first what was seen, then what it says. */
function origins({ publishedBy, clientUri, answeredAtHost }: AssistantConnection): string[] {
  const claimed = clientUri === null ? null : (URL.parse(clientUri)?.host ?? null);
  return [
    answeredAtHost === null ? null : `At ${placeOf(answeredAtHost)}`,
    publishedBy === null || publishedBy === answeredAtHost ? null : `Published at ${publishedBy}`,
    claimed === null || claimed === answeredAtHost || claimed === publishedBy ? null : `Says it is from ${claimed}`,
  ].filter((words) => words !== null);
}

/** Where an answer went: a host, a program on the person's computer, or an app by its scheme. */
function placeOf(host: string): string {
  if (LOOPBACK.has(host)) return "the person's computer";
  return host.endsWith(":") ? `the app “${host.slice(0, -1)}”` : host;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
