import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../src/core/kernel/json-schema.ts";
import { type Change, changesBetween } from "./surface/changes.ts";
import { currentSurface, releasedSurface, type Surface, type ToolSurface } from "./surface/surface.ts";

const CHANGELOG = readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8");

/** Breaking changes that the changelog names, as `**Breaking**: `list_invoices input.currency` …`, since the last release. */
function namedIn(changelog: string): string[] {
  const [, unreleased = ""] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  return [...unreleased.matchAll(/\*\*Breaking\*\*: `([^`]+)`/g)].map(([, path = ""]) => path);
}

const unnamed = (changes: readonly Change[], named: readonly string[]) =>
  changes.filter(({ kind, path }) => kind === "breaking" && !named.includes(path));

describe("the surface of the tools", () => {
  it("has no breaking change since the last release that the changelog does not name [listing.surface]", () => {
    const changes = changesBetween(releasedSurface().tools, currentSurface());
    expect(unnamed(changes, namedIn(CHANGELOG))).toEqual([]);
  });

  it("may break where the changelog says what, in its part about the next release only [listing.surface]", () => {
    const change: Change = { path: "list_invoices input.currency", kind: "breaking", what: "removed" };
    const line = "- **Breaking**: `list_invoices input.currency` is gone: use `currencies`.";
    const changelog = (unreleased: string, released: string) =>
      `# Changelog\n\n## [Unreleased]\n\n${unreleased}\n\n## [0.1.0]\n\n${released}\n`;
    expect(unnamed([change], namedIn(changelog(line, "")))).toEqual([]);
    expect(unnamed([change], namedIn(changelog("", line)))).toEqual([change]);
  });
});

const row: JsonSchema = {
  type: "object",
  properties: {
    id: { type: "string" },
    state: { type: "string", enum: ["open", "paid"] },
    note: { type: ["string", "null"] },
  },
  required: ["id"],
};
const TOOL: ToolSurface = {
  scope: "receivables:read",
  admin: false,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: {
    type: "object",
    properties: {
      id: { type: "string", format: "uuid" },
      state: { type: "string", enum: ["open", "paid"] },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 25 },
      ids: { type: "array", items: { type: "string" }, maxItems: 5 },
    },
    required: ["id"],
    additionalProperties: false,
  },
  output: { type: "object", properties: { data: { type: "array", items: row } }, required: ["data"] },
};

/** The tool's copy, changed. */
function changed(change: (tool: ToolSurface & Editable) => unknown): Change[] {
  const copy = structuredClone(TOOL);
  change(Object.assign(copy, { arg: copy.input.properties ?? {}, row: copy.output.properties?.data?.items ?? {} }));
  const { scope, admin, annotations, input, output } = copy;
  return changesBetween({ list: TOOL }, { list: { scope, admin, annotations, input, output } });
}

interface Editable {
  arg: Record<string, JsonSchema>;
  row: JsonSchema;
}

type Edit = Parameters<typeof changed>[0];
const ofArg =
  (name: string, patch: JsonSchema): Edit =>
  ({ arg }) =>
    Object.assign(arg[name] ?? {}, patch);
const ofField =
  (name: string, patch: JsonSchema): Edit =>
  ({ row: { properties } }) =>
    Object.assign(properties?.[name] ?? {}, patch);
const ofTool =
  (patch: Partial<ToolSurface>): Edit =>
  (tool) =>
    Object.assign(tool, patch);
const needing =
  (...required: string[]): Edit =>
  ({ input }) =>
    Object.assign(input, { required });
const more = { more: { type: "string" } } as const;

