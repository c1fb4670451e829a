import { type Request, type Response, Router } from "express";
import {
  type ConnectionPermissions,
  changePermissions,
  readPermissions,
} from "../../../auth/connection-permissions.ts";
import { READ_SCOPE } from "../../../auth/scopes.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { ASSISTANT_MODES, SCOPES, type Scope } from "../../core/gate/actor.ts";
import { notFound, ServiceError } from "../../core/gate/error.ts";
import { setAssistantMode } from "../../core/workspace/operations/set-assistant-mode.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { administeredBy } from "../kit/administered.ts";
import { type Html, html } from "../kit/html.ts";
import { renderPage } from "../kit/layout.ts";
import { idIn } from "../kit/news.ts";
import { fieldOf, type Site } from "../kit/site.ts";
import { MAY, MAY_BRIEFLY, NEVER } from "../kit/words.ts";

type OfConnection = Request<{ connectionId: string }>;

/** What a connection may do, taken away on the list itself or changed on a page, and how far a workspace's assistants may go. */
export function permissionPages(site: Site): Router {
  const router = Router();

  router.get("/connections/:connectionId/permissions", async (request, response) => {
    const found = await person(request, response);
    if (found === null) return;
    const { session, connectionId } = found;
    const permissions = await readPermissions(site.core, session, connectionId);
    if (permissions === null) throw notFound("connection");
    const token = site.formField(request, response, request.path, session);
    const body = permissionsView(permissions, { action: request.path, token });
    response.send(renderPage({ title: "Permissions", person: session, narrow: true, body }));
  });

  router.post("/connections/:connectionId/permissions", async (request, response) => {
    const found = await person(request, response);
    if (found === null) return;
    site.checkForm(request, request.path, found.session);
    const permissions = await readPermissions(site.core, found.session, found.connectionId);
    if (permissions === null) throw notFound("connection");
    const ticked = SCOPES.filter((scope) => fieldOf(request, scope) === "on");
    const give = ticked.filter((scope) => !permissions.scopes.includes(scope));
    const take = permissions.takeable.filter((scope) => !ticked.includes(scope));
    await change(response, found, { give, take });
  });

  router.post("/connections/:connectionId/remove", async (request, response) => {
    const found = await person(request, response);
    if (found === null) return;
    site.checkForm(request, request.path, found.session);
    const scope = SCOPES.find((name) => name === fieldOf(request, "scope"));
    if (scope === undefined || scope === READ_SCOPE)
      throw new ServiceError("validation_failed", "Choose a permission.");
    await change(response, found, { give: [], take: [scope] });
  });

  router.post("/connections/:tenantId/assistants", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    site.checkForm(request, request.path, session);
    const workspace = await administeredBy(site, session, request.params.tenantId);
    const assistants = ASSISTANT_MODES.find((mode) => mode === fieldOf(request, "assistants"));
    if (assistants === undefined) throw new ServiceError("validation_failed", "Choose how far assistants may go.");
    await site.act(response, workspace, setAssistantMode, { assistants });
    response.redirect(303, `/connections?${assistants === "read" ? "only_read" : "may_write"}`);
  });

  async function person(request: OfConnection, response: Response) {
    const session = await site.person(request);
    if (session !== null) return { session, connectionId: idIn(request.params.connectionId, "connection") };
    response.redirect(303, SIGN_IN);
    return null;
  }

  async function change(
    response: Response,
    { session, connectionId }: { session: WebSession; connectionId: string },
    scopes: { give: readonly Scope[]; take: readonly Scope[] },
  ): Promise<void> {
    await changePermissions(site.core, { who: session, connectionId, requestId: requestIdOf(response), ...scopes });
    response.redirect(303, "/connections?changed");
  }

  return router;
}

const SIGN_IN = "/signin?next=%2Fconnections";

function permissionsView(
  { clientName, owner, isOwn, scopes, giveable, takeable }: ConnectionPermissions,
  { action, token }: { action: string; token: Html },
): Html {
  const boxes = SCOPES.filter((scope) => giveable.includes(scope) || takeable.includes(scope));
  const whose = isOwn
    ? html`It acts for you.`
    : html`It acts for <strong>${owner}</strong>, who alone can give it more.`;
  return html`<h1>What ${clientName} may do</h1>
<p>${whose} Changes take effect on its next request.</p>
<form method="post" action="${action}">${token}
<h2>It may</h2>
<ul class="may"><li>${MAY[READ_SCOPE]}</li></ul>
${boxes.length === 0 ? html`<p class="quiet">You can change nothing else here.</p>` : html`<p>It may also, if ticked:</p>`}
${boxes.map((scope) => html`<label class="check"><input type="checkbox" name="${scope}" value="on"${scopes.includes(scope) && html` checked`}> <span>${MAY[scope]}</span></label>`)}
<h2>It can never</h2>
<ul class="never">${NEVER.map((words) => html`<li>${words}</li>`)}</ul>
<div class="actions">${boxes.length > 0 && html`<button>Save permissions</button>`}<a href="/connections">Back to Assistant connections</a></div>
</form>`;
}

/** The scopes of a connection, each write scope with the button that takes it away; `action` is null where there is none. */
export function scopeList(
  { id, scopes }: { id: string; scopes: readonly Scope[] },
  form: { action: string; field: Html } | null,
): Html {
  const list = html`<ul class="plain-list">${scopes.map(
    (scope) =>
      html`<li title="${MAY[scope]}">${MAY_BRIEFLY[scope]}<br><span class="id">${scope}</span>${form !== null && scope !== READ_SCOPE && html` <button class="link" name="scope" value="${scope}" aria-label="Remove: ${MAY_BRIEFLY[scope]}" aria-describedby="client-${id}">Remove</button>`}</li>`,
  )}</ul>`;
  return form === null ? list : html`<form method="post" action="${form.action}">${form.field}${list}</form>`;
}

/** How far a workspace's assistants may go, and the button that changes it; for its admins. */
export function modeForm(
  { name, assistants }: { name: string; assistants: "read" | "write" },
  { action, field }: { action: string; field: Html },
): Html {
  const isReading = assistants === "read";
  const words = isReading
    ? `In ${name} assistants can only read: their other permissions are paused. If you let them write, each has its permissions back.`
    : `In ${name} each assistant can do what its permissions allow. If you let assistants only read, their other permissions are paused from their next request, and kept.`;
  return html`<form class="card" method="post" action="${action}">${field}<input type="hidden" name="assistants" value="${isReading ? "write" : "read"}">
<p>${words}</p>
<button${!isReading && html` class="danger"`}>${isReading ? "Let assistants write" : "Let assistants only read"}</button></form>`;
}
