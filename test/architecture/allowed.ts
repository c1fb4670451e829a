import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, type Project } from "./project.ts";
import type { Rule } from "./rule.ts";

const PATH = "test/architecture/allowed.json";

/** What was there when a rule came, by list and name: how much of it may stay. It only shrinks. */
export type Allowed = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** How much there is of something, and where. */
export interface Measured {
  readonly count: number;
  readonly places: readonly string[];
}

/** A rule that old code may still break, to the extent that the list allows. */
export interface LimitRule {
  /** Under which heading of the list its entries are. */
  readonly list: string;
  /** How much may be there of what the list does not name. */
  readonly limit: number;
  readonly rule: string;
  readonly why: string;
  readonly fix: string;
  /** Everything above the limit, by name. Names hold no folder, so that moving a file changes none. */
  measure(project: Project): ReadonlyMap<string, Measured>;
}

export function readAllowed(root: string): Allowed {
  return JSON.parse(readFileSync(join(root, PATH), "utf8"));
}

const SHOWN_PLACES = 8;

/** The rule that nothing is above its limit, or above what the list allows it. Places in changed files are shown first. */
export function limited({ list, limit, measure, ...said }: LimitRule, allowed: Allowed): Rule {
  return {
    ...said,
    find: (project) =>
      [...measure(project)].flatMap(([name, { count, places }]) => {
        const most = allowed[list]?.[name] ?? limit;
        if (count <= most) return [];
        const inChanged = places.filter((place) => project.changed.has(place.replace(/:.*/, "")));
        const shown = (inChanged.length > 0 ? inChanged : places).slice(0, SHOWN_PLACES);
        return [`${name}: ${count}, at most ${most}`, ...shown.map((place) => `    ${place}`)];
      }),
  };
}

/** The list with each entry as low as the code allows by now; entries that are no longer needed are left out. */
export function lowered(rules: readonly LimitRule[], project: Project, allowed: Allowed): Allowed {
  const entries = rules.map(({ list, measure }) => {
    const measured = measure(project);
    const kept = Object.entries(allowed[list] ?? {}).flatMap(([name, most]): [string, number][] => {
      const count = measured.get(name)?.count;
      return count === undefined ? [] : [[name, Math.min(most, count)]];
    });
    return [list, Object.fromEntries(kept)];
  });
  return Object.fromEntries(entries);
}

/** Everything above its limit as it is now; for the moment in which a rule comes, or after a merge. */
export function measured(rules: readonly LimitRule[], project: Project): Allowed {
  return Object.fromEntries(
    rules.map(({ list, measure }) => {
      const counts = [...measure(project)].map(([name, { count }]): [string, number] => [name, count]);
      return [list, Object.fromEntries(counts.sort(([one], [other]) => (one < other ? -1 : 1)))];
    }),
  );
}

/** Writes the list; true where that changed it. */
export function writeAllowed(root: string, allowed: Allowed): boolean {
  const text = `${JSON.stringify(allowed, null, 2)}\n`;
  if (readFileSync(join(root, PATH), "utf8") === text) return false;
  writeFileSync(join(root, PATH), text);
  return true;
}

/** The entries of `now` that `before` had lower or not at all. A list that `before` did not have at all is new with its rule. */
export function grown(before: Allowed, now: Allowed): string[] {
  return Object.entries(now).flatMap(([list, entries]) => {
    const earlier = before[list];
    if (earlier === undefined) return [];
    return Object.entries(entries)
      .filter(([name, most]) => most > (earlier[name] ?? 0))
      .map(([name, most]) => `${list}.${name}: ${most}, was ${earlier[name] ?? "not in the list"}`);
  });
}

/** The rule that the list does not grow from one commit to the next. */
export function neverGrows(root: string, allowed: Allowed): Rule {
  return {
    rule: `Entries of ${PATH} are not raised, and none is added.`,
    why: "The list is there to get rid of what is in it.",
    fix: "Take the entry back and shorten or rename instead. After a merge: npm run check:after-merge.",
    find: () => {
      const before = isMerging(root) ? null : committed(root);
      return before === null ? [] : grown(before, allowed);
    },
  };
}

/** Whether a merge is under way, or was the last commit: two lists that both shrank may be above either. */
export function isMerging(root: string): boolean {
  return (
    git(root, "rev-parse", "-q", "--verify", "MERGE_HEAD") !== null ||
    git(root, "rev-parse", "-q", "--verify", "HEAD^2") !== null
  );
}

/** The list of the last commit; null outside a repository, and where that commit had none. */
function committed(root: string): Allowed | null {
  const text = git(root, "show", `HEAD:${PATH}`);
  return text === null ? null : JSON.parse(text);
}
