import type { LimitRule, Measured } from "./allowed.ts";
import { at, type Project, sourcesIn } from "./project.ts";

const EXPORT = /^export (?:declare |abstract |async )*(function\*?|const|let|class|interface|type|enum) +([\w$]+)/gm;

/** A schema and the type read off it share a name on purpose, and each migration has its `up`. */
function exportedNames(project: Project): Map<string, Measured> {
  const files = new Map<string, Map<string, string>>();
  for (const [path, text] of sourcesIn(project, ["src", "auth", "tools"])) {
    if (path.startsWith("src/store/migrations/")) continue;
    for (const { index, 2: name = "" } of text.matchAll(EXPORT)) {
      const found = files.get(name) ?? new Map<string, string>();
      if (!found.has(path)) files.set(name, found.set(path, at(path, text, index)));
    }
  }
  const shared = [...files].filter(([, found]) => found.size > 1);
  return new Map(shared.map(([name, found]) => [name, { count: found.size, places: [...found.values()] }]));
}

export const NAME_RULE: LimitRule = {
  list: "exports",
  limit: 1,
  rule: "No two files of src, auth and tools export the same name.",
  why: "Searching for the name, or letting an editor import it, finds the wrong one of the two.",
  fix: "Give the newer one a name that says which it is, such as `SimulatedAnswer` beside `Answer`.",
  measure: exportedNames,
};
