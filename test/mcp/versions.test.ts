import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notification, plainServer, refusal, rpc, send, startEndpoint } from "./support.ts";

let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ url, close } = await startEndpoint(plainServer({})));
});
afterAll(() => close());

const PONG = '{"jsonrpc":"2.0","id":1,"result":{}}';
const UNSUPPORTED = refusal(
  -32000,
  "Unsupported protocol version; MCP-Protocol-Version is one of 2025-06-18, 2025-03-26.",
);
const NO_BATCH = refusal(-32600, "Batches exist in protocol version 2025-03-26 only; send one message.");

const ping = rpc(1, "ping");
const initialized = notification("notifications/initialized");

/** Header (undefined: absent) × body → status and body, to the byte. */
const matrix: { header: string | undefined; body: unknown; status: number; text: string }[] = [
  { header: "2025-06-18", body: ping, status: 200, text: PONG },
  { header: "2025-03-26", body: ping, status: 200, text: PONG },
  { header: undefined, body: ping, status: 200, text: PONG },
  { header: "2025-11-25", body: ping, status: 400, text: UNSUPPORTED },
  { header: "2024-11-05", body: ping, status: 400, text: UNSUPPORTED },
  { header: "draft", body: ping, status: 400, text: UNSUPPORTED },
  { header: "", body: ping, status: 400, text: UNSUPPORTED },
  { header: "2025-06-18, 2025-06-18", body: ping, status: 400, text: UNSUPPORTED },
  { header: "2025-11-25", body: initialized, status: 400, text: UNSUPPORTED },
  { header: "2025-06-18", body: initialized, status: 202, text: "" },
  { header: "2025-03-26", body: initialized, status: 202, text: "" },
  { header: undefined, body: initialized, status: 202, text: "" },
  { header: "2025-06-18", body: [ping], status: 400, text: NO_BATCH },
  { header: "2025-06-18", body: [], status: 400, text: NO_BATCH },
  { header: "2025-11-25", body: [ping], status: 400, text: UNSUPPORTED },
  { header: "2025-03-26", body: [ping], status: 200, text: `[${PONG}]` },
  { header: undefined, body: [ping], status: 200, text: `[${PONG}]` },
];

describe("MCP-Protocol-Version", () => {
  it.each(matrix)("$header with $body: $status", async ({ header, body, status, text }) => {
    const answer = await send(url, { body, headers: { "mcp-protocol-version": header } });
    expect(answer).toMatchObject({ status, text });
  });
});

describe("a client of a newer revision", () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };

  it.each(["2026-07-28", "2025-11-25", "2099-01-01", "2025-06-18", undefined])(
    "is told that its probe is unknown, under the header %s, and falls back [listing.newer-clients]",
    async (header) => {
      const body = rpc(1, "server/discover", { _meta: meta });
      const answer = await send(url, { body, headers: { "mcp-protocol-version": header } });
      expect([answer.status, answer.json()]).toEqual([
        200,
        { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } },
      ]);
    },
  );

  it("is never answered -32020, -32021 or -32022, which are of revisions that are not spoken here [listing.newer-clients]", async () => {
    for (const method of ["server/discover", "tools/list", "ping", "initialize", "no/such"])
      for (const header of ["2026-07-28", "2025-06-18"]) {
        const body = rpc(1, method, { _meta: meta });
        const answer = await send(url, { body, headers: { "mcp-protocol-version": header } });
        expect(answer.text, `${method} under ${header}`).not.toMatch(/-3202[012]/);
      }
  });
});

function initialize(protocolVersion: unknown) {
  return rpc(0, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } });
}

describe("initialize", () => {
  it.each([
    { asked: "2025-06-18", agreed: "2025-06-18" },
    { asked: "2025-03-26", agreed: "2025-03-26" },
    { asked: "2025-11-25", agreed: "2025-06-18" },
    { asked: "2024-11-05", agreed: "2025-06-18" },
    { asked: "2024-10-07", agreed: "2025-06-18" },
    { asked: "2099-01-01", agreed: "2025-06-18" },
    { asked: "", agreed: "2025-06-18" },
  ])("asked for $asked agrees on $agreed", async ({ asked, agreed }) => {
    const answer = await send(url, { body: initialize(asked), headers: { "mcp-protocol-version": undefined } });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ id: 0, result: { protocolVersion: agreed } });
  });

  it.each(["2025-06-18", "2025-03-26", "2025-11-25", "1999-01-01", "nonsense"])(
    "is served whatever the header says: %s",
    async (header) => {
      const answer = await send(url, { body: initialize("2025-03-26"), headers: { "mcp-protocol-version": header } });
      expect(answer.status).toBe(200);
      expect(answer.json()).toMatchObject({ result: { protocolVersion: "2025-03-26" } });
    },
  );

  it.each([
    ["no params", undefined],
    ["no version", { capabilities: {}, clientInfo: { name: "test", version: "1" } }],
    [
      "a version that is no string",
      { protocolVersion: 20250618, capabilities: {}, clientInfo: { name: "t", version: "1" } },
    ],
    ["no client", { protocolVersion: "2025-06-18", capabilities: {} }],
  ])("with %s: -32602", async (_, params) => {
    const answer = await send(url, { body: rpc(0, "initialize", params) });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"Invalid params"}}');
  });

  it("gives out no session", async () => {
    const answer = await send(url, { body: initialize("2025-06-18") });
    expect(answer.headers).not.toHaveProperty("mcp-session-id");
  });
});
