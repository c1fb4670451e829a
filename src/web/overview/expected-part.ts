import { summarizeAging } from "../../core/aging/operations/summarize-aging.ts";
import { addDays } from "../../core/kernel/calendar.ts";
import { formatMoney, money, sum, ZERO } from "../../core/kernel/money.ts";
import { aside, type Inserted } from "../kit/markup.ts";
import type { Query, WorkspaceVisit } from "../kit/page.ts";
import { type Column, shownAmount, shownDay, tablePart, todayOf } from "../lists/list.ts";
import { mondayOf } from "./overview-figures.ts";

const HABIT = `By habit: the due date and the days by which the customer is usually late, known from three payments on.
What is disputed or not finalised is included.`;

/** The weeks of what is expected. */
const WEEKS = 8;

/** An amount with what selects its rows; null where a column has nothing. */
type Figure = readonly [amount: string, rows: Query] | null;
/** When something is to come in: by due date, and by habit. */
type Row = readonly [when: Inserted, due: Figure, usual: Figure];

/** When what is owed in a currency is to come in, each figure with the way to its rows; null where nothing is owed. */
export async function expectedPart(visit: WorkspaceVisit, currency: string) {
  const rows = await readExpected(visit, currency);
  if (rows === null) return null;
  const figure = (head: string, column: 1 | 2): Column<Row> => ({
    ...{ head, kind: "number" },
    cell({ [column]: shown }) {
      if (shown === null) return null;
      const [amount, query] = shown;
      const words = shownAmount(amount, currency);
      return money(amount).isZero() ? words : visit.link("/installments", words, { currency, ...query });
    },
  });
  const columns: Column<Row>[] = [
    { head: "When", cell: ([when]) => when },
    figure("By due date", 1),
    figure("By habit", 2),
  ];
  const words = aside(HABIT);
  return tablePart(`Expected in ${currency}`, "", { columns, rows, visit }, words);
}

/**
 * By due date and by habit (completions §10): before today, by week, and later. Each column adds up to what is
 * outstanding, the last row.
 */
async function readExpected(visit: WorkspaceVisit, currency: string) {
  const today = todayOf(visit);
  const monday = mondayOf(today);
  const until = addDays(monday, 7 * WEEKS - 1);
  const [yesterday, after] = [addDays(today, -1), addDays(until, 1)];
  const asked = { currency, include: "payment_history" } as const;
  const byWeek = { ...asked, group_by: "week" } as const;
  const [due, usual, later, { totals }] = await Promise.all([
    visit.call(summarizeAging, { ...byWeek, due_from: today, due_to: until }),
    visit.call(summarizeAging, { ...byWeek, expected_from: today, expected_to: until }),
    visit.call(summarizeAging, { ...asked, expected_from: after }),
    visit.call(summarizeAging, asked),
  ]);
  const [all] = totals;
  if (all === undefined) return null;
  const zero = formatMoney(ZERO, currency);
  const inWeek = ({ groups = [] }: typeof due, week: string) =>
    groups.find(({ group }) => group === week)?.outstanding ?? zero;
  const weeks = Array.from({ length: WEEKS }, (_, week): Row => {
    const [first, to] = [addDays(monday, 7 * week), addDays(monday, 7 * week + 6)];
    const from = week === 0 ? today : first;
    const byHabit = [inWeek(usual, first), { expected_from: from, expected_to: to }] as const;
    return [[shownDay(from), " to ", shownDay(to)], [inWeek(due, first), { due_from: from, due_to: to }], byHabit];
  });
  const past: Row = [
    "Before today",
    [all.overdue, { due_to: yesterday }],
    [all.past_expected ?? zero, { no_expected_date: "past" }],
  ];
  const left = (column: 1 | 2, ...others: string[]) => {
    const taken = [past, ...weeks].map((row) => row[column]?.[0] ?? "0");
    return formatMoney(money(all.outstanding).minus(sum([...taken, ...others].map(money))), currency);
  };
  const usualLater = later.totals[0]?.outstanding ?? zero;
  const rows: Row[] = [
    ...[past, ...weeks],
    [
      [shownDay(after), " and later"],
      [left(1), { due_from: after }],
      [usualLater, { expected_from: after }],
    ],
    ["Without a known habit", null, [left(2, usualLater), { no_expected_date: "unknown" }]],
    ["Outstanding", [all.outstanding, {}], [all.outstanding, {}]],
  ];
  return rows;
}
