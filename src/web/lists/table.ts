import { MOST_ENDED } from "../../core/gate/ended-access.ts";
import { html, type Inserted, muted, NOTHING, part } from "../kit/markup.ts";
import type { Query, WorkspaceVisit } from "../kit/page.ts";
import { countCell, overdueCell, shownAmount } from "./figures.ts";

/** A column of a table; the first names the row. */
export interface Column<Row, V = WorkspaceVisit> {
  readonly head: string;
  /** Amounts and counts are right-aligned; what can be done with a row needs no label on a narrow screen. */
  readonly kind?: "number" | "acts";
  /** Another column shows the currency already. */
  readonly isBare?: true;
  /** Its figures are of what matches a list's filters only, which its head then says. */
  readonly isOfMatches?: true;
  /** Null is shown as {@link NOTHING}. */
  cell(row: Row, visit: V): Inserted;
}

/** A column of figures that add up rows of a list. */
export interface TracedColumn<Row> extends Column<Row> {
  /** What selects those rows; null without any. */
  selects?(row: Row): Query | null;
}

interface TableOptions<Row, V> {
  caption: string;
  columns: readonly Column<Row, V>[];
  rows: readonly Row[];
  visit: V;
  /** The CSS class of a table with its own style. */
  look?: string | undefined;
  /** Of few rows, with room between them. */
  isPlain?: true;
  /** Whether a row is of something that has ended. */
  ended?(row: Row): boolean;
}

/** A table of the settings: few rows, and what can be done with each. */
export function plainTable<Row>(options: Omit<TableOptions<Row, null>, "visit" | "isPlain">) {
  return html`${table({ ...options, visit: null, isPlain: true })}
${cutNote(options.rows.filter((row) => options.ended?.(row)).length)}`;
}

/** A note where `ended`, the number of rows of what has ended, is all that are listed. */
export const cutNote = (ended: number) =>
  ended === MOST_ENDED && muted(`Of those that ended the latest ${MOST_ENDED} are shown; the audit trail has all.`);

/** A titled section with a table, or with the word that there is nothing; its caption is the title, but where given. */
export function tablePart<Row, V>(
  title: string,
  none: string,
  { caption = title, ...options }: Omit<TableOptions<Row, V>, "caption"> & { caption?: string },
  link: Inserted = null,
) {
  const body = options.rows.length === 0 ? muted(none) : table({ caption, ...options });
  return part(title, body, link);
}

/** A dense table; on a narrow screen each row becomes a card. */
export function table<Row, V>(options: TableOptions<Row, V>) {
  const { caption, columns, rows, visit, look = "", isPlain = false, ended = () => false } = options;
  const classOf = ({ kind, isBare }: Column<Row, V>) =>
    kind === "number" && html` class="number${isBare === true && " bare"}"`;
  const cell = (column: Column<Row, V>, row: Row, index: number) => {
    const shown = column.cell(row, visit) ?? NOTHING;
    if (index === 0) return html`<th scope="row">${shown}</th>`;
    if (column.kind === "acts") return html`<td>${shown}</td>`;
    return html`<td data-label="${column.head}"${classOf(column)}>${isPlain ? shown : html`<div>${shown}</div>`}</td>`;
  };
  return html`<div class="wide"><table class="${isPlain ? "" : "rows "}${look}">
<caption class="unseen">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${classOf(column)}>${column.head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => {
    const cells = columns.map((column, index) => cell(column, row, index));
    return html`<tr${ended(row) && html` class="ended"`}>${cells}</tr>\n`;
  })}</tbody>
</table></div>`;
}

/** Columns whose figures lead to the rows that they add up: to `path`, with what selects a row's and each figure's. */
export const traced = <Row>(columns: readonly TracedColumn<Row>[], path: string, rowsOf: (row: Row) => Query) =>
  columns.map(
    (column): Column<Row> => ({
      ...column,
      cell(row, visit) {
        const [shown, selected] = [column.cell(row, visit), column.selects?.(row) ?? null];
        return selected === null ? shown : visit.link(path, shown, { ...rowsOf(row), ...selected });
      },
    }),
  );

/** A row that has something under a name. */
type Has<Name extends string, Value> = { readonly [Key in Name]: Value };

/** A column of what rows have under a name, as `show` has it. */
export function column<Name extends string, Value>(
  head: string,
  name: Name,
  show: (value: Value) => Inserted,
): Column<Has<Name, Value>, unknown> {
  return { head, cell: (row) => show(row[name]) };
}

/** The same for texts. */
export const textColumn = <Name extends string>(head: string, name: Name) =>
  column(head, name, (text: string | number | null) => text);

/** The same for figures; of counts by default. */
export const countColumn = <Name extends string>(head: string, name: Name, show = countCell) =>
  ({ ...column(head, name, show), kind: "number" }) as const;

/** A column of instants. */
export function timeColumn<Name extends string>(head: string, name: Name): Column<Has<Name, string>> {
  return { head, cell: (row, visit) => visit.time(row[name]) };
}

/** The same as links to the page of each row, below `path`. */
export function timeLinkColumn<Name extends string>(
  head: string,
  name: Name,
  path: string,
): Column<Has<Name | "id", string>> {
  return { head, cell: (row, visit) => visit.link(`${path}/${row.id}`, visit.time(row[name])) };
}

/** A column of exact amounts: each row's of that name, in its currency or that of all rows. */
export function amountColumn<Name extends string>(
  head: string,
  name: Name,
  currency: string | null = null,
  show = shownAmount,
): Column<Has<Name, string | null> & { readonly currency?: string | null }, unknown> {
  return { head, kind: "number", cell: (row) => show(row[name], row.currency ?? currency) };
}

/** The same for amounts that are overdue. */
export const overdueColumn = <Name extends string>(head: string, name: Name) =>
  amountColumn(head, name, null, overdueCell);
