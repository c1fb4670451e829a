import { type Html, html, type Inserted } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/workspace-pages.ts";

/** A column of a table; the first names the row. */
export interface Column<Row> {
  readonly head: string;
  /** Amounts and counts are right-aligned. */
  readonly kind?: "number";
  /** Another column shows the currency already. */
  readonly isBare?: true;
  cell(row: Row, visit: WorkspaceVisit): Inserted;
}

interface TableOptions<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  visit: WorkspaceVisit;
  /** The CSS class of a table with its own style. */
  look?: string | undefined;
}

/** A dense table; on a narrow screen each row becomes a card. */
export function table<Row>({ caption, columns, rows, visit, look = "" }: TableOptions<Row>): Html {
  const classOf = ({ kind, isBare }: Column<Row>): Html | false =>
    kind === "number" && html` class="number${isBare === true && " bare"}"`;
  return html`<div class="wide"><table class="rows ${look}">
<caption class="unseen">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${classOf(column)}>${column.head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (
      row,
    ) => html`<tr>${columns.map((column, index) => (index === 0 ? html`<th scope="row">${column.cell(row, visit)}</th>` : html`<td data-label="${column.head}"${classOf(column)}><div>${column.cell(row, visit)}</div></td>`))}</tr>
`,
  )}</tbody>
</table></div>`;
}
