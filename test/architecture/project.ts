import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** The repository's own text: TypeScript and Markdown by path, and the paths of everything else. */
export interface Project {
  readonly texts: ReadonlyMap<string, string>;
  readonly hasPath: (path: string) => boolean;
  /** Files that differ from the last commit. */
  readonly changed: ReadonlySet<string>;
}

/** What the service runs on; rules for all of it have this scope. */
export const SOURCE_FOLDERS = ["src", "auth", "tools", "well-known"] as const;

/** Programs that test or measure the service. */
export const TEST_FOLDERS = ["test", "bench", "evals", "torture", "dev", "docs"] as const;

const LEFT_OUT = /(^|\/)(node_modules|data|results|\.screenshots)(\/|$)/;
/** The rules hold what they look for. */
const RULES_THEMSELVES = "test/architecture";

/** Reads the repository below `root`; a few milliseconds for each hundred files. */
export function readProject(root: string): Project {
  const paths = new Set<string>();
  const texts = new Map<string, string>();
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (entry.name === ".git" || LEFT_OUT.test(entry.name)) continue;
    const below = entry.isDirectory()
      ? readdirSync(join(root, entry.name), { withFileTypes: true, recursive: true })
      : [];
    for (const found of [entry, ...below]) {
      const path = relative(root, join(found.parentPath, found.name));
      if (LEFT_OUT.test(path)) continue;
      paths.add(path);
      if (found.isFile() && /\.(ts|md)$/.test(path)) texts.set(path, readFileSync(join(root, path), "utf8"));
    }
  }
  const changed = new Set(
    git(root, "status", "--porcelain", "-uall", "--no-renames")
      ?.split("\n")
      .map((line) => line.slice(3)),
  );
  return { texts, hasPath: (path) => paths.has(path.replace(/\/$/, "")), changed };
}

/** What git says; null where it is not installed, there is no repository, or it has nothing to say. */
export function git(root: string, ...args: string[]): string | null {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return null;
  }
}

/** The TypeScript files of some folders, as [path, text]. */
export function sourcesIn(project: Project, folders: readonly string[] = SOURCE_FOLDERS): [string, string][] {
  return [...project.texts].filter(
    ([path]) =>
      path.endsWith(".ts") && folders.some((folder) => within(path, folder)) && !path.startsWith(RULES_THEMSELVES),
  );
}

/** Whether `path` is `place`, or a file below that folder. */
export const within = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

/** What a source text imports, as it is written there. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(/^(?:import|export)[^"']*?from "([^"]+)"|^import "([^"]+)"|import\("([^"]+)"\)/gm)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
}

/** The files of the repository that the file at `path` imports. */
export function localImports(path: string, text: string): string[] {
  return importsOf(text)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => relative("/", resolve("/", dirname(path), specifier)))
    .filter((target) => target.endsWith(".ts"));
}

/** Where in a file: `path:line`. */
export function at(path: string, text: string, index: number): string {
  return `${path}:${text.slice(0, index).split("\n").length}`;
}
