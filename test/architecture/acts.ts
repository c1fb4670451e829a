import { at, localImports, type Project, sourcesIn, within } from "./project.ts";
import type { Rule } from "./rule.ts";

const OPENS = /\b(?<!this\.)store(\s*\.patient)?\s*\.(read|write|directory|everyShard)\(/;
const WRITES_ENTRY = /\b(recordDone|insertAuditEntries)\(/;

const core = (...names: readonly string[]): string[] => names.map((name) => `src/core/${name}.ts`);

const ENTRY_WRITERS = [
  ...core("gate/audit", "gate/operation", "gate/work-step", "gate/mutation"),
  // The demo tells of an approval that no person gave.
  "src/demo/actors.ts",
];

/** The files of the gate that open transactions; claims and leases are its as well. */
const GATE = core("gate/mutation", "gate/operation", "gate/outside-call", "gate/work-step", "gate/claims");
/** Long looks within an operation, which its caller's limits on statements would end. */
const LONG_LOOKS = core("aging/rebuild-in-slices");
/** What is asked before there is an actor; the store itself; and what tells a story over days, in the place of many actors. */
const BESIDE_THE_GATE = ["auth", "src/store", "src/demo"];

const FACES = ["src/admin", "src/web", "src/rest", "src/mcp", "src/http", "tools"];

/** Of steps that are done by themselves; an act within another one has `callers`. */
const DECLARES_STEP = /\bworkStep\(\{\s*name\b[^,]*,(?!\s*callers)/;
const DECLARES_OPERATION = /\boperation\(/;
/** An exported function that answers a declaration: `export function declare(…) { return operation({`. */
const DECLARES_FOR_OTHERS =
  /^export (const \w+ = (async )?\(|function \w+)(?:(?!^\}|;$)[\s\S])*?(return|=>) (operation|workStep)\(/m;
/** What an assistant may call is the tools' to say. */
const GIVEN_A_FACE = ["src/core/workspace/get-context.ts"];
const TYPES_ONLY = /^(import|export) type [^"']*?from "[^"]+";$/gm;
const CLAIMS = "src/core/gate/claims.ts";

/** How a face could write around the gate: its imports of steps and claims, and of functions of the core that lead there. */
function waysAround(project: Project): string[] {
  const text = (path: string): string => project.texts.get(path)?.replace(TYPES_ONLY, "") ?? "";
  const known = new Map<string, boolean>();
  const leadsToSteps = (path: string): boolean => {
    const found = known.get(path);
    if (found !== undefined) return found;
    known.set(path, false);
    const own = text(path);
    const leads =
      within(path, "src/core") &&
      (path === CLAIMS ||
        DECLARES_STEP.test(own) ||
        (!DECLARES_OPERATION.test(own) && localImports(path, own).some(leadsToSteps)));
    known.set(path, leads);
    return leads;
  };
  return sourcesIn(project, FACES).flatMap(([path]) =>
    localImports(path, text(path))
      .filter(leadsToSteps)
      .map((target) => `${path} → ${target}`),
  );
}

/** Where the pattern is found in files that are none of `allowed`, and files of `allowed` that no longer need to be. */
function beyond(files: readonly [string, string][], pattern: RegExp, allowed: readonly string[]): string[] {
  const found = files.flatMap(([path, text]) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ path, place: `${at(path, text, match.index)}  ${match[0]}` }];
  });
  const strays = found.filter(({ path }) => !allowed.includes(path)).map(({ place }) => place);
  const idle = allowed.filter((path) => !found.some((one) => one.path === path));
  return [...strays, ...idle.map((path) => `${path}  is on the list in test/architecture/acts.ts and need not be`)];
}

/** Every act goes through an operation, with its actor (completions §1). */
export const ACT_RULES: readonly Rule[] = [
  {
    rule: "Audit entries are written by the gate.",
    why: "An act that writes its own entry can name the wrong actor, or be forgotten when it fails.",
    fix: "Declare an operation; it writes the entry with what `audit()` is given.",
    find: (project) =>
      beyond(
        sourcesIn(project, ["src", "auth"]).filter(([path]) => !within(path, "src/store")),
        WRITES_ENTRY,
        ENTRY_WRITERS,
      ),
  },
  {
    rule: "The gate opens the transactions.",
    why: "Everybody who acts comes through one door; a second door would check less.",
    fix: "Read and write in the `run` of an operation or a `workStep`, with the transaction that it is given (CONTRIBUTING.md).",
    find: (project) =>
      beyond(
        sourcesIn(project).filter(([path]) => !BESIDE_THE_GATE.some((place) => within(path, place))),
        OPENS,
        [...GATE, ...LONG_LOOKS],
      ),
  },
  {
    rule: "No face carries out a step of work without a caller.",
    why: "A step checks no permission: called by a face it would be a way around the gate.",
    fix: "Call an operation, or have a job of src/jobs do the work.",
    find: waysAround,
  },
  {
    rule: "What is done is declared by `operation` and `workStep`, and by nothing else.",
    why: "Each further way to declare an act is one more that has to be known, and may check less.",
    fix: "Give `operation` or `workStep` a field for what differs.",
    find: (project) => beyond(sourcesIn(project, ["src/core", "src/jobs", "auth"]), DECLARES_FOR_OTHERS, GIVEN_A_FACE),
  },
  {
    rule: "No signature leaves out who acts.",
    why: "Where an actor may be left out, leaving it out means more power.",
    fix: "Take the actor as a required value.",
    find: (project) => beyond(sourcesIn(project), /\b(by|actor)\?:(?! never)/, []),
  },
];
