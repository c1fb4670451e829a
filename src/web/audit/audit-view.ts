import type { Membership } from "../../../auth/connections.ts";
import type { ObjectLabel } from "../../core/audit-trail/label-objects.ts";
import type { AuditEntry, AuditQuery, AuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { money } from "../../core/shared/money.ts";
import { type Html, html } from "../kit/html.ts";
import { dateTime, inWords } from "../kit/words.ts";

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
export function auditView(view: AuditView): Html {
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
  return html`<form class="filters" method="get" action="/audit" aria-label="Filters">
<input type="hidden" name="workspace" value="${workspace.tenantId}">
${select(
  { name: "person", label: "Person", all: "Everybody", chosen: query.personId },
  people.map(({ id, email }) => ({ value: id, label: email })),
)}
${select({ name: "connection", label: "Connection", all: "Any, or none", chosen: query.connectionId }, connectionNames)}
${select(
  { name: "operation", label: "Operation", all: "Any", chosen: query.operation },
  operations.map((name) => ({ value: name, label: inWords(name) })),
)}
<div class="actions"><button>Filter</button>${hasFilters(query) && html`<a href="${address({ workspace: workspace.tenantId })}">Clear filters</a>`}</div>
</form>`;
}

function select(
  { name, label, all, chosen }: { name: string; label: string; all: string; chosen: string | null },
  options: readonly { value: string; label: string }[],
): Html {
  return html`<div><label for="filter-${name}">${label}</label><select id="filter-${name}" name="${name}">
<option value="">${all}</option>${options.map(
    (option) =>
      html`<option value="${option.value}"${option.value === chosen && html` selected`}>${option.label}</option>`,
  )}
</select></div>`;
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
<th scope="row"><time datetime="${at}">${dateTime(at, timezone)}</time></th>
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
