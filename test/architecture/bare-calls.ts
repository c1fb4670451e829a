import { posix } from "node:path";
import type { LimitRule, Measured } from "./allowed.ts";
import { at, type Project, sourcesIn, within } from "./project.ts";

const IMPORT = /^import \{([^}]*)\} from "(\.[^"]+)";/gm;
/** How operators call operations. */
const OPERATE = "src/core/gate/operator.ts";

/** What a file imports by name, and from where. */
function importedNames(path: string, text: string): [name: string, from: string][] {
  return [...text.matchAll(IMPORT)].flatMap(([, names = "", specifier = ""]) => {
    const from = posix.join(posix.dirname(path), specifier);
    const own = names.split(",").filter((name) => !/^\s*type\s/.test(name));
    return own.map((name): [string, string] => [name.trim().replace(/^.* as /, ""), from]);
  });
}

/** Calls of imported functions that are given the core, and in auth a workspace too: nobody is named who calls. */
function bareCalls(project: Project): Map<string, Measured> {
  const found = new Map<string, string[]>();
  for (const [path, text] of sourcesIn(project, ["src/web", "src/admin"]))
    for (const [name, from] of importedNames(path, text)) {
      const isBelow = ["src/core", "src/jobs", "auth"].some((place) => within(from, place));
      if (name === "" || !isBelow || from === OPERATE) continue;
      const given = within(from, "auth") ? "[^;]{0,80}\\btenantId\\b" : "";
      const calls = text.matchAll(new RegExp(`(?<![\\w.])${name}\\(\\s*(?:[\\w.]+\\.)?core\\b\\s*[,)]${given}`, "g"));
      for (const call of calls) found.set(name, [...(found.get(name) ?? []), at(path, text, call.index)]);
    }
  return new Map([...found].map(([name, places]) => [name, { count: places.length, places }]));
}

/** What serves people before there is an actor, or every workspace at once, is on the list. */
export const BARE_CALL_RULE: LimitRule = {
  list: "bareCalls",
  limit: 0,
  rule: "Pages and the terminal enter the core through operations.",
  why: "A function that is given a workspace and no actor leaves to the view who may see or do what.",
  fix: "Make it an operation with callers `person` and `operator`, and call it by `visit.read`, `visit.act` or `operate`.",
  measure: bareCalls,
};
