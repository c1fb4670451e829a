import type { Membership } from "../../../auth/connections.ts";
import type { AuditEntry, AuditQuery, AuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { withQuery } from "../kit/address.ts";
import { hidden, input, select } from "../kit/fields.ts";
import { emailAddress, type Html, html, type Inserted } from "../kit/html.ts";
import { tabs } from "../kit/parts.ts";
import { dateTime, inWords, timeElement } from "../kit/words.ts";
import { chip } from "../lists/figures.ts";
import { type Column, table } from "../lists/table.ts";
import { CALLERS, detailInWords, labelInWords, THROUGH, through, who } from "./entry-words.ts";

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
  const { trail, workspace, query, isLost } = view;
  const { name, timezone } = workspace;
  const none = hasFilters(query) ? "No entry matches these filters." : "Nothing has been recorded yet.";
  return html`<div class="title"><div><h1>Audit trail</h1>
<p class="quiet">Who changed what in ${name}, newest first. Times are in ${timezone}.</p></div>
<a class="button plain" href="${address(view, { cursor: null }, ".csv")}" download>Download CSV</a></div>
${isLost && LOST}
${workspaceChoice(view)}
${filters(view)}
${
  trail.entries.length === 0
    ? html`<div class="empty"><p>${none}</p></div>`
    : table({ caption: "Audit entries", columns: COLUMNS, rows: trail.entries, visit: workspace, look: "trail" })
}
${pager(view)}`;
}

const LOST = html`<p class="alert" role="alert">That page cannot be opened: its link is incomplete, or of other filters.
These are the newest entries.</p>`;

const connectionName = ({ clientName, email, since }: AuditTrail["choices"]["connections"][number], timezone: string) =>
  `${clientName}: ${email}, since ${dateTime(since, timezone)}`;

/** Links, not a field of the form below: the people and connections to filter by differ by workspace. */
function workspaceChoice({ workspace, workspaces }: AuditView): Html | null {
  if (workspaces.length < 2) return null;
  const places = workspaces.map(({ tenantId, name }) => ({
    ...{ path: withQuery("/audit", { workspace: tenantId }), name },
    isCurrent: tenantId === workspace.tenantId,
  }));
  return tabs("Workspaces", places);
}

function filters({ trail: { choices }, workspace, query }: AuditView): Html {
  const { people, connections, operations } = choices;
  const asked = {
    person: query.personId,
    connection: query.connectionId,
    operation: query.operation,
    through: query.kind,
  };
  const { timezone } = workspace;
  const choice = (
    name: keyof typeof asked,
    label: string,
    all: string,
    some: [value: string, label: string][],
  ): Html => {
    const options = [["", all] as const, ...some].map(([value, words]) => ({ value, label: words }));
    return html`<div>${select({ id: `filter-${name}`, name, label }, options, asked[name])}</div>`;
  };
  const day = (name: "from" | "to", label: string): Html =>
    html`<div class="date">${input({ id: `filter-${name}`, name, label }, html`type="date" value="${query[name]}"`)}</div>`;
  return html`<form class="filters" method="get" action="/audit" aria-label="Filters">
${hidden("workspace", workspace.tenantId)}
${query.invoiceId !== null && hidden("invoice", query.invoiceId)}
${query.objectId !== null && hidden("object", query.objectId)}
${day("from", "From")}
${day("to", "Until")}
${choice(
  "person",
  "Person",
  "Everybody",
  people.map(({ id, email }) => [id, email]),
)}
${choice(
  "through",
  "Through",
  "Any",
  CALLERS.map((kind) => [kind, THROUGH[kind]]),
)}
${choice(
  "connection",
  "Connection",
  "Any, or none",
  connections.map((one) => [one.id, connectionName(one, timezone)]),
)}
${choice(
  "operation",
  "Operation",
  "Any",
  operations.map((name) => [name, inWords(name)]),
)}
<div class="actions"><button>Apply</button>${hasFilters(query) && html`<a href="${withQuery("/audit", { workspace: workspace.tenantId })}">Clear all</a>`}</div>
</form>
${query.invoiceId !== null && html`<p class="chips"><span class="chip">One invoice, its links, payments and tasks</span></p>`}${query.objectId !== null && html`<p class="chips"><span class="chip">One object</span></p>`}`;
}

const COLUMNS: readonly Column<AuditEntry, Membership>[] = [
  { head: "When", cell: ({ at }, { timezone }) => timeElement(at, timezone) },
  { head: "Who", cell: (entry) => emailAddress(who(entry)) },
  { head: "Through", cell: through },
  {
    head: "Operation",
    cell: ({ operation, details }) => [
      html`<data value="${operation}">${inWords(operation)}</data>`,
      details.map((detail) => html`<br><span class="quiet">${detailInWords(detail)}</span>`),
    ],
  },
  { head: "Object", cell: object },
  {
    head: "Outcome",
    cell: (entry) => [chip(inWords(entry.outcome), entry.outcome === "succeeded" ? "good" : "failed"), ids(entry)],
  },
];

/** What support and other systems know an entry by. */
function ids({ objectId, requestId }: AuditEntry): Html {
  return html`<details class="ids"><summary>Ids</summary><span class="id">${objectId !== null && html`object ${objectId}<br>`}request ${requestId}</span></details>`;
}

/** Maximum of objects shown of a batch. */
const SHOWN_OF_BATCH = 5;

function object({ objectType, labels }: AuditEntry, { tenantId }: Membership): Html {
  const more = labels.length - SHOWN_OF_BATCH;
  const shown = labels.slice(0, SHOWN_OF_BATCH).map((label): Inserted => {
    const words = labelInWords(label);
    if (label.invoiceId === null) return html`<br>${words}`;
    return html`<br><a href="${withQuery(`/invoices/${label.invoiceId}`, { workspace: tenantId })}">${words}</a>`;
  });
  return html`<span class="quiet">${objectType === null ? "None" : inWords(objectType)}</span>${shown}${more > 0 && html`<br>and ${more} more`}`;
}

function pager(view: AuditView): Html | null {
  const { trail, query } = view;
  if (query.cursor === null && trail.older === null) return null;
  return html`<nav class="pager" aria-label="Pages of entries"><span class="quiet">${trail.entries.length} on this page</span>${query.cursor !== null && html`<a href="${address(view, { cursor: null })}">Newest</a>`}${trail.older !== null && html`<a rel="next" href="${address(view, { cursor: trail.older })}">Older</a>`}</nav>`;
}

function hasFilters({ cursor: _, ...filters }: AuditQuery): boolean {
  return Object.values(filters).some((filter) => filter !== null);
}

/** The address of the page, or of its file, with the filters. */
function address({ workspace, query }: AuditView, { cursor }: Pick<AuditQuery, "cursor">, suffix = ""): string {
  return withQuery(`/audit${suffix}`, {
    workspace: workspace.tenantId,
    person: query.personId,
    connection: query.connectionId,
    operation: query.operation,
    through: query.kind,
    invoice: query.invoiceId,
    object: query.objectId,
    from: query.from,
    to: query.to,
    cursor,
  });
}
