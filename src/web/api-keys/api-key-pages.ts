import { type ApiKey, type ListedApiKey, listApiKeys } from "../../../auth/api-keys/api-key.ts";
import { type CreatedApiKey, createApiKey } from "../../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../../auth/api-keys/revoke-api-key.ts";
import { findLastDoers } from "../../core/audit-trail/last-doers.ts";
import type { AuditEntry } from "../../core/audit-trail/read-audit-trail.ts";
import { who } from "../audit/entry-words.ts";
import { copyable, copyButtons, emailAddress, type Html, hidden, html, muted } from "../kit/markup.ts";
import { doing, Form, type Visit, type WorkspaceVisit } from "../kit/page.ts";
import { sectionsPage } from "../kit/sections-page.ts";
import { plainTable } from "../lists/list.ts";

/** What the permissions are called. */
const PERMISSION_NAMES: Readonly<Record<ApiKey["permission"], string>> = { readonly: "Read only", admin: "Admin" };

const PERMISSION_HINT =
  "Read only changes and sends nothing. Admin also issues and withdraws payment links, changes their mails, pushes \
receipts, starts syncs, changes settings of syncs and pushes, and dismisses tasks.";

const CREATE = new Form(
  createApiKey,
  {
    name: { label: "Name", attributes: html`maxlength="100" autocomplete="off"` },
    permission: {
      ...{ label: "Permission", hint: PERMISSION_HINT, choices: PERMISSION_NAMES },
    },
  },
  "A key needs a name and one of the two permissions.",
);

/** `/api-keys` (service.md §5.1): an admin makes keys, each shown once, and stops them. */
export const API_KEYS = sectionsPage({
  path: "/api-keys",
  title: "API keys",
  settings: { group: "Assistants and systems", words: "What systems call the API with." },
  adminsOnly: "Only an admin of a workspace makes and sees its keys",
  intro: html`A system calls the API with a key, as the workspace: see <a href="/docs">the API reference</a>.`,
  done: { revoked: "The key was revoked. Its next call is refused." },
  async section(visit) {
    const keys = await visit.call(listApiKeys, {});
    const revoked = keys.filter((key) => key.revoked_at !== null).map(({ id }) => id);
    const asked = { operation: "revokeApiKey", objectIds: revoked };
    return keysSection(visit, keys, await visit.call(findLastDoers, asked));
  },
  acts: {
    "": {
      // The id comes with the form, so that reloading the page makes no second key. Not a redirect: the key is in this
      // one answer and nowhere else.
      send: async (visit) => madeView(await CREATE.send(visit, { id: visit.field("id") }), visit),
    },
    "/:keyId/revoke": doing("revoked", (visit) => visit.call(revokeApiKey, { id: visit.id("keyId", "API key") })),
  },
});

function madeView({ name, key }: CreatedApiKey, { response }: Visit): Html {
  return html`<div class="status" role="status"><p>The key <strong>${name}</strong> was made. Keep it now: it is not
shown again.</p>
<p class="address">${copyable("the key", key)}</p></div>${copyButtons(response)}`;
}

function keysSection(
  visit: WorkspaceVisit,
  keys: readonly ListedApiKey[],
  enders: ReadonlyMap<string, AuditEntry>,
): Html {
  const { tenantId, name, timezone } = visit.workspace;
  const path = `/api-keys/${tenantId}`;
  const stop = ({ id, revoked_at: revoked }: ApiKey): Html => {
    if (revoked === null) return visit.act(`${path}/${id}/revoke`, "Revoke", `key-${id}`);
    const ender = enders.get(id);
    return html`Revoked ${visit.time(revoked)}\
${ender !== undefined && html`<br><span class="quiet">by ${emailAddress(who(ender))}</span>`}`;
  };
  const head = hidden("id", visit.site.core.newId());
  const none = "There is no key yet: a system that calls the API needs one.";
  return html`${muted(keys.length === 0 ? none : `Times are in ${timezone}.`)}
${
  keys.length > 0 &&
  plainTable<ListedApiKey>({
    caption: `API keys of ${name}`,
    rows: keys,
    ended: (key) => key.revoked_at !== null,
    columns: [
      { head: "Name", cell: (key) => html`<span id="key-${key.id}">${key.name}</span>` },
      { head: "Permission", cell: ({ permission }) => PERMISSION_NAMES[permission] },
      {
        head: "Created",
        cell: ({ created_at: created, made_by: maker }) => html`${visit.time(created)}\
${maker !== null && html`<br><span class="quiet">by ${emailAddress(maker)}</span>`}`,
      },
      { head: "Last used", cell: ({ last_used_at: used }) => visit.time(used) ?? "Never" },
      { head: "Access", kind: "acts", cell: stop },
    ],
  })
}
${CREATE.view(visit, { path, key: tenantId, button: "Create key", look: "card", head })}`;
}
