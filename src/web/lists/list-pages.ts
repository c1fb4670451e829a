import { z } from "zod";
import { UNKNOWN_CURRENCY } from "../../core/aging/buckets.ts";
import type { Operation, PersonActor } from "../../core/gate/operation.ts";
import { counted } from "../../core/kernel/counted.ts";
import { type ErrorDetail, ServiceError } from "../../core/kernel/error.ts";
import {
  actions,
  aside,
  downloads,
  emptied,
  type Html,
  html,
  type Inserted,
  link,
  muted,
  paragraph,
} from "../kit/markup.ts";
import { type Listing, members, type PageRoutes, type Query, type WorkspaceVisit } from "../kit/page.ts";
import { columnsOf } from "./columns.ts";
import { type RowsPage, sendFile } from "./download.ts";
import { type Dated, figuresAsOf, shownCount } from "./figures.ts";
import { asQuery, Filters, type FilterWords } from "./filters.ts";
import { nameInRow, namesOf } from "./names.ts";
import { type Column, type TracedColumn, table, traced } from "./table.ts";

/** The part that all answers of the API's lists have in common. */
interface Listed extends RowsPage {
  readonly totals?: readonly { readonly currency: string }[] | undefined;
}

interface Totals<Answer extends Listed> {
  readonly columns: readonly TracedColumn<NonNullable<Answer["totals"]>[number]>[];
  readonly look?: string;
  /** The list of the rows that they add up, where it is another. */
  readonly rowsAt?: string;
  note?(visit: WorkspaceVisit): Inserted;
}

/** A list of the API as a page: filters in the address, totals, rows, and a file. */
interface ListPage<Answer extends Listed, Row = Answer["data"][number]> {
  readonly path: string;
  readonly title: string;
  readonly intro: string;
  /** The singular of what is counted, and the plural where that is not the same with an s. */
  readonly one: string;
  readonly many?: string;
  /** The path of the list that it is beside, and its name there where that is not its title. */
  readonly beside?: string;
  readonly name?: string;
  /** Where it is a page of the settings. */
  readonly settings?: Listing["settings"];
  /** The schema of its rows has the columns of the file. */
  readonly operation: Operation<z.ZodObject, z.ZodType<Answer>, PersonActor>;
  /** Further columns of the file: the days, in the workspace's timezone, of instants of a row, by their names in it. */
  readonly days?: Readonly<Record<string, keyof Row & string>>;
  /** Fields of a row that its file leaves out. */
  readonly unfiled?: readonly (keyof Row & string)[];
  /** Headings of its files that are not the names of their columns. */
  readonly heads?: Readonly<Record<string, string>>;
  /** Parameters that the list is always called with. */
  readonly always?: Readonly<Record<string, unknown>>;
  readonly filters: FilterWords;
  /** Rows read at once for a file, where each page costs the whole book; a few otherwise. */
  readonly rowsAtOnce?: number;
  readonly columns: readonly Column<Row>[];
  /** The CSS class of a table with its own style. */
  readonly look?: string;
  /** What the totals of all rows show behind their currency, and what is said of them. */
  readonly totals?: Totals<Answer>;
  /** Figures of the answer, each with when its ERP was last read. */
  dated?(answer: Answer): readonly Dated[];
  /** What the dates are of, where that is not all that matches. */
  readonly datesOf?: string;
  /** The name of the object that an id filter selects, where a row says it in fields of the list's own. */
  chip?(name: string, row: Row): string | null;
  /** What admins can begin here. */
  begin?(visit: WorkspaceVisit): Html;
  /** What an empty list says, and advises. */
  empty(visit: WorkspaceVisit): readonly [words: Inserted, advice: Inserted];
}

const ROWS_ON_A_PAGE = 50;
const ROWS_AT_ONCE = 100;

interface Asked {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly cursor: string | null;
}

