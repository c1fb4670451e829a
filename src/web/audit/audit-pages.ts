import type { Request, Router } from "express";
import type { Membership } from "../../../auth/connections.ts";
import type { ObjectLabel } from "../../core/audit-trail/label-objects.ts";
import {
  type AuditEntry,
  type AuditQuery,
  type AuditTrail,
  readAuditTrail,
} from "../../core/audit-trail/read-audit-trail.ts";
import { notFound, ServiceError } from "../../core/gate/error.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { money } from "../../core/shared/money.ts";
import { administeredWorkspaces, forAdminsOnly } from "../kit/admin-page.ts";
import { select } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { SignedInRoutes } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { dateTime, inWords, timeElement } from "../kit/words.ts";

const TITLE = "Audit trail";

/** `/audit` (completions §1): who did what in a workspace, for its admins. */
export function auditPages(site: Site): Router {
  const routes = new SignedInRoutes(site, null);
  routes.get("/audit", async (visit) => {
    const workspaces = await administeredWorkspaces(site, visit.session);
    if (workspaces.length === 0)
      return forAdminsOnly(visit, TITLE, "Only an admin of a workspace sees its audit trail");
    const asked = (name: string) => parameter(visit.request, name);
    const workspace = chosen(workspaces, asked("workspace"));
    const query = {
      personId: asked("person"),
      connectionId: asked("connection"),
      operation: asked("operation"),
      cursor: asked("cursor"),
    };
    const { trail, isLost } = await read(site, workspace.tenantId, query);
    const shown = isLost ? { ...query, cursor: null } : query;
    const body = auditView({ trail, workspace, workspaces, query: shown, isLost });
    visit.show({ title: TITLE, body }, isLost ? 400 : 200);
  });
  return routes.router;
}

/** The page asked for; the newest one where the cursor is altered or belongs to other filters. */
async function read({ core }: Site, tenantId: string, query: AuditQuery) {
  try {
    return { trail: await readAuditTrail(core, tenantId, query), isLost: false };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "invalid_cursor") throw error;
    return { trail: await readAuditTrail(core, tenantId, { ...query, cursor: null }), isLost: true };
  }
}

function chosen(workspaces: readonly Membership[], tenantId: string | null): Membership {
  const found = tenantId === null ? workspaces[0] : workspaces.find((workspace) => workspace.tenantId === tenantId);
  if (found === undefined) throw notFound("workspace");
  return found;
}

/** A parameter of the query; null where it is empty, missing or given twice. */
function parameter({ query }: Pick<Request, "query">, name: string): string | null {
  const value = query[name];
  return typeof value === "string" && value !== "" ? value : null;
}

interface AuditView {
  trail: AuditTrail;
  workspace: Membership;
  /** The workspaces the person administers. */
  workspaces: readonly Membership[];
  query: AuditQuery;
  /** The cursor was not valid, so this is the newest page. */
  isLost: boolean;
}

/** The page of an audit trail. */
function auditView(view: AuditView): Html {
  const { trail, workspace, isLost } = view;
  const { timezone } = workspace;
  return html`<h1>Audit trail</h1>
<p class="quiet">Who changed what in ${workspace.name}, newest first. Times are in ${timezone}.</p>
${isLost && html`<p class="alert" role="alert">That page cannot be opened: its link is incomplete, or of other filters. These are the newest entries.</p>`}
${workspaceChoice(view)}
${filters(view)}
${trail.entries.length === 0 ? html`<p>${hasFilters(view.query) ? "No entry matches these filters." : "Nothing has been recorded yet."}</p>` : table(trail.entries, timezone)}
${pager(view)}`;
}

