import type { z } from "zod";
import type { Operation, PersonActor } from "../../core/gate/operation.ts";
import { businessDate } from "../../core/kernel/calendar.ts";
import { type ErrorDetail, ServiceError } from "../../core/kernel/error.ts";
import { members } from "../kit/doors.ts";
import { type Html, html, type Inserted } from "../kit/html.ts";
import type { Listing } from "../kit/navigation.ts";
import { downloadLink, emptied, link, muted, pageHead, tabs } from "../kit/parts.ts";
import type { PageRoutes } from "../kit/routes.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { csvColumns, sendCsv } from "./download.ts";
import { type Dated, figuresAsOf, shownCount } from "./figures.ts";
import { asQuery, Filters, type FilterWords } from "./filters.ts";
import { type Column, table } from "./table.ts";

/** The part that all answers of the API's lists have in common. */
export interface Listed<Row> {
  data: Row[];
  pagination: { next_cursor: string | null; total_count?: number | undefined };
}

/** A list of the API as a page: filters in the address, totals, rows, and a file. */
export interface ListPage<Row, Answer extends Listed<Row>> {
  readonly path: string;
  readonly title: string;
  readonly intro: string;
  /** The singular of what is counted: "invoice". */
  readonly one: string;
  readonly many: string;
  /** The path of the list that it is beside, and its name there where that is not its title. */
  readonly beside?: string;
  readonly name?: string;
  /** Where it is a page of the settings. */
  readonly settings?: Listing["settings"];
  readonly operation: Operation<z.ZodObject, z.ZodType<Answer>, PersonActor>;
  /** The schema of a row, whose fields are the columns of the file. */
  readonly row: z.ZodType<Row>;
  /** Further columns of the file: the days, in the workspace's timezone, of instants of a row. */
  readonly days?: Readonly<Record<string, (row: Row) => string>>;
  /** Parameters that the list is always called with. */
  readonly always?: Readonly<Record<string, unknown>>;
  readonly filters: FilterWords;
  readonly columns: readonly Column<Row>[];
  /** The CSS class of a table with its own style. */
  readonly look?: string;
  /** The totals of all rows; shown with the first page. */
  totals?(answer: Answer, visit: WorkspaceVisit): Html | null;
  /** Figures of the answer, each with when its ERP was last read. */
  dated?(answer: Answer): readonly Dated[];
  /** The name of the object that an id filter selects. */
  chip(name: string, row: Row): string | null;
  /** What admins can begin here. */
  begin?(visit: WorkspaceVisit): Html;
  /** What an empty list says, and advises. */
  empty(visit: WorkspaceVisit): readonly [words: Inserted, advice: Inserted];
}

const ROWS_ON_A_PAGE = 50;
const ROWS_AT_ONCE = 100;

/** A list's page, and its file at the same address with `.csv`. */
export function pagesOfList<Row, Answer extends Listed<Row>>(list: ListPage<Row, Answer>): PageRoutes {
  const filters = new Filters(list.operation.input, list.filters);
  const withTotal = "include_total" in list.operation.input.shape ? { include_total: true } : {};
  const read = (visit: WorkspaceVisit, asked: Asked, limit: number): Promise<Answer> => {
    const { cursor } = asked;
    const paging = cursor === null ? withTotal : { cursor };
    return visit.call(list.operation, { ...list.always, ...asked.filters, ...paging, limit });
  };

  const page = members.get(list.path, async (visit) => {
    const { asked, answer, problems, isLost } = await firstAnswer(filters, visit, (given) =>
      read(visit, given, ROWS_ON_A_PAGE),
    );
    const body = listView({ list, filters, visit, asked, answer, problems, isLost });
    visit.show({ title: list.title, body }, problems.length > 0 || isLost ? 400 : 200);
  });

  const days = Object.entries(list.days ?? {});
  const columns = [...csvColumns(list.row), ...days.map(([name]) => ({ name, path: [name] }))];
  const inFile = (row: Row, timezone: string): unknown => ({
    ...row,
    ...Object.fromEntries(days.map(([name, instant]) => [name, businessDate(new Date(instant(row)), timezone)])),
  });
  const file = members.get(`${list.path}.csv`, (visit) => {
    const asked = filters.read(searchOf(visit));
    return sendCsv(visit, {
      name: list.path.slice(1),
      columns,
      async read(cursor) {
        const { data, pagination } = await read(visit, { ...asked, cursor }, ROWS_AT_ONCE);
        const { timezone } = visit.workspace;
        return {
          rows: data.map((row) => inFile(row, timezone)),
          next: pagination.next_cursor,
          total: pagination.total_count,
        };
      },
    });
  });
  const { path, title, name = title, settings, beside } = list;
  return {
    listing: { path, name, ...(settings && { settings }), ...(beside !== undefined && { beside }) },
    routes: [page, file],
  };
}

