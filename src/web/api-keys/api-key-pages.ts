import type { Router } from "express";
import { z } from "zod";
import { type ApiKey, ApiKeyName, listApiKeys } from "../../../auth/api-keys/api-key.ts";
import { type CreatedApiKey, createApiKey } from "../../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../../auth/api-keys/revoke-api-key.ts";
import type { Membership } from "../../../auth/connections.ts";
import { findLastDoers } from "../../core/audit-trail/last-doers.ts";
import type { AuditEntry } from "../../core/audit-trail/read-audit-trail.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { who } from "../audit/entry-words.ts";
import { administeredBy, administeredWorkspaces, forAdminsOnly, idIn } from "../kit/admin-page.ts";
import { copyable, copyButtons } from "../kit/copy.ts";
import { buttonForm, type FormField } from "../kit/fields.ts";
import { emailAddress, type Html, html } from "../kit/html.ts";
import { SignedInRoutes, type Visit } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { timeElement } from "../kit/words.ts";

/** The id comes with the form, so that reloading the page makes no second key. */
const NewKey = z.object({ id: Uuid, name: ApiKeyName, permission: z.enum(["readonly", "admin"]) });

/** What the permissions are called. */
const PERMISSION_NAMES: Readonly<Record<ApiKey["permission"], string>> = { readonly: "Read only", admin: "Admin" };

/** A form that made no key, as it was filled in. */
interface Refused {
  refused: string;
  status: number;
  tenantId: string;
  name: string;
  permission: string;
}

/** What was just done, shown above the tables. */
type Notice = { made: CreatedApiKey } | Refused | { revoked: true } | null;

/** `/api-keys` (service.md §5.1): an admin makes keys, each shown once, and stops them. */
export function apiKeyPages(site: Site): Router {
  const routes = new SignedInRoutes(site, "/api-keys");

  async function show(visit: Visit, notice: Notice): Promise<void> {
    const administered = await administeredWorkspaces(site, visit.session);
    if (administered.length === 0)
      return forAdminsOnly(visit, "API keys", "Only an admin of a workspace makes and sees its keys");
    const refused = notice !== null && "refused" in notice ? notice : null;
    const sections = [];
    for (const membership of administered) {
      const keys = await visit.act(membership, listApiKeys, {});
      const revoked = keys.filter((key) => key.revoked_at !== null).map((key) => key.id);
      const enders = await visit.act(membership, findLastDoers, { operation: "revokeApiKey", objectIds: revoked });
      const own = refused?.tenantId === membership.tenantId ? refused : null;
      const { formField } = visit;
      sections.push(section(membership, keys, { newId: site.core.newId(), refused: own, formField, enders }));
    }
    const body = html`<h1>API keys</h1>
<p class="quiet">A system calls the API with a key, as the workspace. What there is to call: <a href="/docs">the API reference</a>.</p>
${noticeView(notice)}
${sections}
${notice !== null && "made" in notice && copyButtons(visit.response)}`;
    visit.show({ title: "API keys", body }, refused?.status);
  }

  routes.get("/api-keys", (visit) => show(visit, visit.request.query.revoked === undefined ? null : { revoked: true }));

  routes.post("/api-keys/:tenantId", async (visit) => {
    const workspace = await administeredBy(site, visit.session, visit.request.params.tenantId);
    const { tenantId } = workspace;
    const typed = { name: visit.field("name"), permission: visit.field("permission") };
    const refuse = (status: number, refused: string) => show(visit, { refused, status, tenantId, ...typed });
    const given = NewKey.safeParse({ ...typed, id: visit.field("id") });
    if (!given.success) return refuse(400, "A key needs a name and one of the two permissions.");
    try {
      const made = await visit.act(workspace, createApiKey, given.data);
      // Not a redirect: the key is in this one answer and nowhere else.
      await show(visit, { made });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "conflict") throw error;
      return refuse(409, error.message);
    }
  });

  routes.post("/api-keys/:tenantId/:keyId/revoke", async (visit) => {
    const { tenantId, keyId } = visit.request.params;
    const workspace = await administeredBy(site, visit.session, tenantId);
    await visit.act(workspace, revokeApiKey, { id: idIn(keyId, "API key") });
    visit.redirect("/api-keys?revoked");
  });

  return routes.router;
}

function noticeView(notice: Notice): Html | null {
  if (notice === null) return null;
  if ("revoked" in notice)
    return html`<p class="status" role="status">The key was revoked. Its next call is refused.</p>`;
  if ("refused" in notice) return html`<p class="alert" role="alert">${notice.refused}</p>`;
  const { name, key } = notice.made;
  return html`<div class="status" role="status"><p>The key <strong>${name}</strong> was made. Keep it now: it is not shown again.</p>
<p class="address">${copyable("the key", key)}</p></div>`;
}

interface KeysView {
  newId: string;
  refused: Refused | null;
  formField: FormField;
  /** The audit entries of revoked keys. */
  enders: ReadonlyMap<string, AuditEntry>;
}

function section(
  { tenantId, name, timezone }: Membership,
  keys: readonly ApiKey[],
  { newId, refused, formField, enders }: KeysView,
): Html {
  const action = `/api-keys/${tenantId}`;
  return html`<section>
<h2>${name}</h2>
${
  keys.length === 0
    ? html`<p class="quiet">There is no key yet: a system that calls the API needs one.</p>`
    : html`<p class="quiet">Times are in ${timezone}.</p>
<div class="wide"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Permission</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col">Stop</th></tr></thead>
<tbody>${keys.map((key) => row(key, { action, timezone, formField, ender: enders.get(key.id) }))}</tbody>
</table></div>`
}
<form class="card" method="post" action="${action}">${formField(action)}<input type="hidden" name="id" value="${newId}">
<label for="name-${tenantId}">Name</label><input id="name-${tenantId}" name="name" required maxlength="100" autocomplete="off" value="${refused?.name}">
<label for="permission-${tenantId}">Permission</label><select id="permission-${tenantId}" name="permission">
<option value="readonly">${PERMISSION_NAMES.readonly}: changes and sends nothing</option>
<option value="admin"${refused?.permission === "admin" && html` selected`}>${PERMISSION_NAMES.admin}: also issues and withdraws payment links, changes their emails, pushes receipts, starts syncs, changes settings of syncs and pushes, and dismisses tasks</option>
</select>
<div class="actions"><button>Create key</button></div></form>
</section>`;
}

interface RowOptions {
  action: string;
  timezone: string;
  formField: FormField;
  ender: AuditEntry | undefined;
}

function row(
  { id, name, permission, created_at: created, last_used_at: used, revoked_at: revoked }: ApiKey,
  { action, timezone, formField, ender }: RowOptions,
): Html {
  const time = (instant: string): Html => timeElement(instant, timezone);
  const revoke = `${action}/${id}/revoke`;
  return html`<tr${revoked !== null && html` class="ended"`}>
<th scope="row" id="key-${id}">${name}</th>
<td data-label="Permission">${PERMISSION_NAMES[permission]}</td>
<td data-label="Created">${time(created)}</td>
<td data-label="Last used">${used === null ? "Never" : time(used)}</td>
<td>${
    revoked === null
      ? buttonForm(formField, revoke, html`<button class="danger" aria-describedby="key-${id}">Revoke</button>`)
      : html`Revoked ${time(revoked)}${ender !== undefined && html`<br><span class="quiet">by ${emailAddress(who(ender))}</span>`}`
  }</td>
</tr>`;
}
