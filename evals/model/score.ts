import type { Cells, Question } from "../questions/question.ts";
import type { Conversation } from "./conversation.ts";
import { type Figure, figuresIn, moneyOf, namesAmount, sumsAcrossCurrencies } from "./figures.ts";

/** How good an answer is. */
export interface Score {
  readonly id: string;
  readonly class: string;
  /** Figures, names and dates of the truth that the answer has, and how many it should have. */
  readonly named: number;
  readonly wanted: number;
  /** Sums of several currencies in the answer. */
  readonly mixedSums: readonly string[];
  /** Tools that changed something, or tried to, and nobody asked for it. */
  readonly unaskedWrites: readonly string[];
  readonly calls: number;
  /** Calls whose arguments were no JSON object. */
  readonly malformed: number;
  readonly tokens: number;
  /** Why there is no answer, or why the book is not what was asked for; null where all is well. */
  readonly problem: string | null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September"].concat([
  "October",
  "November",
  "December",
]);
const SAYS_NO =
  /\b(?:cannot|can't|can not|could not|couldn't|not able|unable|impossible|not possible|no tool|no way|not (?:allowed|permitted|available|supported|collectible|something i)|won't|will not|refused|only (?:an )?admins?)\b/i;

/** Whether everything about an answer is right. */
export function isGood(score: Score): boolean {
  const { named, wanted, mixedSums, unaskedWrites, problem } = score;
  return named >= wanted && mixedSums.length === 0 && unaskedWrites.length === 0 && problem === null;
}

/** Scores an answer; `writes` are the tools that change something. */
export function scoreOf(
  question: Question,
  truth: readonly Cells[],
  conversation: Conversation,
  writes: ReadonlySet<string>,
): Score {
  const { answer, calls, tokens, problem } = conversation;
  const currencies = new Set(truth.flat().flatMap((cell) => moneyOf(cell)?.currency ?? []));
  const figures = figuresIn(answer, currencies);
  const claims = question.read === null ? [SAYS_NO.test(answer)] : claimsOf(question, truth, answer, figures);
  const told = new Set(figures.flatMap(({ readings }) => readings));
  return {
    id: question.id,
    class: question.class,
    named: claims.filter(Boolean).length,
    wanted: claims.length,
    mixedSums: sumsAcrossCurrencies(truth).filter((total) => told.has(total)),
    unaskedWrites: calls
      .filter(({ tool, code }) => writes.has(tool) && !isAsked(question, tool, code !== null))
      .map(({ tool }) => tool),
    calls: calls.length,
    malformed: calls.filter(({ code }) => code === "malformed").length,
    tokens,
    problem,
  };
}

/** A write is asked for, or is the attempt that the question wants refused, and was. */
function isAsked({ writes = [], calls }: Question, tool: string, failed: boolean): boolean {
  return writes.includes(tool) || (failed && calls.some((call) => call.tool === tool && call.refused !== undefined));
}

/** For each thing the answer should name, whether it does; of rows that tie, those it names best. */
function claimsOf(question: Question, truth: readonly Cells[], answer: string, figures: readonly Figure[]): boolean[] {
  const folded = answer.toLowerCase();
  const rows = truth.map((cells) => cells.filter(isSpoken).map((cell) => names(cell, folded, figures)));
  const { anyOf = rows.length } = question;
  const share = (row: readonly boolean[]): number => row.filter(Boolean).length / Math.max(1, row.length);
  return rows
    .toSorted((one, other) => share(other) - share(one))
    .slice(0, anyOf)
    .flat();
}

/** Ids are for tools, and nobody reads them out. */
const isSpoken = (cell: string): boolean => cell !== "" && !UUID.test(cell);

function names(cell: string, answer: string, figures: readonly Figure[]): boolean {
  const amount = moneyOf(cell);
  if (amount !== null) return namesAmount(figures, amount);
  if (DATE.test(cell)) return datesOf(cell).some((date) => answer.includes(date));
  if (/^-?\d+(\.\d+)?$/.test(cell)) return figures.some(({ readings }) => readings.includes(cell.replace("-", "")));
  return answer.includes(cell.toLowerCase()) || answer.includes(cell.toLowerCase().replaceAll("_", " "));
}

/** Ways to write a date. */
function datesOf(date: string): string[] {
  const [year = "", month = "", day = ""] = date.split("-");
  const long = (MONTHS[Number(month) - 1] ?? "").toLowerCase();
  const nth = String(Number(day));
  const short = long.slice(0, 3);
  return [
    date,
    ...[long, short].flatMap((name) => [`${nth} ${name}`, `${name} ${nth}`, `${day} ${name}`]),
    `${nth}.${Number(month)}.${year}`,
  ];
}
