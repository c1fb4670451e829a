import type { Membership } from "../../../auth/connections.ts";
import { type AuditEntry, type AuditTrail, readAuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { notFound, ServiceError } from "../../core/kernel/error.ts";
import {
  actions,
  dateTime,
  downloads,
  emailAddress,
  type Html,
  hidden,
  html,
  type Inserted,
  input,
  inWords,
  link,
  muted,
  pageHead,
  refusalNote,
  select,
  tabs,
} from "../kit/markup.ts";
import {
  administeredBy,
  type PageRoutes,
  people,
  showAdminsOnly,
  type Visit,
  WORKSPACE,
  WorkspaceVisit,
  withQuery,
} from "../kit/page.ts";
import { type Column, chip, sendFile, table } from "../lists/list.ts";
import { AUDIT_FILE, CALLERS, detailInWords, did, labelInWords, THROUGH, through, who } from "./entry-words.ts";

const PATH = "/audit";
const TITLE = "Audit trail";
/** The parameters that filter, and what they ask for. */
const FILTERS = {
  ...{ from: "from", to: "to", person: "personId", through: "kind", connection: "connectionId" },
  ...{ operation: "operation", invoice: "invoiceId", object: "objectId", search: "search" },
};
/** What the columns of its files hold that are not texts. */
const HELD: Readonly<Record<string, "instant" | "amount">> = { at: "instant", amount: "amount" };
/** What filters by an id say. */
const CHIPS = { invoice: "One invoice, its links, payments and tasks", object: "One object" };

/** `/audit` (completions §1): who did what in a workspace, for its admins; its files are `/audit.csv`, `.xlsx`. */
export const AUDIT_PAGES: PageRoutes = {
  listing: {
    ...{ path: PATH, name: TITLE },
    settings: { group: "People", words: "Who changed what, and through which assistant or key.", forAdmins: true },
  },
  routes: [people.get(PATH, entering(show)), ...people.files(PATH, entering(sendTrail))],
};

/** Enters the workspace in the address, else the first of those that the person administers. */
function entering(enter: (visit: WorkspaceVisit, workspaces: readonly Membership[]) => Promise<void>) {
  return async (visit: Visit): Promise<void> => {
    const asked = visit.parameter(WORKSPACE);
    const workspaces = await administeredBy(visit, asked);
    if (workspaces.length === 0)
      return showAdminsOnly(visit, TITLE, "Only an admin of a workspace sees its audit trail");
    const workspace = workspaces.find(({ tenantId }) => asked === null || tenantId === asked);
    if (workspace === undefined) throw notFound("workspace");
    visit.site.entered(visit.request, workspace);
    await enter(new WorkspaceVisit(visit, workspace), workspaces);
  };
}

/** The entries behind a cursor that the address asks for. */
function read(visit: WorkspaceVisit, cursor: string | null, further: object = {}): Promise<AuditTrail> {
  const asked = Object.fromEntries(Object.entries(FILTERS).map(([name, field]) => [field, visit.parameter(name)]));
  const kind = CALLERS.find((caller) => caller === asked.kind) ?? null;
  return visit.call(readAuditTrail, { ...asked, kind, cursor, ...further });
}

async function show(visit: WorkspaceVisit, workspaces: readonly Membership[]): Promise<void> {
  const cursor = visit.parameter("cursor");
  try {
    showTrail(visit, workspaces, await read(visit, cursor), cursor);
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : null;
    // It was altered, or belongs to other filters.
    if (code === "invalid_cursor") return showTrail(visit, workspaces, await read(visit, null), null, LOST);
    if (code !== "validation_failed") throw error;
    const ofAllDays = await read(visit, null, { from: null, to: null });
    showTrail(visit, workspaces, { ...ofAllDays, older: null }, null, WRONG_DAYS);
  }
}

async function sendTrail(visit: WorkspaceVisit): Promise<void> {
  const columns = Object.entries(AUDIT_FILE);
  await sendFile(visit, {
    name: "audit-trail",
    columns: columns.map(([name]) => ({ name, path: [name], holds: HELD[name] })),
    async read(cursor) {
      const { entries, older, total } = await read(visit, cursor, { counted: cursor === null });
      const data = entries.map((entry) => Object.fromEntries(columns.map(([name, of]) => [name, of(entry)])));
      return { data, pagination: { next_cursor: older, total_count: total ?? undefined } };
    },
  });
}

/** The address of the page, or of its file, with the filters. */
function address(visit: WorkspaceVisit, cursor: string | null, suffix = ""): string {
  const filters = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, visit.parameter(name)]));
  return withQuery(`${PATH}${suffix}`, { workspace: visit.workspace.tenantId, ...filters, cursor });
}

const isFiltered = (visit: WorkspaceVisit): boolean =>
  Object.keys(FILTERS).some((name) => visit.parameter(name) !== null);

const LOST = "That page cannot be opened: its link is incomplete, or of other filters. These are the newest entries.";
const WRONG_DAYS =
  "“From” and “Until” must be days, the first not after the last. These are the newest entries of all days.";

