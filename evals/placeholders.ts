import { at } from "./path.ts";

/** Values by name, all text. */
export type Facts = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{([a-z0-9_.]+)([+-]\d+)?\}/g;

/** Dates by name, of the book's today (`YYYY-MM-DD`); `{today-45}` moves any of them by days. */
export function calendarOf(today: string): Facts {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  const first = (months: number): string => new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay() || 7;
  return {
    today,
    yesterday: shifted(today, -1),
    tomorrow: shifted(today, 1),
    monday: shifted(today, 1 - weekday),
    next_monday: shifted(today, 8 - weekday),
    next_sunday: shifted(today, 14 - weekday),
    month: first(0),
    next_month: first(1),
    last_month: first(-1),
    year: `${year}-01-01`,
  };
}

function shifted(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

function factOf(facts: Facts, name: string, shift: string | undefined): string {
  const value = facts[name];
  if (value === undefined) throw new Error(`nothing says what {${name}} is`);
  return shift === undefined ? value : shifted(value, Number(shift));
}

/** The text with its values. Throws Error for a name without one. */
export function fill(text: string, facts: Facts): string {
  return text.replace(PLACEHOLDER, (_, name: string, shift?: string) => factOf(facts, name, shift));
}

/** The statement with its values as literals. */
export function fillSql(statement: string, facts: Facts): string {
  return statement.replace(
    PLACEHOLDER,
    (_, name: string, shift?: string) => `'${factOf(facts, name, shift).replaceAll("'", "''")}'`,
  );
}

/** Arguments with values; `{…_minor}` is an integer, and `{0.data.0.id}` a value of an earlier answer, of any type. */
export function fillArguments(value: unknown, facts: Facts, answers: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((item) => fillArguments(item, facts, answers));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillArguments(item, facts, answers)]));
  if (typeof value !== "string") return value;
  const [, integer] = /^\{(\w+_minor)\}$/.exec(value) ?? [];
  if (integer !== undefined) return Number(factOf(facts, integer, undefined));
  const [, path] = /^\{(\d+\.[\w.]+)\}$/.exec(value) ?? [];
  if (path === undefined) return fill(value, facts);
  const found = at(answers, path);
  if (found === undefined) throw new Error(`no answer has ${path}`);
  return found;
}
