import { type Request, type Response, Router } from "express";
import { z } from "zod";
import {
  type ApiKey,
  ApiKeyName,
  type IssuedApiKey,
  issueApiKey,
  listApiKeys,
  revokeApiKey,
} from "../../auth/api-keys.ts";
import type { Membership } from "../../auth/connections.ts";
import type { WebSession } from "../../auth/sessions.ts";
import { notFound } from "../core/error.ts";
import { Uuid } from "../core/validation.ts";
import { requestIdOf } from "../http/request-id.ts";
import { administeredBy, administeredWorkspaces } from "./administered.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";
import { fieldOf, type Site } from "./site.ts";
import { dateTime } from "./words.ts";

const SIGN_IN = "/signin?next=%2Fapi-keys";
const NewKey = z.object({ name: ApiKeyName, permission: z.enum(["readonly", "admin"]) });

/** What is told above the tables, about what has just happened. */
type Notice = { made: IssuedApiKey } | { refused: string } | { revoked: true } | null;

/** `/api-keys` (service.md §5.1): an admin makes keys, each shown once, and stops them. */
export function apiKeyPages(site: Site): Router {
  const router = Router();

  async function show(request: Request, response: Response, session: WebSession, notice: Notice): Promise<void> {
    const administered = await administeredWorkspaces(site, session);
    const sections = [];
    for (const membership of administered) {
      const keys = await listApiKeys(site.core, membership.tenantId);
      sections.push(section(membership, keys, (action) => site.formField(request, response, action, session)));
    }
    const body = html`<h1>API keys</h1>
<p class="quiet">A system calls the API with a key, as the workspace. What there is to call: <a href="/docs">the API reference</a>.</p>
${told(notice)}
${administered.length === 0 && html`<p>Only an admin of a workspace makes and sees its keys, and you are not one.</p>`}${sections}`;
    response.status(notice !== null && "refused" in notice ? 400 : 200);
    response.send(renderPage({ title: "API keys", person: session, body }));
  }

  router.get("/api-keys", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    await show(request, response, session, request.query.revoked === undefined ? null : { revoked: true });
  });

  router.post("/api-keys/:tenantId", async (request, response) => {
    const session = await site.person(request);
    site.checkForm(request, request.path, session);
    if (session === null) return response.redirect(303, SIGN_IN);
    const { tenantId, memberId } = await administeredBy(site, session, request.params.tenantId);
    const given = NewKey.safeParse({ name: fieldOf(request, "name"), permission: fieldOf(request, "permission") });
    if (!given.success)
      return show(request, response, session, { refused: "A key needs a name and one of the two permissions." });
    const made = await issueApiKey(site.core, tenantId, given.data, { memberId, requestId: requestIdOf(response) });
    // Not a redirect: the key is in this one answer and nowhere else.
    await show(request, response, session, { made });
  });

  router.post("/api-keys/:tenantId/:keyId/revoke", async (request, response) => {
    const session = await site.person(request);
    site.checkForm(request, request.path, session);
    if (session === null) return response.redirect(303, SIGN_IN);
    const { tenantId, memberId } = await administeredBy(site, session, request.params.tenantId);
    const keyId = Uuid.safeParse(request.params.keyId).data;
    if (keyId === undefined) throw notFound("API key");
    await revokeApiKey(site.core, tenantId, keyId, { memberId, requestId: requestIdOf(response) });
    response.redirect(303, "/api-keys?revoked");
  });

  return router;
}

function told(notice: Notice): Html | null {
  if (notice === null) return null;
  if ("revoked" in notice)
    return html`<p class="status" role="status">The key was revoked. Its next call is refused.</p>`;
  if ("refused" in notice) return html`<p class="alert" role="alert">${notice.refused}</p>`;
  const { name, key } = notice.made;
  return html`<div class="status" role="status"><p>The key <strong>${name}</strong> was made. Keep it now: it is not shown again.</p>
<p class="address"><code id="new-key">${key}</code></p></div>`;
}

function section(
  { tenantId, name, timezone }: Membership,
  keys: readonly ApiKey[],
  formField: (action: string) => Html,
): Html {
  const action = `/api-keys/${tenantId}`;
  return html`<section>
<h2>${name}</h2>
${
  keys.length === 0
    ? html`<p class="quiet">There is no key.</p>`
    : html`<p class="quiet">Times are in ${timezone}.</p>
<div class="wide"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Permission</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col">Stop</th></tr></thead>
<tbody>${keys.map((key) => row(key, { action, timezone, formField }))}</tbody>
</table></div>`
}
<form class="card" method="post" action="${action}">${formField(action)}
<label for="name-${tenantId}">Name</label><input id="name-${tenantId}" name="name" required maxlength="100" autocomplete="off">
<label for="permission-${tenantId}">Permission</label><select id="permission-${tenantId}" name="permission">
<option value="readonly">Read only: changes and sends nothing</option>
<option value="admin">Admin: also starts syncs, changes schedules and dismisses tasks</option>
</select>
<div class="actions"><button>Create key</button></div></form>
</section>`;
}

function row(
  { id, name, permission, created_at: created, last_used_at: used, revoked_at: revoked }: ApiKey,
  { action, timezone, formField }: { action: string; timezone: string; formField: (action: string) => Html },
): Html {
  const time = (instant: string): Html => html`<time datetime="${instant}">${dateTime(instant, timezone)}</time>`;
  const revoke = `${action}/${id}/revoke`;
  return html`<tr${revoked !== null && html` class="ended"`}>
<th scope="row" id="key-${id}">${name}</th>
<td data-label="Permission">${permission}</td>
<td data-label="Created">${time(created)}</td>
<td data-label="Last used">${used === null ? "Never" : time(used)}</td>
<td>${
    revoked === null
      ? html`<form class="inline" method="post" action="${revoke}">${formField(revoke)}<button class="danger" aria-describedby="key-${id}">Revoke</button></form>`
      : html`Revoked ${time(revoked)}`
  }</td>
</tr>`;
}
