import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../../src/core/shared/json-schema.ts";
import { installationPlugin, pluginManifests } from "../../src/listing/plugin.ts";
import { skills } from "../../src/listing/skills.ts";
import { prompts } from "../../src/mcp/prompts/index.ts";
import { staticResources } from "../../src/mcp/resources/index.ts";
import { tools } from "../../tools/index.ts";
import { terminalOn } from "../admin/support.ts";
import { testCore } from "../support/core.ts";
import { A_STORE } from "../support/thorough.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const toolNamed = (name: string) => tools.find((tool) => tool.name === name);

/** Every field that a schema has anywhere. */
function* fieldsOf({ properties = {}, items }: JsonSchema): Generator<string> {
  for (const [name, schema] of Object.entries(properties)) {
    yield name;
    yield* fieldsOf(schema);
  }
  if (items !== undefined) yield* fieldsOf(items);
}

const FIELDS = new Set(tools.flatMap(({ input, output }) => [...fieldsOf(input), ...fieldsOf(output)]));
const VALUES = new Set(
  tools
    .flatMap(({ input, output }) => JSON.stringify([input, output]).match(/"[a-z_]+"/g) ?? [])
    .map((text) => text.slice(1, -1)),
);

/** What a skill's text says that is not so: tools, arguments, values, fields or prompts that do not exist. */
function untruths(text: string): string[] {
  const found: string[] = [];
  for (const [, name = "", written = ""] of text.matchAll(
    /`((?:[a-z]+_)+[a-z]+)` (?:with|once for each of) ([^\n]*)/g,
  )) {
    const properties = toolNamed(name)?.input.properties;
    if (properties === undefined) {
      found.push(name);
      continue;
    }
    // Only the arguments of this call: another named further on has its own.
    const [own = ""] = written.split("`");
    for (const [, argument = "", value = ""] of own.matchAll(/\b([a-z_]+)=(<[^>]*>|[\w.]+)/g)) {
      const schema = properties[argument];
      if (schema === undefined) found.push(`${name} ${argument}`);
      else if (schema.enum !== undefined && !value.startsWith("<") && !schema.enum.map(String).includes(value))
        found.push(`${name} ${argument}=${value}`);
      else if (schema.type === "integer" && !value.startsWith("<") && !(Number(value) <= (schema.maximum ?? 0)))
        found.push(`${name} ${argument}=${value}`);
    }
  }
  for (const [, name = ""] of text.matchAll(/[Pp]rompts? `([a-z_]+)`/g))
    if (!prompts.some((prompt) => prompt.name === name)) found.push(`prompt ${name}`);
  for (const [, quoted = ""] of text.matchAll(/`([a-z_.]+)`/g)) {
    const known = (name: string) => FIELDS.has(name) || VALUES.has(name);
    const isName = toolNamed(quoted) !== undefined || prompts.some(({ name }) => name === quoted);
    if (!isName && !quoted.split(".").every(known)) found.push(quoted);
  }
  return found;
}

/** Frontmatter as the Agent Skills specification has it: name and description, and little else. */
const Frontmatter = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(64),
  description: z.string().min(1).max(1024),
});

function frontmatterOf(file: string) {
  const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(file, "utf8")) ?? [];
  const lines = head.split("\n").map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []);
  return Frontmatter.parse(Object.fromEntries(lines));
}

const Manifest = z.looseObject({
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string().max(200),
  skills: z.string().optional(),
  mcpServers: z.string().optional(),
});

/** Loads a folder as these programs do: the manifest, its skills (in `skills/` by default) and its servers. */
function load(folder: string, manifest: string) {
  const { skills: path = "./skills/", mcpServers } = Manifest.parse(
    JSON.parse(readFileSync(join(folder, manifest), "utf8")),
  );
  // Codex takes no path without this start, nor the folder itself.
  expect(path).toMatch(/^\.\/[a-z]/);
  const found = readdirSync(join(folder, path)).filter((name) => existsSync(join(folder, path, name, "SKILL.md")));
  const servers = mcpServers ?? (existsSync(join(folder, ".mcp.json")) ? ".mcp.json" : undefined);
  return {
    skills: found.map((name) => ({ folder: name, ...frontmatterOf(join(folder, path, name, "SKILL.md")) })),
    servers: servers === undefined ? null : JSON.parse(readFileSync(join(folder, servers), "utf8")),
  };
}

