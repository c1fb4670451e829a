import { at, type Project, SOURCE_FOLDERS, sourcesIn, TEST_FOLDERS, within } from "./project.ts";
import type { Rule } from "./rule.ts";

/** A call that logs a text with a blank in it. */
const LOGGED_SENTENCE = /\blog\.(?:info|warn|error|debug|fatal)\(\s*(?:[^;]*?,\s*)?"[^"]*\s[^"]*",?\s*\)/;

const SQL = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^`]*>)?`/;

/** The first place of each file where the pattern is found. */
function places(files: readonly [string, string][], pattern: RegExp): string[] {
  return files.flatMap(([path, text]) => {
    const match = pattern.exec(text);
    return match === null ? [] : [`${at(path, text, match.index)}  ${match[0].trim()}`];
  });
}

const others = (project: Project, allowed: (path: string) => boolean): [string, string][] =>
  sourcesIn(project).filter(([path]) => !allowed(path));

/** Where decisions are made; the store and the gateways read what other programs say in words only. */
const DECIDES = ["src/core", "src/web", "src/admin", "src/rest", "src/mcp", "src/jobs", "tools", "auth"];

const WORDS = "(?:\\w*[mM]essage|onPage|words|sentence|reason|problem|found|said|error)";
/** A sentence that is searched, taken apart, or compared with one of a table. */
const DECIDED_BY_WORDS = new RegExp(
  [
    `\\b${WORDS}\\??\\.(?:startsWith|endsWith|includes|indexOf|search|match|matchAll|replace|replaceAll)\\(`,
    `\\.(?:test|exec)\\((?:\\w+\\??\\.)*${WORDS}\\)`,
    `(?:[!=]== *|(?:=|<>) *\\$\\{)[A-Z_]*(?:SENTENCES|REASONS|MESSAGES)\\b`,
  ].join("|"),
);

export const SOURCE_RULES: readonly Rule[] = [
  {
    rule: "Only src/main.ts and src/admin/main.ts read process.env.",
    why: "Settings are checked in one place at the start, so that a bad one ends it with a line that names it.",
    fix: "Add the setting to src/settings.ts and src/config.ts, and pass its value to where it is needed.",
    find: (project) =>
      places(
        others(project, (path) => ["src/main.ts", "src/admin/main.ts"].includes(path)),
        /process\.env/,
      ),
  },
  {
    rule: "SQL is in src/store and in query files (queries.ts, *-queries.ts).",
    why: "Reviewing tenant isolation and indexes means reading every statement; they have to be easy to find.",
    fix: "Move the statement into the aggregate's query file as a function that takes the transaction and the tenant id.",
    find: (project) =>
      places(
        others(project, (path) => within(path, "src/store") || /queries\.ts$/.test(path)),
        SQL,
      ),
  },
  {
    rule: "No path is made of a file URL's pathname.",
    why: "A space in the path is %20 there: the service would not start from such a folder.",
    fix: "Use import.meta.dirname or fileURLToPath.",
    find: (project) =>
      places(
        sourcesIn(project, [...SOURCE_FOLDERS, ...TEST_FOLDERS]).filter(([, text]) => /import\.meta\.url/.test(text)),
        /\.pathname/,
      ),
  },
  {
    rule: "No `any` and no @ts-ignore or @ts-expect-error in the sources.",
    why: "What the compiler does not check breaks when somebody else changes it.",
    fix: "Name the type; parse what comes from outside with zod.",
    find: (project) => places(sourcesIn(project), /\bas any\b|: any\b|@ts-(ignore|expect-error)/),
  },
  {
    rule: "No code is made at run time.",
    why: "Text from outside could become code, and such code is checked by neither compiler nor linter.",
    fix: "Write the function out, or look it up in a table of functions.",
    find: (project) => places(sourcesIn(project), /\bnew Function\(|\beval\(/),
  },
  {
    rule: "Nothing is decided by the words of a message or a reason.",
    why: "Who improves a sentence would change what the service does, and text from outside could pass for it.",
    fix: "Keep a code with its parameters (src/erp-reasons.ts, `ErrorDetail.code`), and make the sentence where it is shown.",
    find: (project) => places(sourcesIn(project, DECIDES), DECIDED_BY_WORDS),
  },
  {
    rule: "No line of src/web is longer than 120 characters.",
    why: "Markup beyond the screen's edge is where a missing tag or an unescaped value goes unseen.",
    fix: "Name a part of it above, or break the text: a line that ends in a backslash goes on in the next.",
    find: (project) =>
      sourcesIn(project, ["src/web"]).flatMap(([path, text]) =>
        [...text.matchAll(/^.{121,}$/gm)].map(({ index }) => at(path, text, index)),
      ),
  },
  {
    rule: "A line of the log is the name of an event, with fields.",
    why: "Operators filter and count lines by that name; a sentence changes with every hand that improves it.",
    fix: "Name the event in dotted words, such as `receipt.push.failed`, and put what differs into fields.",
    find: (project) => places(sourcesIn(project), LOGGED_SENTENCE),
  },
];
