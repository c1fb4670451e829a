import { membershipsOf, revokeConnection } from "../../../auth/connections.ts";
import { allowAssistantAgain } from "../../../auth/external-issuer/blocked-connections.ts";
import { type AssistantConnection, listConnections } from "../../../auth/list-connections.ts";
import type { AuditEntry } from "../../core/audit-trail/read-audit-trail.ts";
import { LOOPBACK } from "../../settings.ts";
import { emailAddress, type Html, html, link, muted, personView } from "../kit/markup.ts";
import {
  adminsHere,
  closedNote,
  OF_ANOTHER,
  openOrClosed,
  type PageRoutes,
  people,
  type Visit,
  WorkspaceVisit,
} from "../kit/page.ts";
import { plainTable } from "../lists/list.ts";

import { connectionIn, modeForm, PERMISSION_ACTS, scopeList, setMode } from "./permission-acts.ts";

/** What was just done, by the name that a form answers. */
const DONE = {
  revoked: "The connection was revoked. The assistant's next call is refused.",
  allowed: "The assistant may connect again: its next call makes a new connection.",
  changed: "Permissions changed. Takes effect on the assistant's next request.",
  only_read: "Assistants can now only read. Takes effect on their next request.",
  may_write: "Assistants can write again, as far as their permissions allow.",
};

/** `/connections`: the assistant connections a person may see, what each may do, and the button that revokes one. */
export const CONNECTION_PAGES: PageRoutes = {
  listing: {
    ...{ path: "/connections", name: "Assistant connections" },
    settings: { group: "Assistants and systems", words: "See what is connected, what it may do, and stop it." },
  },
  routes: [
    ...people.page("/connections", show, { "/:connectionId/revoke": { send: revoke }, ...PERMISSION_ACTS }, people),
    adminsHere.post("/connections/:tenantId/assistants", setMode),
    adminsHere.post("/connections/:tenantId/:connectionId/allow", allow),
  ],
};

async function show(visit: Visit): Promise<void> {
  const memberships = await membershipsOf(visit.site.core, visit.session);
  const sections = [];
  for (const membership of memberships) {
    const at = new WorkspaceVisit(visit, membership);
    sections.push(workspaceSection(at, await at.call(listConnections, {})));
  }
  const closed = await closedNote(visit);
  const body = html`<h1>Assistant connections</h1>
${visit.note(DONE)}${closed}${visit.session.tenantId !== null && muted(OF_ANOTHER)}
${memberships.length + closed.length === 0 && html`<p>You are not a member of any workspace.</p>`}${sections}`;
  visit.show({ title: "Assistant connections", body });
}

async function revoke(visit: Visit): Promise<string> {
  const { site, session: who, requestId } = visit;
  await openOrClosed(visit, revokeConnection(site.core, { who, connectionId: connectionIn(visit), requestId }));
  return "revoked";
}

async function allow(visit: WorkspaceVisit): Promise<string> {
  await visit.call(allowAssistantAgain, { id: connectionIn(visit) });
  return "/connections?done=allowed";
}

function workspaceSection(visit: WorkspaceVisit, connections: readonly AssistantConnection[]): Html {
  const { isAdmin } = visit;
  const { name, timezone } = visit.workspace;
  const whose = isAdmin ? "Everybody's connections: you are an admin here." : "Your own connections.";
  const none = isAdmin ? "No assistant is connected." : "You have connected no assistant.";
  return html`<section>
<h2>${name}</h2>
${
  connections.length === 0
    ? muted([none, " ", link("/mcp", "Connect one"), "."])
    : [muted(`${whose} Times are in ${timezone}.`), connectionTable(visit, connections)]
}
${isAdmin && modeForm(visit)}
</section>`;
}

function connectionTable(visit: WorkspaceVisit, connections: readonly AssistantConnection[]): Html {
  const { tenantId, name, assistants } = visit.workspace;
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
      { head: "Connected", cell: ({ createdAt }) => visit.time(createdAt) },
      { head: "Last used", cell: ({ lastUsedAt }) => visit.time(lastUsedAt) ?? "Never" },
      {
        head: "Access",
        kind: "acts",
        cell(one) {
          const { id, revokedAt, revokedBy, ender, isBlocked } = one;
          if (revokedAt === null) return visit.act(`/connections/${id}/revoke`, "Revoke", `client-${id}`);
          const by = revokedBy === null ? enderInWords(ender) : emailAddress(revokedBy);
          return html`Revoked ${visit.time(revokedAt)}<br><span class="quiet">by ${by}</span>
${isBlocked && visit.act(`/connections/${tenantId}/${id}/allow`, "Allow again", `client-${id}`, "")}`;
        },
      },
    ],
  });
}

const PAUSED = muted("This workspace lets assistants only read: other permissions are paused.");

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
