import type { z } from "zod";
import type { Bucket } from "../core/aging/buckets.ts";
import type { AgingSummary, CustomerAgingRow, InstallmentAgingRow } from "../core/aging/schema.ts";
import { button, el, heading, listRow, name, quiet, show } from "./kit/dom.ts";
import { type Fields, textField } from "./kit/fields.ts";
import { bars, dayElement, figure, instant, oldestAsOf, openAndOverdue } from "./kit/figures.ts";
import { host, join, openLatest } from "./kit/host.ts";
import { installmentItem } from "./kit/installment.ts";
import { listed, longList, rowsHave } from "./kit/long-list.ts";
import { BUCKET_NAMES, numbered } from "./kit/words.ts";

type Summary = z.output<typeof AgingSummary>;
type Total = Summary["totals"][number];
type CustomerRow = z.output<typeof CustomerAgingRow>;
type InstallmentRow = z.output<typeof InstallmentAgingRow>;

const BUCKETS: readonly Bucket[] = ["current", "days_1_30", "days_31_60", "days_61_90", "over_90"];
const TOOLS = { summary: "summarize_aging", customers: "list_customer_aging", installments: "list_installment_aging" };

/** One of the three reports, and its arguments. */
interface Screen {
  readonly tool: string;
  readonly args: Fields;
  readonly answer: Fields;
  /** Its filters, in words. */
  readonly trail: readonly string[];
}

const screens: Screen[] = [];
void join({ name: "aging", waiting: "Waiting for the figures…", onResult: begin });

function begin(answer: Fields, args: Fields): void {
  const tool = rowsHave(answer, "installment_id")
    ? TOOLS.installments
    : Array.isArray(answer.data)
      ? TOOLS.customers
      : TOOLS.summary;
  screens.splice(0, screens.length, { tool, args, answer, trail: [] });
  draw();
}

/** Opens a report on part of the current one. */
async function open(tool: string, narrower: Fields, word: string): Promise<void> {
  const last = screens.at(-1);
  if (last === undefined) return;
  // Fields and page size do not carry over to another report.
  const { fields: _, limit: __, ...carried } = last.args;
  const args = { ...carried, ...narrower };
  await openLatest({
    ...{ tool, args, waiting: "Opening…", back: redraw },
    draw(answer) {
      screens.push({ tool, args, answer, trail: [...last.trail, word] });
      redraw();
    },
  });
}

function back(): void {
  screens.pop();
  redraw();
}

const redraw = (): void => draw({ focus: true });

async function restart(): Promise<void> {
  const last = screens.pop();
  if (last === undefined) return;
  const answer = await host.call(last.tool, last.args);
  screens.push({ ...last, answer });
  redraw();
}

function draw(options: { focus?: boolean } = {}): void {
  const screen = screens.at(-1);
  if (screen === undefined) return;
  const { answer, trail, tool } = screen;
  const title = tool === TOOLS.summary ? "Aging" : tool === TOOLS.customers ? "Aging by customer" : "Installments";
  const path = trail.flatMap((word) => [el("span", { "aria-hidden": "true" }, " › "), el("bdi", {}, word)]);
  show(
    [
      screens.length > 1 && button("‹ Back", "plain", back),
      heading(title, ...path),
      basis(answer),
      totals(screen),
      tool === TOOLS.customers && customers(screen),
      tool === TOOLS.installments && installments(screen),
    ],
    options,
  );
}

/** The date of the figures, and the number of rows. */
function basis(answer: Fields): HTMLElement {
  const [date, zone] = ["report_date", "timezone"].map((field) => textField(answer, field));
  const asOf = oldestAsOf(listed<Total>(answer.totals));
  return quiet(
    date && ["Days overdue on ", dayElement(date), zone && ` (${zone})`],
    asOf && [". From the ERP as of ", instant(asOf, zone)],
    ". Current reconciled balances; credits and undated debt are not in it, and currencies are never added up.",
  );
}

function totals({ answer, tool }: Screen): HTMLElement[] {
  const list = listed<Total>(answer.totals);
  if (list.length === 0 && tool === TOOLS.summary) return [el("p", { class: "none" }, "Nothing is owed.")];
  const drills = host.callsTools && tool === TOOLS.summary;
  // Above a list, the buckets of many currencies would push it out of sight.
  const isFolded = tool !== TOOLS.summary && list.length > 1;
  return list.map((total) => {
    const { currency, outstanding, overdue } = total;
    const lengths = bars(
      BUCKETS.map((bucket) => total[bucket]),
      BUCKETS,
    );
    const line = (bucket: Bucket, index: number): HTMLElement => {
      const word = BUCKET_NAMES[bucket];
      const narrower = { currency, bucket };
      const label = drills ? button(word, "row", () => open(TOOLS.customers, narrower, `${currency}, ${word}`)) : word;
      return el(
        "tr",
        {},
        el("th", { scope: "row" }, label),
        el("td", { class: "length" }, lengths[index] ?? null),
        el("td", { class: "sum" }, figure(total[bucket], null)),
      );
    };
    const all = drills && button("By customer", "plain", () => open(TOOLS.customers, { currency }, currency));
    const head = el(
      isFolded ? "summary" : "header",
      {},
      el("h2", {}, figure(outstanding, currency)),
      el("span", { class: "quiet" }, "overdue ", figure(overdue, currency)),
      all,
    );
    const table = el(
      "table",
      { class: "buckets", "aria-label": `${currency} by days overdue` },
      el("tbody", {}, ...BUCKETS.map(line)),
    );
    return el(isFolded ? "details" : "section", { class: "card" }, head, table);
  });
}

function customers(screen: Screen): HTMLElement[] {
  const row = (one: Partial<CustomerRow>): HTMLElement => {
    const { currency = "", customer_key: key, max_days_overdue: oldest, installment_count: count } = one;
    const word = one.customer_name || one.customer_number || "Unassigned";
    const drills = host.callsTools && key !== undefined;
    const narrower = { customer_key: key, currency };
    const facts = [
      one.customer_number ? `No. ${one.customer_number}` : null,
      count === undefined ? null : numbered(count, "installment"),
      typeof oldest === "number" ? `up to ${numbered(oldest, "day")} overdue` : null,
    ].filter((fact) => fact !== null);
    const { overdue, outstanding } = one;
    const label = name(word, "");
    return listRow(
      [
        drills ? button(label, "row", () => open(TOOLS.installments, narrower, word)) : label,
        quiet(el("bdi", {}, facts.join(" · "))),
      ],
      openAndOverdue(outstanding, overdue, currency),
    );
  };
  return longList<CustomerRow>({
    ...{ ...screen, first: screen.answer, noun: "customer", none: "Nobody owes anything." },
    ...{ row, restart },
  });
}

function installments(screen: Screen): HTMLElement[] {
  return longList<InstallmentRow>({
    ...{ ...screen, first: screen.answer, noun: "installment", none: "Nothing is owed." },
    ...{ row: installmentItem, restart },
  });
}
