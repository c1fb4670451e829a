import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../docs/guides");

/** A fenced block of a guide, and the line it starts in. */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

export const GUIDE_FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".md"));
export const guideText = (file: string): string => readFileSync(join(FOLDER, file), "utf8");

/** Every fenced block, in order. */
export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 1: language = "", 2: inside = "", index }) => ({
    ...{ language, text: inside },
    line: text.slice(0, index).split("\n").length,
  }));
}

/** The commands of a block: a line each, with those that it goes on in. */
export function commandsOf({ text }: Block): string[] {
  return text
    .replaceAll(/\\\n/g, "\\\n\0")
    .split(/\n(?!\0)/)
    .map((command) => command.replaceAll("\0", ""))
    .filter((command) => command.trim() !== "");
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
