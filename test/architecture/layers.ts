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
  ["src/certificate-problem.ts", "src/encryption-key.ts", "src/start-problem.ts"],
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

function circles(project: Project): string[] {
  const targets = new Map(sourcesIn(project).map(([path, text]) => [path, localImports(path, text)]));
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
    find: circles,
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
