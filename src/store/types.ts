import pg from "pg";
import { UnreadableValue } from "./unavailable.ts";

const DATE = 1082;
const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;
const TEXT = 25;
const VARCHAR = 1043;
const UUID = 2950;

/** Reads what is its own text. */
const asIs = (text: string): string => text;
/** Both stores write instants in UTC: `2026-03-10 15:00:00.123+00`, fractions as short as they can be. */
const UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/** ISO 8601 UTC with milliseconds; put together from the text, which costs a tenth of reading it as a date. */
function instant(text: string): string {
  const isWhole = text.length === 26 && text.endsWith("+00") && text[10] === " " && text[19] === ".";
  if (isWhole) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  const [, date, time, fraction = ""] = UTC.exec(text) ?? [];
  if (date === undefined) throw new UnreadableValue(`an instant in UTC, and not ${text}`);
  return `${date}T${time}.${fraction.padEnd(3, "0")}Z`;
}

/** How both stores hand values over: nothing becomes a Date or a float on its way out of the store. */
const parsers = new Map<number, (text: string) => unknown>([
  [DATE, asIs],
  [TIMESTAMPTZ, instant],
  [INT8, asIs],
  [NUMERIC, asIs],
  [TEXT, asIs],
  [VARCHAR, asIs],
  [UUID, asIs],
]);

/** Reads a value of that type, which PostgreSQL knows by a number. */
export function parserOf(type: number): (text: string) => unknown {
  const known = parsers.get(type);
  if (known !== undefined) return known;
  const parser = pg.types.getTypeParser(type);
  parsers.set(type, parser);
  return parser;
}
