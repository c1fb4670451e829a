import type { Router } from "express";
import { type Membership, membershipsOf, revokeConnection } from "../../../auth/connections.ts";
import { allowAssistantAgain } from "../../../auth/external-issuer/blocked-connections.ts";
import { type AssistantConnection, listConnections } from "../../../auth/list-connections.ts";
import type { AuditEntry } from "../../core/audit-trail/read-audit-trail.ts";
import { LOOPBACK } from "../../settings.ts";
import { administeredBy, noticeOf } from "../kit/admin-page.ts";
import { emailAddress, type Html, html } from "../kit/html.ts";
import { SignedInRoutes, type Visit } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { personView, timeElement } from "../kit/words.ts";
import { plainTable } from "../lists/table.ts";
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
    const { session, request } = visit;
    const memberships = await membershipsOf(core, session);
    const sections = [];
    for (const membership of memberships) {
      const connections = await visit.act(membership, listConnections, {});
      sections.push(workspaceSection(membership, connections, visit));
    }
    const body = html`<h1>Assistant connections</h1>
${noticeOf(NOTICES, request.query)}
${memberships.length === 0 && html`<p>You are not a member of any workspace.</p>`}${sections}`;
    visit.show({ title: "Assistant connections", body });
  });

  routes.post("/connections/:connectionId/revoke", async (visit) => {
    const connectionId = visit.id("connectionId", "connection");
    await revokeConnection(core, { who: visit.session, connectionId, requestId: visit.requestId });
    visit.redirect("/connections?revoked");
  });

  routes.post("/connections/:tenantId/:connectionId/allow", async (visit) => {
    const workspace = await administeredBy(site, visit.session, visit.request.params.tenantId);
    await visit.act(workspace, allowAssistantAgain, { id: visit.id("connectionId", "connection") });
    visit.redirect("/connections?allowed");
  });

  return routes.router;
}

function workspaceSection(membership: Membership, connections: readonly AssistantConnection[], visit: Visit): Html {
  const { name, role, timezone } = membership;
  const isAdmin = role === "admin";
  const whose = isAdmin ? "Everybody's connections: you are an admin here." : "Your own connections.";
  const none = isAdmin ? "No assistant is connected." : "You have connected no assistant.";
  return html`<section>
<h2>${name}</h2>
${
  connections.length === 0
    ? html`<p class="quiet">${none} <a href="/mcp">Connect one</a>.</p>`
    : html`<p class="quiet">${whose} Times are in ${timezone}.</p>
${connectionTable(membership, connections, visit)}`
}
${isAdmin && modeForm(membership, visit)}
</section>`;
}

function connectionTable(
  { tenantId, name, timezone, assistants }: Membership,
  connections: readonly AssistantConnection[],
  visit: Visit,
): Html {
  const time = (instant: string): Html => timeElement(instant, timezone);
  const act = (action: string, { id }: AssistantConnection, look: string, words: string): Html =>
    visit.form(action, html`<button class="${look}" aria-describedby="client-${id}">${words}</button>`);
  return plainTable<AssistantConnection>({
    caption: `Assistant connections of ${name}`,
    look: "connections",
    rows: connections,
    ended: ({ revokedAt }) => revokedAt !== null,
    columns: [
      { head: "Person", cell: ({ person }) => personView(person) },
      {
        head: "Client",
        cell: (one) => [
          html`<span id="client-${one.id}">${one.clientName}</span>`,
          origins(one).map((words) => html`<br><span class="quiet">${words}</span>`),
        ],
      },
      {
        head: "Scopes",
        cell(one) {
          const { id, scopes, revokedAt } = one;
          if (revokedAt !== null) return scopeList(one, null);
          const canWrite = scopes.length > 1;
          return [
            scopeList(one, canWrite ? visit : null),
            canWrite && assistants === "read" && PAUSED,
            html`<a href="/connections/${id}/permissions" aria-describedby="client-${id}">Change permissions</a>`,
          ];
        },
      },
      { head: "Connected", cell: ({ createdAt }) => time(createdAt) },
      { head: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : time(lastUsedAt)) },
      {
        head: "Stop",
        kind: "acts",
        cell(one) {
          const { id, revokedAt, revokedBy, ender, isBlocked } = one;
          if (revokedAt === null) return act(`/connections/${id}/revoke`, one, "danger", "Revoke");
          const by = revokedBy === null ? enderInWords(ender) : emailAddress(revokedBy);
          return html`Revoked ${time(revokedAt)}<br><span class="quiet">by ${by}</span>
${isBlocked && act(`/connections/${tenantId}/${id}/allow`, one, "", "Allow again")}`;
        },
      },
    ],
  });
}

const PAUSED = html`<p class="quiet">This workspace lets assistants only read: other permissions are paused.</p>`;

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
