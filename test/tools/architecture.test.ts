import { readdirSync } from "node:fs";
import { join } from "node:path";
import { countTokens as tokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SCOPES, type Scope } from "../../src/core/gate/actor.ts";
import { mcpMethods } from "../../src/mcp/server.ts";
import { tools } from "../../tools/index.ts";
import { INSTRUCTIONS } from "../../tools/instructions.ts";
import { assistant, memoryLog, rpc, send, startEndpoint } from "../mcp/support.ts";

/** What stands in the folder and is no tool. */
const SUPPORT =
  "callable fields idempotency-key index instructions page-budget schemas sent-arguments shared-fields tool views"
    .split(" ")
    .map((name) => `${name}.ts`);

const FOLDER = join(import.meta.dirname, "../../tools");
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".ts") && !SUPPORT.includes(name));

/** Every schema inside a schema, by its path. */
function* schemasIn(value: unknown, path: string): Generator<[path: string, schema: Record<string, unknown>]> {
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  if (!parsed.success) return;
  yield [path, parsed.data];
  for (const [key, inner] of Object.entries(parsed.data)) yield* schemasIn(inner, `${path}.${key}`);
}

/** One of several schemas, or what is defined elsewhere. */
const COMPOUND = ["anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "$schema"];

/** What some hosts refuse in arguments, mostly with all tools at once, and a report of each. */
const REFUSED: readonly { what: string; source: string; has(schema: Record<string, unknown>): boolean }[] = [
  {
    what: "a union or a reference: Gemini, Claude",
    source: "google-gemini/gemini-cli#13326, opentokenz/mcpx#28",
    has: (schema) => COMPOUND.some((keyword) => keyword in schema),
  },
  {
    what: "a list of types: Gemini",
    source: "github/copilot-cli#4623",
    has: ({ type }) => Array.isArray(type),
  },
  {
    what: "a list of anything: Gemini",
    source: "backstage/backstage#34038",
    has: ({ type, items }) => type === "array" && items === undefined,
  },
  {
    what: "a pattern with \\d, \\w, \\s, \\/ or another escape that is no literal: llama.cpp",
    source: "ggml-org/llama.cpp#27580, ggml-org/llama.cpp#27397",
    has: ({ pattern = "" }) => /\\[^^$.[\]()|{}*+?]/.test(String(pattern)),
  },
  {
    what: "a pattern that looks ahead or behind: OpenAI",
    source: "Dokploy/mcp#45",
    has: ({ pattern = "" }) => /\(\?<?[=!]/.test(String(pattern)),
  },
  {
    what: "a length from 2,000 on: llama.cpp",
    source: "ggml-org/llama.cpp#17473, ggml-org/llama.cpp#27087",
    has: ({ minLength = 0, maxLength = 0, minItems = 0, maxItems = 0 }) =>
      [minLength, maxLength, minItems, maxItems].some((bound) => Number(bound) >= 2_000),
  },
];

describe("the tools", () => {
  it("stand one in a file that has its name, and all are registered [completions.3.tools]", async () => {
    const named = files.map((file) => file.replace(/\.ts$/, "").replaceAll("-", "_"));
    expect(named.sort()).toEqual(tools.map((tool) => tool.name).sort());
    for (const file of files.filter((name) => name !== "get-context.ts")) {
      const module: { default: unknown } = await import(join(FOLDER, file));
      expect(tools, file).toContain(module.default);
    }
  });

  it.each(tools)("$name has a title and a short description in plain sentences [completions.3.tools]", (tool) => {
    expect(tool.title).toMatch(/^[A-Z][^.]{2,40}$/);
    expect(tool.description).toMatch(/^[A-Z`].*\.$/);
    expect(tool.description.length).toBeLessThanOrEqual(600);
  });

  it("differ in name, title and description", () => {
    for (const key of ["name", "title", "description"] as const) {
      expect(new Set(tools.map((tool) => tool[key])).size).toBe(tools.length);
    }
  });

  it.each(tools)(
    "$name says all of what it does to the world, and truly [completions.3.tools] [completions.11.annotations]",
    (tool) => {
      const reads = tool.scope === "receivables:read" && !tool.admin;
      const hints = "destructiveHint idempotentHint openWorldHint readOnlyHint";
      expect(Object.keys(tool.annotations).sort().join(" ")).toBe(hints);
      expect(tool.annotations.readOnlyHint).toBe(reads);
      if (reads) expect(tool.annotations).toMatchObject({ destructiveHint: false, idempotentHint: true });
      // All that write cannot be taken back, or are what customers may act on.
      expect(tool.annotations.destructiveHint).toBe(!reads);
    },
  );

  it.each(tools)(
    "$name takes a plain object, each argument of one type, described in few words or none [completions.3.tools]",
    (tool) => {
      expect(tool.input).toMatchObject({ type: "object", additionalProperties: false });
      for (const [name, schema] of Object.entries(tool.input.properties)) {
        expect(schema, name).toMatchObject({ type: expect.any(String) });
        expect(schema.description ?? "none", name).toMatch(/^.{2,80}$/);
      }
    },
  );

  it.each(REFUSED)("take nothing that hosts refuse: $what ($source) [completions.3.input-schemas]", ({ has }) => {
    const refused = tools.flatMap(({ name, input }) =>
      [...schemasIn(input, name)].flatMap(([path, schema]) => (has(schema) ? [path] : [])),
    );
    expect(refused).toEqual([]);
  });

  it.each(tools)("$name has no list without an end [facts.inputs.bounded]", ({ name, input }) => {
    const lists = [...schemasIn(input.properties, name)].filter(([, { type }]) => type === "array");
    // How many fields there are to ask for is not told.
    const unbounded = lists.filter(([path, { maxItems }]) => maxItems === undefined && !path.endsWith(".fields"));
    expect(unbounded).toEqual([]);
  });

  it.each(tools)("$name answers a plain object [completions.3.tools]", (tool) => {
    expect(tool.output).toMatchObject({ type: "object" });
    for (const [path, schema] of schemasIn(tool.output, tool.name))
      for (const union of COMPOUND) expect(schema, path).not.toHaveProperty(union);
  });

  it("cost a conversation little [facts.mcp.token-budget]", () => {
    const wire = tools.map(({ name, title, description, input, output, annotations }) => {
      const shown = { title, ...annotations };
      return { name, title, description, inputSchema: input, outputSchema: output, annotations: shown };
    });
    const count = (values: readonly unknown[]): number =>
      values.reduce<number>((sum, value) => sum + tokens(typeof value === "string" ? value : JSON.stringify(value)), 0);
    const cost = {
      arguments: count(tools.flatMap(({ name, description, input }) => [name, description, input])),
      list: tokens(JSON.stringify({ tools: wire })),
      withoutOutputs: tokens(JSON.stringify({ tools: wire.map(({ outputSchema: _, ...shown }) => shown) })),
      instructions: tokens(INSTRUCTIONS),
    };
    process.stdout.write(
      `Tokens (o200k): ${cost.arguments} for names, descriptions and arguments of all tools, ` +
        `${cost.list} for the whole tools/list, ${cost.withoutOutputs} without output schemas, ${cost.instructions} for the instructions.\n`,
    );
    expect(cost.arguments).toBeLessThanOrEqual(5_000);
    expect(cost.withoutOutputs).toBeLessThanOrEqual(5_500);
    expect(cost.list).toBeLessThanOrEqual(12_650);
    expect(cost.instructions).toBeLessThanOrEqual(500);
  });

  it("come with instructions that carry the rules a model needs", () => {
    const rules = ["business_date", "collection_due_date", "collection_outstanding", "next_cursor", "inactive"];
    for (const rule of [...rules, "last_successful_sync_at", "never add two currencies", "exact decimal strings"]) {
      expect(INSTRUCTIONS).toContain(rule);
    }
    for (const [, name] of INSTRUCTIONS.matchAll(/\b((?:list|get|summarize)_\w+)/g)) {
      expect(tools.map((tool) => tool.name)).toContain(name);
    }
  });
});

const Listed = z.looseObject({
  result: z.looseObject({
    tools: z.array(z.looseObject({ annotations: z.looseObject({ readOnlyHint: z.boolean() }) })),
  }),
});

describe("tools/list", () => {
  async function listed(caller: { role: "member" | "admin"; scopes: readonly Scope[] }) {
    const endpoint = await startEndpoint(
      mcpMethods({
        serverInfo: { name: "receivables", version: "0.0.0" },
        instructions: INSTRUCTIONS,
        tools,
        call: async () => ({}),
        log: memoryLog().log,
      }),
      { authenticate: async () => assistant("c", caller) },
    );
    try {
      const answer = (await send(endpoint.url, { body: rpc(1, "tools/list") })).json();
      return { answer, tools: Listed.parse(answer).result.tools };
    } finally {
      await endpoint.close();
    }
  }

  it("is what it was to an admin who was granted everything: clients see a change here [completions.3.tools] [facts.mcp.titles]", async () => {
    const { answer } = await listed({ role: "admin", scopes: SCOPES });
    await expect(`${JSON.stringify(answer, null, 2)}\n`).toMatchFileSnapshot("tools-list-admin.json.snap");
  });

  it("has the tools that change nothing, as they are, for a member [completions.3.tools]", async () => {
    const [all, member] = [
      await listed({ role: "admin", scopes: SCOPES }),
      await listed({ role: "member", scopes: ["receivables:read"] }),
    ];
    expect(member.tools).toEqual(all.tools.filter((tool) => tool.annotations.readOnlyHint));
    expect(member.tools.length).toBeGreaterThan(10);
  });
});