interface Asked {
  filters: Readonly<Record<string, unknown>>;
  cursor: string | null;
}

interface Answered<Answer> {
  asked: Asked;
  answer: Answer | null;
  problems: readonly ErrorDetail[];
  /** The cursor was not valid, so this is the first page. */
  isLost: boolean;
}

/** Reads the requested page. Invalid filters are reported on it; an invalid cursor gives the first page. */
async function firstAnswer<Answer>(
  filters: Filters,
  visit: WorkspaceVisit,
  read: (asked: Asked) => Promise<Answer>,
): Promise<Answered<Answer>> {
  let asked: Asked = { filters: {}, cursor: null };
  try {
    asked = filters.read(searchOf(visit));
    return { asked, answer: await read(asked), problems: [], isLost: false };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "validation_failed")
      return { asked, answer: null, problems: error.details ?? [{ field: "", message: error.message }], isLost: false };
    if (error.code !== "invalid_cursor" || asked.cursor === null) throw error;
    const restarted = { ...asked, cursor: null };
    return { asked: restarted, answer: await read(restarted), problems: [], isLost: true };
  }
}

function searchOf({ request }: WorkspaceVisit): string {
  return request.originalUrl.split("?").slice(1).join("?");
}

interface ListView<Row, Answer extends Listed<Row>> extends Answered<Answer> {
  list: ListPage<Row, Answer>;
  filters: Filters;
  visit: WorkspaceVisit;
}

const LOST = html`<p class="alert" role="alert">That page cannot be opened any more: the list has changed, or the link
belongs to other filters. This is the first page.</p>`;

function listView<Row, Answer extends Listed<Row>>(view: ListView<Row, Answer>): Html {
  const { list, filters, visit, asked, answer, problems, isLost } = view;
  const { workspace, workspaces, address } = visit;
  const [row] = answer?.data ?? [];
  const known = new Set(Object.keys(list.operation.input.shape));
  const strays = problems.filter(({ field }) => !known.has(field));
  const total = answer?.pagination.total_count;
  const rows = total === undefined ? "" : ` (${shownCount(total)} ${total === 1 ? "row" : "rows"})`;
  const file = row && downloadLink(address(`${list.path}.csv`, asQuery(asked.filters)), `Download CSV${rows}`);
  const acts = html`<div class="actions">${file}${visit.isAdmin && list.begin?.(visit)}</div>`;
  return html`${pageHead(list.title, muted(list.intro), acts)}
${listTabs(visit)}
${isLost && LOST}
${
  problems.length > 0 &&
  html`<div class="alert" role="alert"><p>These filters cannot be used.</p>
${strays.map(({ field, message }) => html`<p>${field} ${message}</p>`)}</div>`
}
${filters.form(list.path, {
  values: asked.filters,
  problems,
  workspace: workspaces.length > 1 ? workspace.tenantId : null,
  address,
  chip: (name) => (row === undefined ? null : list.chip(name, row)),
})}
${answer !== null && rowsOf(view, answer)}`;
}

/** The page at hand and those beside it, as tabs. */
export function listTabs({ address, site, request: { path } }: WorkspaceVisit): Html | null {
  const places = site.navigation.tabs(path).map((one) => ({ ...one, path: address(one.path) }));
  return places.length < 2 ? null : tabs(places[0]?.name ?? "", places);
}

function rowsOf<Row, Answer extends Listed<Row>>(view: ListView<Row, Answer>, answer: Answer): Html {
  const { list, visit, asked } = view;
  const { data: rows, pagination } = answer;
  const { total_count: total, next_cursor: next } = pagination;
  const query = asQuery(asked.filters);
  if (rows.length === 0)
    return Object.keys(query).length === 0 && asked.cursor === null
      ? emptied(...list.empty(visit))
      : emptied(`No ${list.one} matches these filters.`, visit.link(list.path, `Show all ${list.many}`));
  const asOf = figuresAsOf(list.dated?.(answer) ?? [], visit.workspace.timezone);
  const all = total === undefined ? "on this page" : `of ${shownCount(total)} ${total === 1 ? list.one : list.many}`;
  const onward = next !== null && visit.address(list.path, { ...query, cursor: next });
  return html`${asked.cursor === null && list.totals?.(answer, visit)}
${asOf !== null && muted([asOf, "."])}
${table({ caption: list.title, columns: list.columns, rows, visit, look: list.look })}
<nav class="pager" aria-label="Pages"><span class="quiet">${shownCount(rows.length)} ${all}</span>
${asked.cursor !== null && visit.link(list.path, "First page", query)}
${onward && link(onward, "Next page", html` rel="next"`)}</nav>`;
}
