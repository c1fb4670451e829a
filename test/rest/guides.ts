import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../docs/guides");

/** A fenced block of a guide, the line it starts in, and the text between the block before it and itself. */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  readonly intro: string;
}

export const GUIDE_FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".md"));
export const guideText = (file: string): string => readFileSync(join(FOLDER, file), "utf8");

/** Every fenced block, in order. */
export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 1: language = "", 2: inside = "", index }) => {
    const before = text.slice(0, index);
    const intro = before.slice(before.lastIndexOf("\n```\n") + 1);
    return { language, text: inside, line: before.split("\n").length, intro };
  });
}

/** The commands of a block: a line each, with those that it goes on in. */
export function commandsOf({ text }: Block): string[] {
  return text
    .replaceAll(/\\\n/g, "\\\n\0")
    .split(/\n(?!\0)/)
    .map((command) => command.replaceAll("\0", ""))
    .filter((command) => command.trim() !== "");
}

/** What hangs on the day, which ends while tests run. */
const OF_THE_DAY = /\.(overdue|overdue_outstanding|current)$/;
/** A figure, or what a fresh demo's rows are known by. */
const isFixed = (path: string, shown: unknown): boolean =>
  !OF_THE_DAY.test(path) &&
  (typeof shown === "number" ||
    /^-?\d+\.\d+$/.test(String(shown)) ||
    /\.(code|status|state|permission|invoice_number|currency)$/.test(path));

/** Where an answer differs from what a guide shows of it in its figures too: each row shown is among those answered, in their order. */
export function figuresLost(shown: unknown, answer: unknown, path = "$"): string[] {
  if (Array.isArray(shown)) {
    const rows: unknown[] = Array.isArray(answer) ? answer : [];
    let from = 0;
    return shown.flatMap((one, index) => {
      const at = rows.findIndex((row, place) => place >= from && figuresLost(one, row, path).length === 0);
      from = at + 1;
      return at === -1 ? [`${path}[${index}]: ${JSON.stringify(one)} is not in the answer`] : [];
    });
  }
  if (typeof shown === "object" && shown !== null) {
    const own = new Map(Object.entries(Object(answer)));
    return Object.entries(shown).flatMap(([name, value]) => figuresLost(value, own.get(name), `${path}.${name}`));
  }
  return isFixed(path, shown) && shown !== answer ? [`${path}: ${answer}, not ${shown}`] : [];
}

/** Where an answer differs from what a guide shows of it: another code, a missing field, another type. */
export function differences(shown: unknown, answer: unknown, path = "$"): string[] {
  if (shown === null || answer === null) return [];
  if (Array.isArray(shown)) {
    if (!Array.isArray(answer)) return [`${path}: is no list`];
    if (shown.length > 0 && answer.length === 0) return [`${path}: is empty`];
    return answer.flatMap((one, index) => differences(shown[0], one, `${path}[${index}]`));
  }
  if (typeof shown !== typeof answer)
    return [`${path}: ${JSON.stringify(answer)} where ${JSON.stringify(shown)} is shown`];
  if (typeof shown === "object" && typeof answer === "object") {
    const own = new Map(Object.entries(answer));
    return Object.entries(shown).flatMap(([name, value]) =>
      own.has(name) ? differences(value, own.get(name), `${path}.${name}`) : [`${path}.${name}: is missing`],
    );
  }
  return /^\$$|\.(code|status|state|permission)$/.test(path) && shown !== answer
    ? [`${path}: ${answer}, not ${shown}`]
    : [];
}
