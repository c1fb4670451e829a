import { importsOf, localImports, type Project, sourcesIn, within } from "./project.ts";
import type { Rule } from "./rule.ts";

/** The layers, from the top down (ARCHITECTURE.md): an import goes to a lower layer, or stays in its own place. */
const LAYERS: ReadonlyArray<readonly string[]> = [
  ["src/main.ts"],
  ["src/service.ts"],
  ["src/composition.ts", "src/start-warnings.ts", "src/summary.ts"],
  ["src/assistant-route.ts", "src/token-issuer.ts"],
  ["src/rest", "src/mcp", "src/views", "src/web", "src/admin", "src/demo", "src/http", "src/telemetry", "well-known"],
  ["tools", "auth", "src/jobs", "src/listing"],
  ["src/core", "src/simulators"],
  ["src/gateways", "src/store"],
  [
    "src/certificate-problem.ts",
    "src/encryption-key.ts",
    "src/erp-reasons.ts",
    "src/start-problem.ts",
    "src/fair-turns.ts",
    "src/request-body.ts",
    "src/uuid.ts",
  ],
  ["src/config.ts", "src/signals.ts"],
  ["src/settings.ts"],
  ["src/database-url.ts", "src/registry-proof.ts"],
];

/** Programs of their own, which may import from any layer. */
const PROGRAMS = ["src/admin/main.ts", "src/simulators/fusion/main.ts"];

/** Shared by the routes of its own layer. */
const SHARED_BY_ROUTES = ["src/http"];

const layerOf = (path: string): number => LAYERS.findIndex((places) => places.some((place) => within(path, place)));
const placeOf = (path: string): string => LAYERS.flat().find((place) => within(path, place)) ?? "";

function isUpward(path: string, target: string): boolean {
  if (layerOf(target) !== layerOf(path)) return layerOf(target) < layerOf(path);
  return placeOf(path) !== placeOf(target) && !SHARED_BY_ROUTES.some((place) => within(target, place));
}

/** The folders of `src/core`, from the lowest up: an import goes to a lower folder, or stays in its own. */
const CORE_FOLDERS = [
  ...["kernel", "gate", "collection", "workspace", "provider-access", "erp-access", "attention-items", "mail", "tasks"],
  ...["payment-links", "invoices", "customers", "aging", "payments", "sync-runs", "workflows", "payment-integrations"],
  ...["erp-connections", "attention", "audit-trail", "accounts", "backups"],
];

/** The folder of `src/core` that a file is in; undefined for any other file. */
const coreFolderOf = (path: string): string | undefined => /^src\/core\/([^/]+)\//.exec(path)?.[1];

/** How high a folder of `src/core` is; one that is not listed is above all. */
function coreFloor(folder: string): number {
  const floor = CORE_FOLDERS.indexOf(folder);
  return floor === -1 ? CORE_FOLDERS.length : floor;
}

/** What each of the folders of one parent imports of the others, by the parent's path; those of `src` have their layers. */
function siblings(project: Project): Map<string, Map<string, string[]>> {
  const parents = new Map<string, Map<string, string[]>>();
  for (const [path, text] of sourcesIn(project))
    for (const target of localImports(path, text)) {
      const [from, to] = [path.split("/"), target.split("/")];
      const depth = from.findIndex((name, index) => name !== to[index]);
      // Both are folders, not files of their common parent.
      if (depth < 1 || depth >= from.length - 1 || depth >= to.length - 1) continue;
      const parent = from.slice(0, depth).join("/");
      if (parent === "src") continue;
      const folders = parents.get(parent) ?? new Map<string, string[]>();
      const [own, other] = [from[depth] ?? "", to[depth] ?? ""];
      parents.set(parent, folders.set(own, [...new Set([...(folders.get(own) ?? []), other])]));
    }
  return parents;
}

