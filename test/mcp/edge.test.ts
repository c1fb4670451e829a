import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BOTH, JSON_TYPE, plainServer, refusal, rpc, type Sent, SSE_TYPE, send, startEndpoint } from "./support.ts";

const ping = rpc(1, "ping");
let endpoint: Awaited<ReturnType<typeof startEndpoint>>;

beforeAll(async () => {
  endpoint = await startEndpoint(plainServer({}));
});
afterAll(() => endpoint.close());

interface Row {
  what: string;
  sent: Sent;
  status: number;
  body: string;
  headers?: Record<string, string>;
}

const ok = { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":{}}' };
const WRONG_HOST = { status: 421, body: refusal(-32000, "This server does not answer to that host.") };
const WRONG_ORIGIN = { status: 403, body: refusal(-32000, "This origin may not call the server.") };
const UNAUTHORIZED = { status: 401, body: '{"error":"unauthorized"}' };
const NOT_POST = { status: 405, body: refusal(-32000, "Only POST is served here."), headers: { allow: "POST" } };
const NOT_ACCEPTABLE = {
  status: 406,
  body: refusal(-32000, "Accept must name application/json and text/event-stream."),
};
const NOT_JSON = { status: 415, body: refusal(-32000, "Content-Type must be application/json in UTF-8.") };
const TOO_LARGE = { status: 413, body: refusal(-32000, "The body exceeds 65536 bytes.") };
const PARSE_ERROR = { status: 400, body: refusal(-32700, "The body is not valid JSON.") };

const rows: Row[] = [
  { what: "a foreign Host", sent: { body: ping, headers: { host: "evil.example" } }, ...WRONG_HOST },
  { what: "our Host without its port", sent: { body: ping, headers: { host: "127.0.0.1" } }, ...WRONG_HOST },
  { what: "a foreign Origin", sent: { body: ping, headers: { origin: "https://evil.example" } }, ...WRONG_ORIGIN },
  { what: "Origin null", sent: { body: ping, headers: { origin: "null" } }, ...WRONG_ORIGIN },
  {
    what: "our host as another scheme's Origin",
    sent: { body: ping, headers: { origin: "https://127.0.0.1" } },
    ...WRONG_ORIGIN,
  },
  { what: "no token", sent: { body: ping, headers: { authorization: undefined } }, ...UNAUTHORIZED },
  { what: "a wrong token", sent: { body: ping, headers: { authorization: "Bearer eve" } }, ...UNAUTHORIZED },
  ...["GET", "DELETE", "PUT", "PATCH", "OPTIONS"].map((method) => ({ what: method, sent: { method }, ...NOT_POST })),
  { what: "no Accept", sent: { body: ping, headers: { accept: undefined } }, ...NOT_ACCEPTABLE },
  { what: "Accept: JSON alone", sent: { body: ping, headers: { accept: JSON_TYPE } }, ...NOT_ACCEPTABLE },
  { what: "Accept: SSE alone", sent: { body: ping, headers: { accept: SSE_TYPE } }, ...NOT_ACCEPTABLE },
  {
    what: "Accept: JSON ruled out",
    sent: { body: ping, headers: { accept: `${JSON_TYPE};q=0, ${SSE_TYPE}` } },
    ...NOT_ACCEPTABLE,
  },
  { what: "Accept: anything", sent: { body: ping, headers: { accept: "*/*" } }, ...ok },
  { what: "Accept: ranges", sent: { body: ping, headers: { accept: "application/*, text/*;q=0.5" } }, ...ok },
  {
    what: "Accept in capitals",
    sent: { body: ping, headers: { accept: "Application/JSON,TEXT/event-stream" } },
    ...ok,
  },
  { what: "no Content-Type", sent: { body: ping, headers: { "content-type": undefined } }, ...NOT_JSON },
  { what: "text/plain", sent: { body: ping, headers: { "content-type": "text/plain" } }, ...NOT_JSON },
  {
    what: "a type that only begins alike",
    sent: { body: ping, headers: { "content-type": "application/json-seq" } },
    ...NOT_JSON,
  },
  {
    what: "JSON in another charset",
    sent: { body: ping, headers: { "content-type": `${JSON_TYPE}; charset=utf-16` } },
    ...NOT_JSON,
  },
  {
    what: "JSON with its charset",
    sent: { body: ping, headers: { "content-type": `${JSON_TYPE}; charset="UTF-8"` } },
    ...ok,
  },
  {
    what: "a compressed body",
    sent: { body: ping, headers: { "content-encoding": "gzip" } },
    status: 415,
    body: refusal(-32000, "The body must not be compressed."),
    headers: { "accept-encoding": "identity" },
  },
  { what: "65,536 bytes", sent: { body: JSON.stringify(ping).padEnd(65_536) }, ...ok },
  { what: "65,537 bytes", sent: { body: JSON.stringify(ping).padEnd(65_537) }, ...TOO_LARGE },
  { what: "a megabyte", sent: { body: "x".repeat(1_000_000) }, ...TOO_LARGE },
  {
    what: "a megabyte of unknown length",
    sent: { body: "x".repeat(1_000_000), headers: { "transfer-encoding": "chunked" } },
    ...TOO_LARGE,
  },
  { what: "an empty body", sent: {}, ...PARSE_ERROR },
  { what: "broken JSON", sent: { body: '{"jsonrpc":' }, ...PARSE_ERROR },
  { what: "bytes that are no UTF-8", sent: { body: Buffer.from([0x22, 0xff, 0x22]) }, ...PARSE_ERROR },
  { what: "64 KiB of open brackets", sent: { body: "[".repeat(65_536) }, ...PARSE_ERROR },
  // Each refusal wins over all that follow it.
  {
    what: "foreign Host before Origin",
    sent: { method: "GET", headers: { host: "x", origin: "null", authorization: undefined } },
    ...WRONG_HOST,
  },
  {
    what: "Origin before authentication",
    sent: { method: "GET", headers: { origin: "null", authorization: undefined } },
    ...WRONG_ORIGIN,
  },
  {
    what: "authentication before method",
    sent: { method: "GET", headers: { authorization: undefined } },
    ...UNAUTHORIZED,
  },
  {
    what: "authentication before Accept and Content-Type",
    sent: { body: "x", headers: { authorization: undefined, accept: "x/y", "content-type": "x/y" } },
    ...UNAUTHORIZED,
  },
  { what: "method before Accept", sent: { method: "PUT", headers: { accept: "x/y" } }, ...NOT_POST },
  {
    what: "Accept before Content-Type",
    sent: { body: "x", headers: { accept: "x/y", "content-type": "x/y" } },
    ...NOT_ACCEPTABLE,
  },
  {
    what: "Content-Type before size",
    sent: { body: "x".repeat(70_000), headers: { "content-type": "x/y" } },
    ...NOT_JSON,
  },
  { what: "size before parsing", sent: { body: "x".repeat(70_000) }, ...TOO_LARGE },
  {
    what: "parsing before the version",
    sent: { body: "x", headers: { "mcp-protocol-version": "1999-01-01" } },
    ...PARSE_ERROR,
  },
];

describe("the edge", () => {
  it.each(rows)("$what: $status", async ({ sent, status, body, headers = {} }) => {
    const answer = await send(endpoint.url, sent);
    expect(answer.text).toBe(body);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(headers);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.headers["x-request-id"]).toBe("request-1");
  });

  it("answers HEAD like any method but POST", async () => {
    const answer = await send(endpoint.url, { method: "HEAD" });
    expect(answer).toMatchObject({ status: 405, text: "", headers: { allow: "POST" } });
  });

  it("keeps answers out of every cache", async () => {
    const answer = await send(endpoint.url, { body: ping });
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "content-type": "application/json" });
  });

  it("keeps the request id of whoever mounted it", async () => {
    const mounted = await startEndpoint(plainServer({}), {}, (_req, res, next) => {
      res.setHeader("X-Request-Id", "outer-1");
      next();
    });
    const answer = await send(mounted.url, { method: "GET" });
    await mounted.close();
    expect(answer.headers["x-request-id"]).toBe("outer-1");
  });

  it("survives a body that is cut off", async () => {
    const { port } = new URL(endpoint.url);
    const socket = connect(Number(port), "127.0.0.1");
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ada\r\nAccept: ${BOTH}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"jsonrpc"`);
    await expect.poll(() => endpoint.openCalls.size).toBe(1);
    socket.destroy();
    await expect.poll(() => endpoint.openCalls.size).toBe(0);
    expect(await send(endpoint.url, { body: ping })).toMatchObject({ status: 200 });
  });
});

describe("a page of an allowed origin", () => {
  const exposed =
    "WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id";

  it.each(["https://inspector.example", "own"])("%s may call and read the headers it needs", async (name) => {
    const origin = name === "own" ? endpoint.origin : name;
    const answer = await send(endpoint.url, { body: ping, headers: { origin } });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-expose-headers": exposed,
      vary: "Origin, Accept-Encoding",
    });
  });

  it("is told of refusals too", async () => {
    const headers = { origin: "https://inspector.example", authorization: undefined };
    const answer = await send(endpoint.url, { body: ping, headers });
    expect(answer.status).toBe(401);
    expect(answer.headers["access-control-expose-headers"]).toBe(exposed);
  });

  it("has its preflight answered, which carries no token", async () => {
    const headers = {
      origin: "https://inspector.example",
      authorization: undefined,
      "access-control-request-method": "POST",
    };
    const answer = await send(endpoint.url, { method: "OPTIONS", headers });
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(answer.headers).toMatchObject({
      "access-control-allow-methods": "POST",
      "access-control-allow-headers":
        "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID",
    });
  });

  it("is the only one: no other answer has CORS headers", async () => {
    const answer = await send(endpoint.url, { body: ping });
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("what is not expected", () => {
  it("answers 500 as JSON when authentication throws, and logs it", async () => {
    const failing = await startEndpoint(plainServer({}), {
      authenticate: async () => {
        throw new Error("password=hunter2");
      },
    });
    const answer = await send(failing.url, { body: ping });
    await failing.close();
    expect(answer).toMatchObject({ status: 500, text: refusal(-32603, "Internal error") });
    expect(failing.errors).toMatchObject([{ fields: { request_id: "request-1" } }]);
  });
});
