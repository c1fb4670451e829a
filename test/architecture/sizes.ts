import { ts } from "@ts-morph/common";
import type { LimitRule, Measured } from "./allowed.ts";
import { type Project, SOURCE_FOLDERS, sourcesIn } from "./project.ts";

const MAX_FILE_LINES = 250;
const MAX_FUNCTION_LINES = 60;

/** Released and never changed, or written by a program. */
const EXCEPT = /^src\/store\/migrations\/\d|^test\/rest\/client\/api\.d\.ts$/;

/** Keeps, of what shares a name, what is longest. */
function longest(found: Iterable<readonly [name: string, lines: number, place: string]>): Map<string, Measured> {
  const kept = new Map<string, Measured>();
  for (const [name, count, place] of found)
    if (count > (kept.get(name)?.count ?? 0)) kept.set(name, { count, places: [place] });
  return kept;
}

function* longFiles(project: Project): Generator<[string, number, string]> {
  for (const [path, text] of project.texts) {
    const lines = text.split("\n").length - 1;
    if (path.endsWith(".ts") && !EXCEPT.test(path) && lines > MAX_FILE_LINES)
      yield [path.slice(path.lastIndexOf("/") + 1), lines, path];
  }
}

/** Functions with a body, methods and arrow functions included, by the name nearest to them. */
function* longFunctions(project: Project): Generator<[string, number, string]> {
  for (const [path, text] of sourcesIn(project, [...SOURCE_FOLDERS, "bench", "evals", "torture"])) {
    if (text.split("\n").length <= MAX_FUNCTION_LINES || EXCEPT.test(path)) continue;
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
    const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
    const below = function* (node: ts.Node, outer: string): Generator<[string, number, string]> {
      const isFunction = ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
      const isNamed = ts.isFunctionLike(node) || ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node);
      const name = isNamed ? (node.name?.getText(source) ?? outer) : outer;
      const start = lineAt(node.getStart(source));
      const lines = lineAt(node.end) - start + 1;
      if (isFunction && lines > MAX_FUNCTION_LINES) yield [name, lines, `${path}:${start}`];
      const inner: ts.Node[] = [];
      ts.forEachChild(node, (child) => void inner.push(child));
      for (const child of inner) yield* below(child, name);
    };
    yield* below(source, path);
  }
}

export const SIZE_RULES: readonly LimitRule[] = [
  {
    list: "files",
    limit: MAX_FILE_LINES,
    rule: `A file has at most ${MAX_FILE_LINES} lines.`,
    why: "A reader keeps one screen or two in mind; a longer file does more than one thing.",
    fix: "Move one of the things it does into a file of its own.",
    measure: (project) => longest(longFiles(project)),
  },
  {
    list: "functions",
    limit: MAX_FUNCTION_LINES,
    rule: `A function has at most ${MAX_FUNCTION_LINES} lines.`,
    why: "A function does one thing at one level of abstraction; longer ones cannot be tested in parts.",
    fix: "Name a part of it and make that a function.",
    measure: (project) => longest(longFunctions(project)),
  },
];