/** A list's page, and its files at the same address with their endings. */
export function pagesOfList<Answer extends Listed>(list: ListPage<Answer>): PageRoutes {
  const { path, title, name = title, settings, beside, operation, days = {}, unfiled = [], rowsAtOnce } = list;
  const filters = new Filters(operation.input, list.filters);
  const withTotal = "include_total" in operation.input.shape ? { include_total: true } : {};
  const read = (visit: WorkspaceVisit, asked: Asked, limit: number) => {
    const { cursor } = asked;
    const paging = cursor === null ? withTotal : { cursor };
    return visit.call(operation, { ...list.always, ...asked.filters, ...paging, limit });
  };
  const dayColumns = Object.entries(days).map(
    ([day, instant]) => ({ name: day, path: [instant], holds: "day of an instant" }) as const,
  );
  const filed = columnsOf(rowOf(operation.output)).filter(({ name }) => !unfiled.some((one) => one === name));
  const columns = [...dayColumns, ...filed].map((column) => ({ ...column, head: list.heads?.[column.name] }));

  const page = members.get(path, async (visit) => {
    const found = await answered(filters, visit, (asked) => read(visit, asked, ROWS_ON_A_PAGE));
    const names = await namesOf(visit, found.asked.filters);
    showList({ list, filters, visit, names, ...found });
  });
  const files = members.files(path, (visit) => {
    const asked = filters.read(searchOf(visit));
    const readAt = (cursor: string | null) => read(visit, { ...asked, cursor }, rowsAtOnce ?? ROWS_AT_ONCE);
    return sendFile(visit, { name: path.slice(1), columns, isLong: rowsAtOnce !== undefined, read: readAt });
  });
  return { listing: { path, name, settings, beside }, routes: [page, ...files] };
}

/** The schema of a list's rows. */
function rowOf(output: z.ZodType) {
  const data: unknown = output instanceof z.ZodObject ? output.shape.data : null;
  if (!(data instanceof z.ZodArray)) throw new Error("a list answers its rows as data");
  return data.element;
}

interface Answered<Answer> {
  readonly asked: Asked;
  /** Null where its filters cannot be used. */
  readonly answer: Answer | null;
  /** Why; or of the first page, why it is not the one at the cursor. */
  readonly refusal: ServiceError | null;
}

/** Reads the requested page. Invalid filters are reported on it; an invalid cursor gives the first page. */
async function answered<Answer>(filters: Filters, visit: WorkspaceVisit, read: (asked: Asked) => Promise<Answer>) {
  let asked: Asked = { filters: {}, cursor: null };
  try {
    asked = filters.read(searchOf(visit));
    return { asked, answer: await read(asked), refusal: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "validation_failed") return { asked, answer: null, refusal: error };
    if (error.code !== "invalid_cursor" || asked.cursor === null) throw error;
    asked = { ...asked, cursor: null };
    return { asked, answer: await read(asked), refusal: error };
  }
}

function searchOf({ request }: WorkspaceVisit) {
  return request.originalUrl.split("?").slice(1).join("?");
}

interface ListView<Answer extends Listed> extends Answered<Answer> {
  readonly list: ListPage<Answer>;
  readonly filters: Filters;
  readonly visit: WorkspaceVisit;
  /** What objects are called that id filters select, and no row names. */
  readonly names: Readonly<Record<string, string>>;
}

const LOST = html`<p class="alert" role="alert">That page cannot be opened any more: the list has changed, or the link
belongs to other filters. This is the first page.</p>`;