function circlesOf(targets: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (done.has(path) || trail.includes(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return found;
}

interface Forbidden {
  readonly where: string;
  readonly what: RegExp;
  readonly named: string;
  readonly why: string;
  readonly fix: string;
}

const FORBIDDEN: readonly Forbidden[] = [
  {
    where: "src/core",
    what: /^(express|@modelcontextprotocol|oidc-provider|helmet|pg$|node:http)/,
    named: "HTTP, MCP, OAuth or database packages",
    why: "Operations serve REST, assistants, pages and the terminal alike, so they know none of these protocols.",
    fix: "Move what needs the package to src/rest, src/mcp, src/web, auth or src/store, and pass plain values to the core.",
  },
  {
    where: "tools",
    what: /^(\.\.\/auth|\.\.\/src\/(rest|store|web))/,
    named: "auth, src/rest, src/store or src/web",
    why: "A tool adds a name and a description to an operation; anything more would be a second set of rules.",
    fix: "Put the work into an operation in src/core and pass that to `tool()`.",
  },
  ...["src/rest", "src/mcp"].map((where) => ({
    where,
    what: /src\/store|\.\.\/store/,
    named: "src/store",
    why: "Only operations check permission, scope and tenant before they read or write.",
    fix: "Call an operation; where there is none for it, add one (CONTRIBUTING.md, “Add an operation”).",
  })),
];

export const LAYER_RULES: readonly Rule[] = [
  {
    rule: "Every source file belongs to a layer.",
    why: "A file outside the layers could import anything.",
    fix: "Move the file into a folder of LAYERS in test/architecture/layers.ts, or add its folder there and in ARCHITECTURE.md.",
    find: (project) =>
      sourcesIn(project)
        .map(([path]) => path)
        .filter((path) => layerOf(path) === -1),
  },
  {
    rule: "Imports go down the layers only.",
    why: "A lower layer that knows a higher one cannot be tested or replaced without it.",
    fix: "Pass what the lower layer needs as a function or a value, or move the code down (ARCHITECTURE.md, “Layers”).",
    find: (project) =>
      sourcesIn(project)
        .filter(([path]) => !PROGRAMS.includes(path))
        .flatMap(([path, text]) =>
          localImports(path, text)
            .filter((target) => isUpward(path, target))
            .map((target) => `${path} → ${target}`),
        ),
  },
  {
    rule: "No files import one another in a circle.",
    why: "What is loaded first then depends on who starts, and a constant may be undefined when it is read.",
    fix: "Move what both files need into a third one.",
    find: (project) => circlesOf(new Map(sourcesIn(project).map(([path, text]) => [path, localImports(path, text)]))),
  },
  {
    rule: "No two folders of one parent import each other, straight or in a circle.",
    why: "A folder that others import and that imports them cannot be read, or changed, without all of them.",
    fix: "Move what both need into a lower folder, or pass it in where they are put together.",
    find: (project) =>
      [...siblings(project)].flatMap(([parent, folders]) => circlesOf(folders).map((circle) => `${parent}: ${circle}`)),
  },
  {
    rule: "Folders of src/core import lower ones only, in the order of CORE_FOLDERS.",
    why: "To understand a folder takes those below it, and no other.",
    fix: "Move the code down, hand it down as a function, or find the new folder's place in CORE_FOLDERS (test/architecture/layers.ts) and ARCHITECTURE.md.",
    find: (project) =>
      sourcesIn(project, ["src/core"]).flatMap(([path, text]) => {
        const own = coreFolderOf(path);
        if (own === undefined || !CORE_FOLDERS.includes(own)) return [`${path}: its folder is not listed`];
        return localImports(path, text)
          .filter((target) => coreFloor(coreFolderOf(target) ?? own) > coreFloor(own))
          .map((target) => `${path} → ${target}`);
      }),
  },
  ...FORBIDDEN.map(({ where, what, named, why, fix }) => ({
    rule: `${where} imports nothing from ${named}.`,
    why,
    fix,
    find: (project: Project) =>
      sourcesIn(project, [where]).flatMap(([path, text]) =>
        importsOf(text)
          .filter((specifier) => what.test(specifier))
          .map((specifier) => `${path} → ${specifier}`),
      ),
  })),
];
