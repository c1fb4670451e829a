import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { mcpMethods } from "../../src/mcp/server.ts";
import type { ObjectSchema } from "../../tools/schemas.ts";
import type { Tool } from "../../tools/tool.ts";
import { assistant, type Caller, gate, memoryLog, refusal, rpc, send, startEndpoint } from "./support.ts";

type Handler = (args: Readonly<Record<string, unknown>>, caller: Caller, signal: AbortSignal) => Promise<object>;

const anything: ObjectSchema = { type: "object", properties: {}, additionalProperties: false };
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const handlers = new Map<string, Handler>();

function offered(name: string, needs: Pick<Tool, "scope" | "admin">, run: Handler, schemas: Partial<Tool> = {}): Tool {
  handlers.set(name, run);
  const call = async () => ({});
  return {
    name,
    title: `Title of ${name}`,
    description: `What ${name} does.`,
    annotations,
    input: anything,
    output: anything,
    call,
    ...needs,
    ...schemas,
  };
}

const read = { scope: "receivables:read", admin: false } as const;
const write = { scope: "tasks:write", admin: true } as const;
const held = gate();
let aborts = 0;

const tools = [
  offered("echo", read, async (args, caller) => ({ args, tenant: caller.actor.tenantId }), {
    output: {
      type: "object",
      properties: { args: { type: "object" }, tenant: { type: "string" } },
      required: ["args", "tenant"],
      additionalProperties: false,
    },
  }),
  offered("refuse", read, async () => {
    throw new ServiceError("validation_failed", "Not valid: limit.", {
      details: [{ field: "limit", message: "too big" }],
    });
  }),
  offered("crash", read, async () => {
    throw new TypeError("cannot read SECRET of undefined");
  }),
  offered("bigint", read, async () => ({ amount: 1n })),
  offered("hold", read, async (_args, _caller, signal) => {
    signal.addEventListener("abort", () => void aborts++);
    await held.opened;
    signal.throwIfAborted();
    return {};
  }),
  offered("dismiss", write, async (_args, { actor }) => {
    if (actor.role !== "admin") throw new ServiceError("permission_denied", "This operation needs a workspace admin.");
    if (actor.scopes.includes("tasks:write")) return {};
    throw new ServiceError("permission_denied", "No scope.", { missingScope: "tasks:write" });
  }),
];

const callers = new Map([
  ["Bearer member", assistant("member")],
  ["Bearer admin", assistant("admin", { role: "admin" })],
  ["Bearer full", assistant("full", { role: "admin", scopes: ["receivables:read", "tasks:write"] })],
  ["Bearer none", assistant("none", { scopes: [] })],
]);

const { errors, log } = memoryLog();
let endpoint: Awaited<ReturnType<typeof startEndpoint>>;

beforeAll(async () => {
  endpoint = await startEndpoint(
    mcpMethods<Caller>({
      serverInfo: { name: "receivables", title: "Receivables", version: "1.2.3" },
      instructions: "Never add two currencies.",
      tools,
      call: async (tool, caller, args, { signal }) => {
        const handler = handlers.get(tool.name);
        if (handler === undefined) throw new Error("no handler");
        return await handler(args, caller, signal);
      },
      log,
    }),
    { authenticate: async (req) => callers.get(req.headers.authorization ?? "") ?? null },
  );
});
afterAll(() => endpoint.close());
beforeEach(() => void errors.splice(0));

async function as(name: string, body: unknown, headers: Record<string, string> = {}) {
  return await send(endpoint.url, { body, headers: { authorization: `Bearer ${name}`, ...headers } });
}

const callOf = (name: string, args?: unknown) =>
  rpc(1, "tools/call", { name, ...(args !== undefined && { arguments: args }) });

describe("initialize", () => {
  it("says who we are, and offers tools and nothing else", async () => {
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const answer = await as("member", rpc(0, "initialize", params));
    expect(answer.text).toBe(
      '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},' +
        '"serverInfo":{"name":"receivables","title":"Receivables","version":"1.2.3"},"instructions":"Never add two currencies."}}',
    );
  });
});

async function namesFor(name: string): Promise<string[]> {
  const answer = await as(name, rpc(1, "tools/list"));
  return JSON.parse(answer.text).result.tools.map((tool: { name: string }) => tool.name);
}

describe("tools/list", () => {
  const readable = ["echo", "refuse", "crash", "bigint", "hold"];

  it.each([
    ["member", readable],
    ["admin", readable],
    ["full", [...readable, "dismiss"]],
    ["none", []],
  ])("shows %s what they may call now, in a fixed order", async (name, expected) => {
    expect(await namesFor(name)).toEqual(expected);
    expect(await namesFor(name)).toEqual(expected);
  });

  it.each([
    { what: "no params", params: undefined },
    { what: "no cursor", params: {} },
    { what: "cursor null", params: { cursor: null } },
  ])("has one page: $what", async ({ params }) => {
    expect((await as("member", rpc(1, "tools/list", params))).json()).toHaveProperty("result.tools");
  });

  it.each(["", "next", 2, {}])("refuses the cursor %j", async (cursor) => {
    const answer = await as("member", rpc(1, "tools/list", { cursor }));
    expect(answer.text).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid cursor: the list has one page."}}',
    );
  });
});