/** Links, not a field of the form below: the people and connections to filter by differ by workspace. */
function workspaceChoice({ workspace, workspaces }: AuditView): Html | null {
  if (workspaces.length < 2) return null;
  return html`<nav class="choice" aria-label="Workspaces"><ul>${workspaces.map(
    ({ tenantId, name }) =>
      html`<li><a href="${address({ workspace: tenantId })}"${tenantId === workspace.tenantId && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>`;
}

function filters({ trail: { choices }, workspace, query }: AuditView): Html {
  const { people, connections, operations } = choices;
  const since = (instant: string): string => dateTime(instant, workspace.timezone);
  const connectionNames = connections.map(({ id, clientName, email, since: at }) => ({
    value: id,
    label: `${clientName}: ${email}, since ${since(at)}`,
  }));
  const chosen = { person: query.personId, connection: query.connectionId, operation: query.operation };
  const choice = (name: keyof typeof chosen, label: string, options: Parameters<typeof select>[1]): Html =>
    html`<div>${select({ id: `filter-${name}`, name, label }, options, chosen[name])}</div>`;
  return html`<form class="filters" method="get" action="/audit" aria-label="Filters">
<input type="hidden" name="workspace" value="${workspace.tenantId}">
${choice("person", "Person", [{ value: "", label: "Everybody" }, ...people.map(({ id, email }) => ({ value: id, label: email }))])}
${choice("connection", "Connection", [{ value: "", label: "Any, or none" }, ...connectionNames])}
${choice("operation", "Operation", [{ value: "", label: "Any" }, ...operations.map((name) => ({ value: name, label: inWords(name) }))])}
<div class="actions"><button>Filter</button>${hasFilters(query) && html`<a href="${address({ workspace: workspace.tenantId })}">Clear filters</a>`}</div>
</form>`;
}

function table(entries: readonly AuditEntry[], timezone: string): Html {
  return html`<div class="wide"><table class="trail">
<caption class="unseen">Audit entries</caption>
<thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">Through</th><th scope="col">Operation</th><th scope="col">Object</th><th scope="col">Outcome</th><th scope="col">Request</th></tr></thead>
<tbody>${entries.map((entry) => row(entry, timezone))}</tbody>
</table></div>`;
}

function row(entry: AuditEntry, timezone: string): Html {
  const { at, operation, outcome, requestId, details } = entry;
  return html`<tr>
<th scope="row">${timeElement(at, timezone)}</th>
<td data-label="Who">${who(entry)}</td>
<td data-label="Through">${through(entry)}</td>
<td data-label="Operation"><data value="${operation}">${inWords(operation)}</data>${details.map(([name, text]) => html`<br><span class="quiet">${inWords(name)}: ${text}</span>`)}</td>
<td data-label="Object">${object(entry)}</td>
<td data-label="Outcome"><span class="${outcome}">${inWords(outcome)}</span></td>
<td data-label="Request"><span class="id">${requestId}</span></td>
</tr>`;
}

/** Maximum of objects shown of a batch. */
const SHOWN_OF_BATCH = 5;

function object({ objectType, objectId, labels }: AuditEntry): Html {
  const more = labels.length - SHOWN_OF_BATCH;
  return html`${objectType === null ? "None" : inWords(objectType)}${labels
    .slice(0, SHOWN_OF_BATCH)
    .map(
      (label) => html`<br>${labelInWords(label)}`,
    )}${more > 0 && html`<br>and ${more} more`}${objectId !== null && html`<br><span class="id">${objectId}</span>`}`;
}

/** "Invoice NW-10187, Harbor Foods: 33,409.09 USD, receipt PAY-…". */
function labelInWords({ invoiceNumber, customerName, amount, currency, receiptNumber }: ObjectLabel): string {
  const invoice = invoiceNumber === null ? null : `Invoice ${invoiceNumber}`;
  const debt = [invoice, customerName].filter((part) => part !== null).join(", ");
  const sum = amount === null || currency === null ? amount : readableMoney(money(amount), currency);
  const parts = [sum, receiptNumber === null ? null : `receipt ${receiptNumber}`];
  return [debt, parts.filter((part) => part !== null).join(", ")].filter((part) => part !== "").join(": ");
}

/** Names of jobs and providers are the service's own words; those of people and keys are shown as they are. */
function who({ actorKind, actorName }: AuditEntry): string {
  if (actorName === null) return "Operator";
  return actorKind === "system" || actorKind === "provider" ? inWords(actorName) : actorName;
}

const THROUGH: Readonly<Record<AuditEntry["actorKind"], string>> = {
  api_key: "API key",
  assistant: "Assistant",
  person: "These pages",
  operator: "Terminal",
  system: "The service itself",
  provider: "Payment provider",
};

/** "Assistant" is shown too: a client chooses its own name, which could be any of the words above. */
function through({ actorKind, clientName }: AuditEntry): Html | string {
  if (clientName !== null) return html`<span class="quiet">Assistant</span><br>${clientName}`;
  return THROUGH[actorKind];
}

function pager({ trail, workspace, query }: AuditView): Html | null {
  const { personId, connectionId, operation, cursor } = query;
  const filtered = { workspace: workspace.tenantId, person: personId, connection: connectionId, operation };
  if (cursor === null && trail.older === null) return null;
  return html`<nav class="pager" aria-label="Pages of entries">${cursor !== null && html`<a href="${address(filtered)}">Newest</a>`}${trail.older !== null && html`<a rel="next" href="${address({ ...filtered, cursor: trail.older })}">Older</a>`}</nav>`;
}

function hasFilters({ personId, connectionId, operation }: AuditQuery): boolean {
  return personId !== null || connectionId !== null || operation !== null;
}

/** The address of the page, with the parameters that are not null. */
function address(query: Readonly<Record<string, string | null>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== null) given.set(name, value);
  return `/audit?${given}`;
}