function showTrail(
  visit: WorkspaceVisit,
  workspaces: readonly Membership[],
  { entries, choices, older }: AuditTrail,
  cursor: string | null,
  lost?: string,
): void {
  const { name, tenantId } = visit.workspace;
  const none = isFiltered(visit) ? "No entry matches these filters." : "Nothing has been recorded yet.";
  // Links, not a field of the form below: the people and connections to filter by differ by workspace.
  const places = workspaces.map((one) => ({
    ...{ path: withQuery(PATH, { workspace: one.tenantId }), name: one.name },
    isCurrent: one.tenantId === tenantId,
  }));
  const body = [
    pageHead(
      TITLE,
      muted(`Who changed what in ${name}, newest first.`),
      downloads((ending) => address(visit, null, ending)),
    ),
    lost !== undefined && refusalNote({ message: lost }),
    places.length > 1 && tabs("Workspaces", places),
    filters(visit, choices),
    entries.length === 0
      ? html`<div class="empty"><p>${none}</p></div>`
      : table({ caption: "Audit entries", columns: COLUMNS, rows: entries, visit, look: "trail" }),
    (cursor !== null || older !== null) &&
      html`<nav class="pager" aria-label="Pages of entries"><span class="quiet">${entries.length} on this page</span>
${cursor !== null && link(address(visit, null), "Newest")}
${older !== null && link(address(visit, older), "Older", html` rel="next"`)}</nav>`,
  ];
  const person = choices.people.find(({ id }) => id === visit.parameter("person"))?.email;
  const asked = Object.keys(FILTERS).map((name) => {
    const value = name === "person" ? person : visit.parameter(name);
    return value ? `${inWords(name)}: ${value}` : [];
  });
  visit.show({ title: TITLE, body, sheet: asked.flat().join("; ") }, lost === undefined ? 200 : 400);
}

type Choices = readonly (readonly [value: string, words: string])[];

function filters(visit: WorkspaceVisit, { people: persons, connections, operations }: AuditTrail["choices"]): Html {
  const { tenantId, timezone } = visit.workspace;
  const field = (name: string, label: string) => ({ id: `filter-${name}`, name, label });
  const day = (name: string, label: string): Html =>
    html`<div class="date">${input(field(name, label), html`type="date" value="${visit.parameter(name)}"`)}</div>`;
  const choice = (name: string, label: string, all: string, some: Choices): Html => {
    const options = [["", all] as const, ...some].map(([value, words]) => ({ value, label: words }));
    return html`<div>${select(field(name, label), options, visit.parameter(name))}</div>`;
  };
  const connected = ({ clientName, email, since }: (typeof connections)[number]): string =>
    `${clientName}: ${email}, since ${dateTime(since, timezone)}`;
  const searched = html`type="search" maxlength="100" value="${visit.parameter("search")}"`;
  const chips = Object.entries(CHIPS).filter(([name]) => visit.parameter(name) !== null);
  const clear = isFiltered(visit) && link(withQuery(PATH, { workspace: tenantId }), "Clear all");
  return html`<form class="filters" method="get" action="${PATH}" aria-label="Filters">
${hidden("workspace", tenantId)}${chips.map(([name]) => hidden(name, visit.parameter(name) ?? ""))}
<div>${input(field("search", "Text or number"), searched)}</div>
${day("from", "From")}
${day("to", "Until")}
${choice(
  "person",
  "Person",
  "Everybody",
  persons.map(({ id, email }) => [id, email]),
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
  "Any",
  connections.map((one) => [one.id, connected(one)]),
)}
${choice(
  "operation",
  "Operation",
  "Any",
  operations.map((name) => [name, inWords(name)]),
)}
${actions(html`<button>Apply</button>`, clear)}
</form>
${chips.map(([, words]) => html`<p class="chips"><span class="chip">${words}</span></p>`)}`;
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { head: "When", cell: ({ at }, visit) => visit.time(at) },
  { head: "Who", cell: (entry) => emailAddress(who(entry)) },
  { head: "Through", cell: through },
  {
    head: "Operation",
    cell: (entry) => [
      html`<data value="${entry.operation}">${did(entry)}</data>`,
      entry.details.map((detail) => html`<br><span class="quiet">${detailInWords(detail)}</span>`),
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

const BREAK = html`<br>`;

function object({ objectType, objectId, labels }: AuditEntry, { workspace }: WorkspaceVisit): Html {
  const more = labels.length - SHOWN_OF_BATCH;
  const shown = labels.slice(0, SHOWN_OF_BATCH).map((label): Inserted => {
    const words = labelInWords(label);
    const { invoiceId: id } = label;
    const path = objectType === "customer" ? `/customers/${objectId}` : id && `/invoices/${id}`;
    return [BREAK, path === null ? words : link(withQuery(path, { workspace: workspace.tenantId }), words)];
  });
  return html`<span class="quiet">${objectType === null ? "None" : inWords(objectType)}</span>${shown}\
${more > 0 && html`<br>and ${more} more`}`;
}