describe("tools/call", () => {
  it("answers the output as data and, the same, as text", async () => {
    const answer = await as("member", callOf("echo", { name: 'Zo"ë' }));
    expect(answer.text).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":' +
        '"{\\"args\\":{\\"name\\":\\"Zo\\\\\\"ë\\"},\\"tenant\\":\\"tenant-member\\"}"}],' +
        '"structuredContent":{"args":{"name":"Zo\\"ë"},"tenant":"tenant-member"}}}',
    );
  });

  it("takes no arguments as an empty object", async () => {
    expect((await as("full", callOf("echo"))).json()).toHaveProperty("result.structuredContent", {
      args: {},
      tenant: "tenant-full",
    });
  });

  it.each([
    ["an unknown tool", { name: "no_such" }, "Unknown tool: tools/list names those there are."],
    [
      "a tool named like a property of objects",
      { name: "constructor" },
      "Unknown tool: tools/list names those there are.",
    ],
    ["no name", {}, "Invalid params: name must be a string."],
    ["no params", undefined, "Invalid params: name must be a string."],
    ["arguments that are a list", { name: "echo", arguments: [] }, "Invalid params: arguments must be an object."],
    ["arguments that are a string", { name: "echo", arguments: "{}" }, "Invalid params: arguments must be an object."],
  ])("answers -32602 for %s", async (_, params, message) => {
    const answer = await as("member", rpc(1, "tools/call", params));
    expect(answer).toMatchObject({
      status: 200,
      text: `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"${message}"}}`,
    });
  });

  it("answers a failure as a result of text alone", async () => {
    const answer = await as("member", callOf("refuse"));
    const error = {
      error: {
        code: "validation_failed",
        message: "Not valid: limit.",
        request_id: "request-1",
        details: [{ field: "limit", message: "too big" }],
      },
    };
    const result = { content: [{ type: "text", text: JSON.stringify(error) }], isError: true };
    expect(answer.text).toBe(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    expect(errors).toEqual([]);
  });

  it.each(["crash", "bigint"])("answers %s as internal_error, and keeps the reason for the log", async (name) => {
    const answer = await as("member", callOf(name));
    expect(JSON.parse(JSON.parse(answer.text).result.content[0].text)).toEqual({
      error: { code: "internal_error", message: "Unexpected error. Try again.", request_id: "request-1" },
    });
    expect(answer.text).not.toMatch(/SECRET|BigInt/);
    expect(errors).toMatchObject([
      {
        fields: { request_id: "request-1", connection_id: "connection-member", tool: name, err: expect.any(TypeError) },
      },
    ]);
  });

  it("is aborted with its caller, and then fails silently", async () => {
    aborts = 0;
    const call = as("none", callOf("hold"));
    await expect.poll(() => endpoint.openCalls.size).toBe(1);
    endpoint.openCalls.abort(({ key }) => key === "connection-none");
    expect((await call).status).toBe(401);
    expect(aborts).toBe(1);
    held.open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([]);
  });
});

describe("a tool beyond the caller", () => {
  it("for want of the role is a failed call", async () => {
    const answer = await as("member", callOf("dismiss"));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("permission_denied");
  });

  it("for want of the scope is HTTP 403 with a challenge", async () => {
    const answer = await as("admin", callOf("dismiss"));
    expect(answer).toMatchObject({ status: 403, text: refusal(-32000, "This needs the scope tasks:write.") });
    expect(answer.headers["www-authenticate"]).toBe(
      'Bearer error="insufficient_scope", scope="receivables:read tasks:write"',
    );
    expect(endpoint.openCalls.size).toBe(0);
  });

  it("within a batch is a failed call, for the others were made", async () => {
    const body = [callOf("dismiss"), rpc(2, "ping")];
    const answer = await as("admin", body, { "mcp-protocol-version": "2025-03-26" });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual(
      expect.arrayContaining([
        { jsonrpc: "2.0", id: 2, result: {} },
        {
          jsonrpc: "2.0",
          id: 1,
          result: { isError: true, content: [{ type: "text", text: expect.stringContaining("permission_denied") }] },
        },
      ]),
    );
  });
});

describe("the official client", () => {
  async function connect(name: string) {
    const client = new Client({ name: "test", version: "1.0.0" });
    const failures: Error[] = [];
    client.onerror = (error) => void failures.push(error);
    const requestInit = { headers: { Authorization: `Bearer ${name}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url), { requestInit }));
    return { client, failures };
  }

  it("is one of many at once, and each gets its own answers", async () => {
    const clients = await Promise.all(
      ["member", "admin", "full"].map(async (name) => ({ name, ...(await connect(name)) })),
    );
    const calls = clients.flatMap(({ name, client }) =>
      Array.from({ length: 20 }, async (_, n) => {
        const { structuredContent } = await client.callTool({ name: "echo", arguments: { n } });
        expect(structuredContent).toEqual({ args: { n }, tenant: `tenant-${name}` });
      }),
    );
    await Promise.all(calls);
    await Promise.all(clients.map(async ({ client }) => await client.close()));
  });
});