/** The closed formats of Agent Plugins 1.0.0, as far as ours use them. */
const AgentPlugin = z.strictObject({
  $schema: z.literal("https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"),
  name: z
    .string()
    .max(64)
    .regex(/^(?!.*(--|\.\.))[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/),
  version: z.string(),
  description: z.string(),
  homepage: z.string(),
  keywords: z.array(z.string()),
});
const AgentPluginServers = z.strictObject({
  $schema: z.literal("https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"),
  mcpServers: z.record(z.string(), z.strictObject({ type: z.literal("streamable-http"), url: z.url() })),
});

const MANIFESTS = [".claude-plugin/plugin.json", ".codex-plugin/plugin.json", ".cursor-plugin/plugin.json"];
const NAMES = ["collections-worklist", "month-end", "receivables-review"];

describe("skills", () => {
  it("are the three jobs, each short [listing.skills]", () => {
    expect(skills.map(({ name }) => name)).toEqual(NAMES);
    for (const { name, text } of skills) {
      expect(text.length, name).toBeLessThan(4_500);
      expect(text, name).toMatch(/never add two currencies/i);
      expect(text, name).toMatch(/`last_successful_sync_at`/);
      expect(text, name).toMatch(/`business_date`/);
    }
  });

  it.each(skills)("$name tells only of what exists [listing.skills]", ({ text }) => {
    expect(untruths(text)).toEqual([]);
  });

  it("that name what does not exist are found [listing.skills]", () => {
    for (const [text, untruth] of [
      ["Call `list_debts` with limit=5", "list_debts"],
      ["Call `list_invoices` with overdue_only=true", "list_invoices overdue_only"],
      ["Call `list_invoices` with sort=amount_desc", "list_invoices sort=amount_desc"],
      ["Call `list_invoices` with limit=1000", "list_invoices limit=1000"],
      [
        "Call `list_payments` once for each of erp_push_status=held and erp_push_status=lost",
        "list_payments erp_push_status=lost",
      ],
      ["The prompt `cash_review` does it", "prompt cash_review"],
      ["Read `days_late` of each", "days_late"],
      ["Group by `customer.key`", "customer.key"],
    ] as const)
      expect(untruths(text)).toContain(untruth);
  });

  it("are resources, word for word [listing.skill-resources]", () => {
    const served = staticResources(() => "").filter(({ uri }) => uri.startsWith("skill://"));
    expect(served.map(({ uri, read }) => [uri, read()])).toEqual(
      NAMES.map((name) => [`skill://${name}/SKILL.md`, readFileSync(join(ROOT, "skills", name, "SKILL.md"), "utf8")]),
    );
  });
});

describe("the plugin", () => {
  it("manifests in the repository are what `node docs/plugin.ts` writes [listing.plugin]", () => {
    const files = pluginManifests();
    expect(Object.keys(files)).toEqual(MANIFESTS);
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(ROOT, path), "utf8"), path).toBe(text);
  });

  it.each(MANIFESTS)("is the repository, as %s tells of it [listing.plugin]", (manifest) => {
    const { skills: loaded, servers } = load(ROOT, manifest);
    expect(loaded.map(({ folder, name }) => [folder, name])).toEqual(NAMES.map((name) => [name, name]));
    expect(servers).toBeNull();
  });

  it("of an installation is a folder with its address, loaded by each program [listing.plugin]", async () => {
    const [store] = A_STORE;
    if (store === undefined) throw new Error("no store");
    const opened = await store.open();
    const parent = mkdtempSync(join(tmpdir(), "receivables-plugin-"));
    const folder = join(parent, "plugin");
    const run = terminalOn(testCore(opened.store));
    const { code, err } = await run(`plugin write --to ${folder}`);
    expect(code, err).toBe(0);
    for (const manifest of MANIFESTS) {
      const { skills: loaded, servers } = load(folder, manifest);
      expect(loaded.map(({ name }) => name)).toEqual(NAMES);
      expect(servers).toEqual({ mcpServers: { receivables: { type: "http", url: "http://localhost:3000/mcp" } } });
    }
    const again = await run(`plugin write --to ${folder}`);
    expect([again.code, again.err]).toEqual([1, `error: ${folder} exists already.\n`]);
    rmSync(parent, { recursive: true });
    await opened.remove();
  });

  it("of an installation is a valid Agent Plugin 1.0.0 [listing.plugin]", () => {
    const files = installationPlugin("https://ar.example.com", { supportUrl: "https://example.com/help" });
    expect(AgentPlugin.parse(JSON.parse(files["plugin.json"] ?? "")).homepage).toBe("https://example.com/help");
    const { mcpServers } = AgentPluginServers.parse(JSON.parse(files["mcp.json"] ?? ""));
    expect(mcpServers.receivables?.url).toBe("https://ar.example.com/mcp");
  });
});
