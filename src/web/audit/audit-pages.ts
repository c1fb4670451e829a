import type { Membership } from "../../../auth/connections.ts";
import { type AuditEntry, type AuditTrail, readAuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { notFound, ServiceError } from "../../core/kernel/error.ts";
import { WORKSPACE, withQuery } from "../kit/address.ts";
import { administeredBy, people, showAdminsOnly } from "../kit/doors.ts";
import { emailAddress, type Html, html, type Inserted } from "../kit/html.ts";
import { hidden, input, select, tabs } from "../kit/parts.ts";
import type { PageRoutes } from "../kit/routes.ts";
import { type Visit, WorkspaceVisit } from "../kit/visit.ts";
import { dateTime, inWords, timeElement } from "../kit/words.ts";
import { sendCsv } from "../lists/download.ts";
import { chip } from "../lists/figures.ts";
import { type Column, table } from "../lists/table.ts";
import { AUDIT_FILE, CALLERS, detailInWords, labelInWords, THROUGH, through, who } from "./entry-words.ts";

const PATH = "/audit";
const TITLE = "Audit trail";
/** The parameters that filter. */
const FILTERS = ["from", "to", "person", "through", "connection", "operation", "invoice", "object"] as const;

/** `/audit` (completions §1): who did what in a workspace, for its admins; and `/audit.csv`, the same as a file. */
export const AUDIT_PAGES: PageRoutes = {
  listing: {
    ...{ path: PATH, name: TITLE },
    settings: { group: "People", words: "Who changed what, and through which assistant or key.", forAdmins: true },
  },
  routes: [people.get(PATH, entering(show)), people.get(`${PATH}.csv`, entering(sendFile))],
};

type Enter = (visit: WorkspaceVisit, workspaces: readonly Membership[]) => Promise<void>;

/** Enters the workspace in the address, else the first of those that the person administers. */
function entering(enter: Enter) {
  return async (visit: Visit): Promise<void> => {
    const workspaces = await administeredBy(visit);
    if (workspaces.length === 0)
      return showAdminsOnly(visit, TITLE, "Only an admin of a workspace sees its audit trail");
    const asked = visit.parameter(WORKSPACE);
    const workspace = workspaces.find(({ tenantId }) => asked === null || tenantId === asked);
    if (workspace === undefined) throw notFound("workspace");
    await enter(new WorkspaceVisit(visit, workspace), workspaces);
  };
}

/** The entries behind a cursor that the address asks for. */
function read(visit: WorkspaceVisit, cursor: string | null, counted = false): Promise<AuditTrail> {
  const asked = (name: (typeof FILTERS)[number]) => visit.parameter(name);
  return visit.call(readAuditTrail, {
    personId: asked("person"),
    connectionId: asked("connection"),
    operation: asked("operation"),
    invoiceId: asked("invoice"),
    objectId: asked("object"),
    kind: CALLERS.find((kind) => kind === asked("through")) ?? null,
    from: asked("from"),
    to: asked("to"),
    cursor,
    counted,
  });
}

async function show(visit: WorkspaceVisit, workspaces: readonly Membership[]): Promise<void> {
  const cursor = visit.parameter("cursor");
  try {
    const body = trailView(visit, await read(visit, cursor), { workspaces, cursor });
    visit.show({ title: TITLE, body });
  } catch (error) {
    // It was altered, or belongs to other filters.
    if (!(error instanceof ServiceError) || error.code !== "invalid_cursor") throw error;
    const body = trailView(visit, await read(visit, null), { workspaces, cursor: null, lost: LOST });
    visit.show({ title: TITLE, body }, 400);
  }
}

async function sendFile(visit: WorkspaceVisit): Promise<void> {
  await sendCsv(visit, {
    name: "audit-trail",
    columns: Object.keys(AUDIT_FILE).map((name) => ({ name, path: [name] })),
    async read(cursor) {
      const { entries, older, total } = await read(visit, cursor, cursor === null);
      return { data: entries.map(inFile), pagination: { next_cursor: older, total_count: total ?? undefined } };
    },
  });
}

const inFile = (entry: AuditEntry) =>
  Object.fromEntries(Object.entries(AUDIT_FILE).map(([name, of]) => [name, of(entry)]));

/** The address of the page, or of its file, with the filters. */
function address(visit: WorkspaceVisit, cursor: string | null, suffix = ""): string {
  const filters = Object.fromEntries(FILTERS.map((name) => [name, visit.parameter(name)]));
  return withQuery(`${PATH}${suffix}`, { workspace: visit.workspace.tenantId, ...filters, cursor });
}

const isFiltered = (visit: WorkspaceVisit): boolean => FILTERS.some((name) => visit.parameter(name) !== null);

const LOST = html`<p class="alert" role="alert">That page cannot be opened: its link is incomplete, or of other filters.
These are the newest entries.</p>`;

function trailView(
  visit: WorkspaceVisit,
  trail: AuditTrail,
  { workspaces, cursor, lost }: { workspaces: readonly Membership[]; cursor: string | null; lost?: Html },
): Html {
  const { name, timezone, tenantId } = visit.workspace;
  const none = isFiltered(visit) ? "No entry matches these filters." : "Nothing has been recorded yet.";
  // Links, not a field of the form below: the people and connections to filter by differ by workspace.
  const places = workspaces.map((one) => ({
    ...{ path: withQuery(PATH, { workspace: one.tenantId }), name: one.name },
    isCurrent: one.tenantId === tenantId,
  }));
  const { entries, choices, older } = trail;
  return html`<div class="title"><div><h1>${TITLE}</h1>
<p class="quiet">Who changed what in ${name}, newest first. Times are in ${timezone}.</p></div>
<a class="button plain" href="${address(visit, null, ".csv")}" download>Download CSV</a></div>
${lost}
${places.length > 1 && tabs("Workspaces", places)}
${filters(visit, choices)}
${
  entries.length === 0
    ? html`<div class="empty"><p>${none}</p></div>`
    : table({ caption: "Audit entries", columns: COLUMNS, rows: entries, visit: visit.workspace, look: "trail" })
}
${
  (cursor !== null || older !== null) &&
  html`<nav class="pager" aria-label="Pages of entries"><span class="quiet">${entries.length} on this page</span>
${cursor !== null && html`<a href="${address(visit, null)}">Newest</a>`}
${older !== null && html`<a rel="next" href="${address(visit, older)}">Older</a>`}</nav>`
}`;
}

function filters(visit: WorkspaceVisit, { people: persons, connections, operations }: AuditTrail["choices"]): Html {
  const { tenantId, timezone } = visit.workspace;
  const choice = (name: string, label: string, all: string, some: readonly (readonly [string, string])[]): Html => {
    const options = [["", all] as const, ...some].map(([value, words]) => ({ value, label: words }));
    return html`<div>${select({ id: `filter-${name}`, name, label }, options, visit.parameter(name))}</div>`;
  };
  const day = (name: string, label: string): Html => {
    const attributes = html`type="date" value="${visit.parameter(name)}"`;
    return html`<div class="date">${input({ id: `filter-${name}`, name, label }, attributes)}</div>`;
  };
  const byPerson = persons.map(({ id, email }) => [id, email] as const);
  const byCaller = CALLERS.map((kind) => [kind, THROUGH[kind]] as const);
  const byConnection = connections.map(({ id, clientName, email, since }) => {
    return [id, `${clientName}: ${email}, since ${dateTime(since, timezone)}`] as const;
  });
  const byOperation = operations.map((name) => [name, inWords(name)] as const);
  const chips = { invoice: "One invoice, its links, payments and tasks", object: "One object" };
  const ids = Object.entries(chips).flatMap(([name, words]) => {
    const id = visit.parameter(name);
    return id === null ? [] : [{ field: hidden(name, id), words }];
  });
  return html`<form class="filters" method="get" action="${PATH}" aria-label="Filters">
${hidden("workspace", tenantId)}${ids.map(({ field }) => field)}
${day("from", "From")}
${day("to", "Until")}
${choice("person", "Person", "Everybody", byPerson)}
${choice("through", "Through", "Any", byCaller)}
${choice("connection", "Connection", "Any, or none", byConnection)}
${choice("operation", "Operation", "Any", byOperation)}
<div class="actions"><button>Apply</button>
${isFiltered(visit) && html`<a href="${withQuery(PATH, { workspace: tenantId })}">Clear all</a>`}</div>
</form>
${ids.map(({ words }) => html`<p class="chips"><span class="chip">${words}</span></p>`)}`;
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
    cell: ({ outcome, objectId, requestId }) => [
      chip(inWords(outcome), outcome === "succeeded" ? "good" : "failed"),
      // What support and other systems know an entry by.
      html`<details class="ids"><summary>Ids</summary><span class="id">\
${objectId !== null && html`object ${objectId}<br>`}request ${requestId}</span></details>`,
    ],
  },
];

/** Maximum of objects shown of a batch. */
const SHOWN_OF_BATCH = 5;

function object({ objectType, labels }: AuditEntry, { tenantId }: Membership): Html {
  const more = labels.length - SHOWN_OF_BATCH;
  const shown = labels.slice(0, SHOWN_OF_BATCH).map((label): Inserted => {
    const words = labelInWords(label);
    if (label.invoiceId === null) return html`<br>${words}`;
    return html`<br><a href="${withQuery(`/invoices/${label.invoiceId}`, { workspace: tenantId })}">${words}</a>`;
  });
  return html`<span class="quiet">${objectType === null ? "None" : inWords(objectType)}</span>${shown}\
${more > 0 && html`<br>and ${more} more`}`;
}
