import { button, el, fill, problem, quiet, rowList, statusLine } from "./dom.ts";
import { type Fields, isFields } from "./fields.ts";
import { asCallError, host } from "./host.ts";
import { numbered } from "./words.ts";

/** A list in an answer, as the tool's schema describes it; empty if it was not requested. */
export function listed<Row>(list: unknown): readonly Row[] {
  return Array.isArray(list) ? list : [];
}

/** The rows of an answer, which may lack fields that were not requested. */
export function listedRows<Row>(answer: Fields): readonly Partial<Row>[] {
  return listed(answer.data);
}

const pageOf = ({ pagination }: Fields): Fields => (isFields(pagination) ? pagination : {});

/** A list from a tool, with further pages. */
interface LongList<Row> {
  readonly tool: string;
  readonly args: Fields;
  /** The first page, which was loaded already. */
  readonly first: Fields;
  /** The plural of a row, as in "40 of 120 invoices". */
  readonly noun: string;
  /** Shown in place of an empty list. */
  readonly none: string;
  row(row: Partial<Row>): HTMLElement;
  /** Shows the list from its beginning, because the data behind its cursor has changed. */
  restart(): Promise<void>;
}

/** The list's rows, and a button that loads more. */
export function longList<Row>(list: LongList<Row>): HTMLElement[] {
  const { first, none, noun } = list;
  const rows = rowList();
  const foot = el("div", { class: "foot" });
  let shown = 0;
  const add = (page: Fields): void => {
    const added = listedRows<Row>(page);
    rows.append(...added.map((row) => list.row(row)));
    shown += added.length;
    const { next_cursor: cursor, total_count: total } = pageOf(page);
    const isPart = typeof cursor === "string";
    const count =
      typeof total === "number"
        ? `${shown} of ${numbered(total, noun)}`
        : `${numbered(shown, noun)}${isPart ? " so far" : ""}`;
    const more = host.callsTools
      ? () => button("Show more", "plain", () => goOn(String(cursor)))
      : () => quiet("Ask the assistant for the rest.");
    fill(foot, statusLine(count), isPart && more());
  };
  const goOn = async (cursor: string): Promise<void> => {
    try {
      add(await host.call(list.tool, { ...list.args, cursor }));
    } catch (error) {
      const { code, message } = asCallError(error);
      const again = code === "invalid_cursor" ? list.restart : () => goOn(cursor);
      fill(foot, problem(message, button(code === "invalid_cursor" ? "Start again" : "Try again", "plain", again)));
    }
  };
  add(first);
  return shown === 0 ? [el("p", { class: "none" }, none)] : [rows, foot];
}

/** Whether the rows of an answer have a field, judged by the first. */
export function rowsHave(answer: Fields, field: string): boolean {
  const [first] = listedRows<Fields>(answer);
  return first !== undefined && field in first;
}