const CASES: readonly [what: string, kind: Change["kind"], path: string, change: Edit][] = [
  ["an argument removed", "breaking", "list input.state", ({ arg }) => delete arg.state],
  ["an argument added", "additive", "list input.more", ({ arg }) => Object.assign(arg, more)],
  [
    "a required argument added",
    "breaking",
    "list input.more",
    (tool) => [Object.assign(tool.arg, more), needing("id", "more")(tool)],
  ],
  ["an argument made required", "breaking", "list input.state required", needing("id", "state")],
  ["an argument made optional", "additive", "list input.id required", needing()],
  ["a choice taken away", "breaking", "list input.state enum", ofArg("state", { enum: ["open"] })],
  ["a choice more", "additive", "list input.state enum", ({ arg }) => arg.state?.enum?.push("void")],
  ["choices where any value went", "breaking", "list input.id enum", ofArg("id", { enum: ["a"] })],
  ["another type", "breaking", "list input.state type", ofArg("state", { type: "integer" })],
  ["a type more", "additive", "list input.state type", ofArg("state", { type: ["string", "null"] })],
  ["a lower maximum", "breaking", "list input.limit maximum", ofArg("limit", { maximum: 50 })],
  ["a higher maximum", "additive", "list input.limit maximum", ofArg("limit", { maximum: 200 })],
  ["a higher minimum", "breaking", "list input.limit minimum", ofArg("limit", { minimum: 2 })],
  ["no maximum", "additive", "list input.ids maxItems", ({ arg }) => delete arg.ids?.maxItems],
  ["another default", "breaking", "list input.limit default", ofArg("limit", { default: 50 })],
  ["another format", "breaking", "list input.id format", ofArg("id", { format: "uri" })],
  ["a keyword nobody thought of", "breaking", "list input.id multipleOf", ofArg("id", { multipleOf: 2 })],
  ["items of another type", "breaking", "list input.ids[] type", ofArg("ids", { items: { type: "integer" } })],
  ["a field removed", "breaking", "list output.data[].note", ({ row: { properties } }) => delete properties?.note],
  ["a field added", "additive", "list output.data[].more", (tool) => Object.assign(tool.row.properties ?? {}, more)],
  ["one that may be missing", "breaking", "list output.data[].id required", (tool) => tool.row.required?.pop()],
  ["one that always comes", "additive", "list output.data[].note required", (tool) => tool.row.required?.push("note")],
  ["one that may be null", "breaking", "list output.data[].id type", ofField("id", { type: ["string", "null"] })],
  ["one never null again", "additive", "list output.data[].note type", ofField("note", { type: "string" })],
  ["a value more", "breaking", "list output.data[].state enum", ofField("state", { enum: ["open", "paid", "void"] })],
  ["a value less to expect", "additive", "list output.data[].state enum", ofField("state", { enum: ["open"] })],
  ["no longer read-only", "breaking", "list readOnlyHint", (tool) => hint(tool, { readOnlyHint: false })],
  ["destructive", "breaking", "list destructiveHint", (tool) => hint(tool, { destructiveHint: true })],
  ["another scope", "breaking", "list scope", ofTool({ scope: "tasks:write" })],
  ["for admins only", "breaking", "list admin", ofTool({ admin: true })],
];

const hint = (tool: ToolSurface, patch: Partial<ToolSurface["annotations"]>): ToolSurface =>
  Object.assign(tool, { annotations: { ...tool.annotations, ...patch } });

describe("the classes of changes", () => {
  it.each(CASES)("%s is %s: %s [listing.surface]", (_what, kind, path, change) => {
    expect(changed(change).map((one) => [one.kind, one.path])).toContainEqual([kind, path]);
    expect(changed(change).filter((one) => one.kind !== kind && kind === "additive")).toEqual([]);
  });

  it("are of nothing where nothing changed, and of tools that come and go [listing.surface]", () => {
    const all: Surface = { list: TOOL };
    expect(changesBetween(all, structuredClone(all))).toEqual([]);
    expect(changesBetween(all, {})).toEqual([{ path: "list", kind: "breaking", what: "tool removed" }]);
    expect(changesBetween({}, all)).toEqual([{ path: "list", kind: "additive", what: "tool added" }]);
  });

  it("find every argument and field of the real tools that is taken away [listing.surface]", () => {
    const before = currentSurface();
    let taken = 0;
    for (const [name, tool] of Object.entries(before))
      for (const side of ["input", "output"] as const)
        for (const field of Object.keys(tool[side].properties ?? {})) {
          const after = structuredClone(before);
          delete after[name]?.[side].properties?.[field];
          const found = changesBetween(before, after).filter(({ kind }) => kind === "breaking");
          expect(found.map(({ path }) => path)).toContain(`${name} ${side}.${field}`);
          taken += 1;
        }
    expect(taken).toBeGreaterThan(200);
  });
});
