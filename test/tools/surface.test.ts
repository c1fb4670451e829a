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

const CASES: readonly [what: string, kind: Change["kind"], path: string, change: Parameters<typeof changed>[0]][] = [
  ["an argument removed", "breaking", "list input.state", ({ arg }) => delete arg.state],
  ["an argument added", "additive", "list input.more", ({ arg }) => Object.assign(arg, { more: { type: "string" } })],
  [
    "a required argument added",
    "breaking",
    "list input.more",
    ({ arg, input }) => {
      Object.assign(arg, { more: { type: "string" } });
      Object.assign(input, { required: ["id", "more"] });
    },
  ],
  [
    "an argument made required",
    "breaking",
    "list input.state required",
    ({ input }) => Object.assign(input, { required: ["id", "state"] }),
  ],
  [
    "an argument made optional",
    "additive",
    "list input.id required",
    ({ input }) => Object.assign(input, { required: [] }),
  ],
  [
    "a choice taken away",
    "breaking",
    "list input.state enum",
    ({ arg }) => Object.assign(arg.state ?? {}, { enum: ["open"] }),
  ],
  ["a choice more", "additive", "list input.state enum", ({ arg }) => arg.state?.enum?.push("void")],
  [
    "choices where any value went",
    "breaking",
    "list input.id enum",
    ({ arg }) => Object.assign(arg.id ?? {}, { enum: ["a"] }),
  ],
  [
    "another type",
    "breaking",
    "list input.state type",
    ({ arg }) => Object.assign(arg.state ?? {}, { type: "integer" }),
  ],
  [
    "a type more",
    "additive",
    "list input.state type",
    ({ arg }) => Object.assign(arg.state ?? {}, { type: ["string", "null"] }),
  ],
  [
    "a lower maximum",
    "breaking",
    "list input.limit maximum",
    ({ arg }) => Object.assign(arg.limit ?? {}, { maximum: 50 }),
  ],
  [
    "a higher maximum",
    "additive",
    "list input.limit maximum",
    ({ arg }) => Object.assign(arg.limit ?? {}, { maximum: 200 }),
  ],
  [
    "a higher minimum",
    "breaking",
    "list input.limit minimum",
    ({ arg }) => Object.assign(arg.limit ?? {}, { minimum: 2 }),
  ],
  ["no maximum", "additive", "list input.ids maxItems", ({ arg }) => delete arg.ids?.maxItems],
  [
    "another default",
    "breaking",
    "list input.limit default",
    ({ arg }) => Object.assign(arg.limit ?? {}, { default: 50 }),
  ],
  ["another format", "breaking", "list input.id format", ({ arg }) => Object.assign(arg.id ?? {}, { format: "uri" })],
  [
    "a keyword nobody thought of",
    "breaking",
    "list input.id multipleOf",
    ({ arg }) => Object.assign(arg.id ?? {}, { multipleOf: 2 }),
  ],
  [
    "items of another type",
    "breaking",
    "list input.ids[] type",
    ({ arg }) => Object.assign(arg.ids?.items ?? {}, { type: "integer" }),
  ],
  ["a field removed", "breaking", "list output.data[].note", ({ row: { properties } }) => delete properties?.note],
  [
    "a field added",
    "additive",
    "list output.data[].more",
    ({ row: one }) => Object.assign(one.properties ?? {}, { more: { type: "string" } }),
  ],
  [
    "a field that may be missing",
    "breaking",
    "list output.data[].id required",
    ({ row: one }) => Object.assign(one, { required: [] }),
  ],
  [
    "a field that always comes",
    "additive",
    "list output.data[].note required",
    ({ row: one }) => void one.required?.push("note"),
  ],
  [
    "a field that may be null",
    "breaking",
    "list output.data[].id type",
    ({ row: { properties } }) => Object.assign(properties?.id ?? {}, { type: ["string", "null"] }),
  ],
  [
    "a field never null again",
    "additive",
    "list output.data[].note type",
    ({ row: { properties } }) => Object.assign(properties?.note ?? {}, { type: "string" }),
  ],
  [
    "a value more to expect",
    "breaking",
    "list output.data[].state enum",
    ({ row: { properties } }) => properties?.state?.enum?.push("void"),
  ],
  [
    "a value less to expect",
    "additive",
    "list output.data[].state enum",
    ({ row: { properties } }) => properties?.state?.enum?.pop(),
  ],
  [
    "no longer read-only",
    "breaking",
    "list readOnlyHint",
    (tool) => Object.assign(tool, { annotations: { ...tool.annotations, readOnlyHint: false } }),
  ],
  [
    "destructive",
    "breaking",
    "list destructiveHint",
    (tool) => Object.assign(tool, { annotations: { ...tool.annotations, destructiveHint: true } }),
  ],
  ["another scope", "breaking", "list scope", (tool) => Object.assign(tool, { scope: "tasks:write" })],
  ["for admins only", "breaking", "list admin", (tool) => Object.assign(tool, { admin: true })],
];

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
