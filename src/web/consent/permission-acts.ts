import {
  type ConnectionPermissions,
  changePermissions,
  readPermissions,
} from "../../../auth/connection-permissions.ts";
import { READ_SCOPE } from "../../../auth/grantable-scopes.ts";
import { ASSISTANT_MODES, SCOPES, type Scope } from "../../core/gate/actor.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { setAssistantMode } from "../../core/workspace/operations/set-assistant-mode.ts";
import {
  actions,
  type Html,
  hidden,
  html,
  link,
  MAY,
  MAY_BRIEFLY,
  mayList,
  muted,
  NEVER_LIST,
  tick,
} from "../kit/markup.ts";
import { type FormActs, openOrClosed, type Visit, type WorkspaceVisit } from "../kit/page.ts";

export const connectionIn = (visit: Visit): string => visit.id("connectionId", "connection");

async function permissionsOf(visit: Visit): Promise<ConnectionPermissions> {
  const { site, session } = visit;
  return openOrClosed(visit, readPermissions(site.core, session, connectionIn(visit)));
}

async function change(visit: Visit, scopes: { give: readonly Scope[]; take: readonly Scope[] }): Promise<string> {
  const { site, session: who, requestId } = visit;
  const connectionId = connectionIn(visit);
  await openOrClosed(visit, changePermissions(site.core, { who, connectionId, requestId, ...scopes }));
  return "changed";
}

/** The scopes that a form of permissions showed as ticked. */
const WAS = "was";
const shownBefore = (visit: Visit) => {
  const shown = visit.field(WAS).split(" ");
  return SCOPES.filter((scope) => shown.includes(scope));
};

/** What a connection may do: the page of it, and the button that takes one permission away. */
export const PERMISSION_ACTS: FormActs<Visit> = {
  "/:connectionId/permissions": {
    title: "Permissions",
    ask: async (visit) => permissionsView(await permissionsOf(visit), visit),
    async send(visit) {
      const ticked = SCOPES.filter((scope) => visit.isTicked(scope));
      // What the page had ticked by itself gives nothing that somebody removed since.
      const was = shownBefore(visit);
      const give = ticked.filter((scope) => !was.includes(scope));
      const take = was.filter((scope) => scope !== READ_SCOPE && !ticked.includes(scope));
      return change(visit, { give, take });
    },
  },
  "/:connectionId/remove": {
    send(visit) {
      const scope = SCOPES.find((name) => name === visit.field("scope"));
      if (scope === undefined || scope === READ_SCOPE)
        throw new ServiceError("validation_failed", "Choose a permission.");
      return change(visit, { give: [], take: [scope] });
    },
  },
};

/** Says how far a workspace's assistants may go. */
export async function setMode(visit: WorkspaceVisit): Promise<string> {
  const assistants = ASSISTANT_MODES.find((mode) => mode === visit.field("assistants"));
  if (assistants === undefined) throw new ServiceError("validation_failed", "Choose how far assistants may go.");
  await visit.call(setAssistantMode, { assistants });
  return `/connections?done=${assistants === "read" ? "only_read" : "may_write"}`;
}

function permissionsView(
  { clientName, owner, isOwn, scopes, giveable, takeable }: ConnectionPermissions,
  visit: Visit,
): Html {
  const boxes = SCOPES.filter((scope) => giveable.includes(scope) || takeable.includes(scope));
  const whose = isOwn ? "you" : html`<strong>${owner}</strong>, the only one who can give it more`;
  const none = boxes.length === 0;
  const isTicked = (scope: Scope) => (visit.refusal === null ? scopes.includes(scope) : visit.isTicked(scope));
  const form = html`
<h2>It may</h2>
${mayList(MAY[READ_SCOPE])}
${none ? muted("You can change nothing else here.") : html`<p>It may also, if ticked:</p>`}
${hidden(WAS, (visit.refusal === null ? scopes : shownBefore(visit)).join(" "))}
${boxes.map((scope) => tick(scope, "on", MAY[scope], isTicked(scope) ? "ticked" : null))}
<h2>It can never</h2>
${NEVER_LIST}
${actions(!none && html`<button>Save permissions</button>`, link("/connections", "Back to Assistant connections"))}`;
  return html`<h1>What ${clientName} may do</h1>
<p>It acts for ${whose}. Changes take effect on its next request.</p>
${visit.form(visit.request.path, form)}`;
}

/** The scopes of a connection; with `visit`, each write scope has a button that removes it. */
export function scopeList({ id, scopes }: { id: string; scopes: readonly Scope[] }, visit: Visit | null): Html {
  const remove = (scope: Scope): Html => html` <button class="link" name="scope" value="${scope}"
 aria-label="Remove: ${MAY_BRIEFLY[scope]}" aria-describedby="client-${id}">Remove</button>`;
  const list = html`<ul class="plain-list">${scopes.map(
    (scope) =>
      html`<li title="${MAY[scope]}">${MAY_BRIEFLY[scope]}${visit && scope !== READ_SCOPE && remove(scope)}</li>`,
  )}</ul>`;
  return visit?.form(`/connections/${id}/remove`, list) ?? list;
}

/** By how far a workspace's assistants may go now. */
const MODES = {
  read: {
    words:
      "assistants can only read: their other permissions are paused. If you let them write, each has its \
permissions back.",
    button: html`<button>Let assistants write</button>`,
    to: "write",
  },
  write: {
    words:
      "each assistant can do what its permissions allow. If you let assistants only read, all else is paused from \
their next request, until you let them write again.",
    button: html`<button class="danger">Let assistants only read</button>`,
    to: "read",
  },
};

/** Whether a workspace's assistants may write, and the button that changes it; for its admins. */
export function modeForm(visit: WorkspaceVisit): Html {
  const { tenantId, name, assistants } = visit.workspace;
  const { words, button, to } = MODES[assistants];
  const body = html`${hidden("assistants", to)}
<p>In ${name} ${words}</p>
${button}`;
  return visit.form(`/connections/${tenantId}/assistants`, body, { look: "card" });
}