function showList<Answer extends Listed>(view: ListView<Answer>) {
  const { list, filters, visit, asked, names, answer, refusal } = view;
  const { path, title, operation } = list;
  const [row] = answer?.data ?? [];
  const problems = answer === null && refusal ? (refusal.details ?? [{ field: "", message: refusal.message }]) : [];
  const strays = problems.filter(({ field }) => !Object.hasOwn(operation.input.shape, field));
  const total = answer?.pagination.total_count;
  const rows = total === undefined ? "" : ` (${counted(total, "row")})`;
  const files = row && downloads((ending) => visit.address(path + ending, asQuery(asked.filters)), rows);
  const chip = (name: string) => names[name] ?? (row ? (list.chip?.(name, row) ?? nameInRow(name, row)) : null);
  const form = filters.form(path, visit, { values: asked.filters, problems, chip });
  visit.showPage(
    {
      ...{ title, about: muted(list.intro), isListed: true, status: refusal?.httpStatus ?? 200 },
      acts: actions(files, visit.isAdmin && list.begin?.(visit)),
      sheet: filters.inWords(asked.filters, chip),
    },
    refusal !== null && (answer === null ? unusable(strays) : LOST),
    form,
    answer !== null && rowsOf(view, answer),
  );
}

function unusable(strays: readonly ErrorDetail[]) {
  return html`<div class="alert" role="alert"><p>These filters cannot be used.</p>
${strays.map(({ field }) => paragraph("This list has no filter “", field, "”."))}</div>`;
}

function rowsOf<Answer extends Listed>({ list, visit, asked }: ListView<Answer>, answer: Answer) {
  const { path, one, many = `${one}s`, title: caption, look } = list;
  const { data: rows, pagination } = answer;
  const { total_count: total, next_cursor: next } = pagination;
  const query = asQuery(asked.filters);
  if (rows.length === 0)
    return Object.keys(query).length === 0 && asked.cursor === null
      ? emptied(...list.empty(visit))
      : emptied(`No ${one} matches these filters.`, visit.link(path, `See all ${many}`));
  const asOf = figuresAsOf(list.dated?.(answer) ?? [], visit.workspace.timezone, list.datesOf);
  const all = total === undefined ? "on this page" : `of ${counted(total, one, many)}`;
  const onward = next !== null && visit.address(path, { ...query, cursor: next });
  const isOfAll = Object.keys(query).every((name) => name === "sort" || name === "order");
  const columns = isOfAll ? list.columns : list.columns.map((shown) => (shown.isOfMatches ? ofMatches(shown) : shown));
  return html`${asked.cursor === null && totalsOf(list, answer.totals ?? [], { visit, query, isOfAll })}
${asOf !== null && muted([asOf, "."])}
${table({ caption, columns, rows, visit, look })}
<nav class="pager" aria-label="Pages">${aside(shownCount(rows.length), " ", all)}
${asked.cursor !== null && visit.link(path, "First page", query)}
${onward && link(onward, "Next page", html` rel="next"`)}</nav>`;
}

/** A column under the name of what its figures are: of what matches the filters. */
const ofMatches = <Row>(column: Column<Row>) => ({ ...column, head: `Matching ${column.head.toLowerCase()}` });

/** Totals by currency, each linked to its rows where these can be filtered by it; shown with the first page. */
function totalsOf<Answer extends Listed>(
  { path, operation, totals }: ListPage<Answer>,
  rows: readonly NonNullable<Answer["totals"]>[number][],
  { visit, query, isOfAll }: { visit: WorkspaceVisit; query: Query; isOfAll: boolean },
) {
  const { columns: all = [], look = "totals", rowsAt = path, note } = totals ?? {};
  const isLinked = "currency" in operation.input.shape;
  const caption = isOfAll ? "Totals" : "Totals of what matches";
  const currency: Column<(typeof rows)[number]> = {
    head: caption,
    cell({ currency: of }) {
      return isLinked && of !== UNKNOWN_CURRENCY ? visit.link(path, of, { ...query, currency: of }) : of;
    },
  };
  // Bare ones are named by days overdue.
  const named = isOfAll ? all : all.map((one) => (one.isBare && !one.isOfMatches ? one : ofMatches(one)));
  const columns = traced(named, rowsAt, ({ currency: of }) => ({ ...query, currency: of }));
  const shown = { caption, columns: [currency, ...columns], rows, visit, look };
  return rows.length > 0 && html`${table(shown)}${note !== undefined && muted(note(visit))}`;
}
