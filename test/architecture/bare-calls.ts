import { posix } from "node:path";
import { at, type Project, sourcesIn, within } from "./project.ts";
import type { Rule } from "./rule.ts";

const IMPORT = /^import \{([^}]*)\} from "(\.[^"]+)";/gm;
/** How operators call operations. */
const OPERATE = "src/core/gate/operator.ts";
const NOBODY_CALLS = [
  // It puts together what a command runs with in a process of its own, as src/composition.ts does for the service.
  "src/admin/transport.ts",
  // Whoever has the address of a link may pay.
  "src/web/pay/pay-page.ts",
];

/** What a file imports by name, and from where. */
function importedNames(path: string, text: string): [name: string, from: string][] {
  return [...text.matchAll(IMPORT)].flatMap(([, names = "", specifier = ""]) => {
    const from = posix.join(posix.dirname(path), specifier);
    const own = names.split(",").filter((name) => !/^\s*type\s/.test(name));
    return own.map((name): [string, string] => [name.trim().replace(/^.* as /, ""), from]);
  });
}

/** Calls of imported functions that are given the core, and in auth a workspace too: nobody is named who calls. */
function bareCalls(project: Project): string[] {
  const faces = sourcesIn(project, ["src/web", "src/admin"]).filter(([path]) => !NOBODY_CALLS.includes(path));
  return faces.flatMap(([path, text]) =>
    importedNames(path, text).flatMap(([name, from]) => {
      const isBelow = ["src/core", "src/jobs", "auth"].some((place) => within(from, place));
      if (name === "" || !isBelow || from === OPERATE) return [];
      const given = within(from, "auth") ? "[^;]{0,80}\\btenantId\\b" : "";
      const calls = text.matchAll(new RegExp(`(?<![\\w.])${name}\\(\\s*(?:[\\w.]+\\.)?core\\b\\s*[,)]${given}`, "g"));
      return [...calls].map((call) => `${at(path, text, call.index)}  ${name}`);
    }),
  );
}

export const BARE_CALL_RULE: Rule = {
  rule: "Pages and the terminal enter the core through operations.",
  why: "A function that is given a workspace and no actor leaves to the view who may see or do what.",
  fix: "Make it an operation with callers `person` and `operator`, and call it by `visit.read`, `visit.act` or `operate`; give what is about the whole service a `ByOperator`.",
  find: bareCalls,
};
