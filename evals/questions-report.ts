import { isUsual, overOwnLimits, type Played } from "./play.ts";
import { CLASSES, USUAL_LIMITS } from "./questions/question.ts";

/** The share of questions that have to be within the usual limits. */
const USUAL_SHARE = 11 / 12;

/** Whether every answer is exact, every question with limits of its own keeps them, and enough keep the usual ones. */
export function passes(played: readonly Played[]): boolean {
  const usual = played.filter(isUsual).length;
  return (
    played.every((one) => one.problem === null && overOwnLimits(one) === null) && usual >= played.length * USUAL_SHARE
  );
}

/** A table by class, one of the questions with limits of their own, and each question that fails. */
export function questionsReport(title: string, played: readonly Played[]): string {
  const rows = CLASSES.flatMap((name) => {
    const some = played.filter(({ question }) => question.class === name);
    return some.length === 0 ? [] : [row(name, some)];
  });
  const limited = played.flatMap(({ question: { id, limits }, calls, tokens }) =>
    limits === undefined ? [] : [[id, `${calls} of ${limits.calls}`, `${tokens} of ${limits.tokens}`]],
  );
  return [
    title,
    ...aligned([["class", "questions", "exact", "calls", "tokens", "most", "ms"], ...rows, row("all", played)]),
    ...(limited.length === 0 ? [] : aligned([["with limits of its own", "calls", "tokens"], ...limited])),
    ...played.flatMap(problemLines),
    `${played.filter(isUsual).length} of ${played.length} within ${USUAL_LIMITS.calls} calls and ${USUAL_LIMITS.tokens} tokens`,
  ].join("\n");
}

/** Lines of a table: the first column is left-aligned, the others are right-aligned. */
function aligned(table: readonly (readonly string[])[]): string[] {
  const widths = table[0]?.map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0))) ?? [];
  return table.map((cells) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
  );
}

function row(name: string, played: readonly Played[]): string[] {
  const sum = (figure: (one: Played) => number): string =>
    played.reduce((total, one) => total + figure(one), 0).toFixed(0);
  return [
    name,
    String(played.length),
    String(played.filter(({ problem }) => problem === null).length),
    sum(({ calls }) => calls),
    sum(({ tokens }) => tokens),
    String(Math.max(0, ...played.map(({ tokens }) => tokens))),
    sum(({ ms }) => ms),
  ];
}

function problemLines(one: Played): string[] {
  const { question, calls, tokens, problem } = one;
  const own = overOwnLimits(one);
  return [
    ...(problem === null ? [] : [`FAILS  ${question.id}: ${problem}`]),
    ...(own === null ? [] : [`OVER   ${question.id}: ${calls} calls, ${tokens} tokens of ${own.calls}, ${own.tokens}`]),
    ...(own !== null || isUsual(one) ? [] : [`LARGE  ${question.id}: ${calls} calls, ${tokens} tokens`]),
  ];
}
