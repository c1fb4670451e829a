import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BOTH, JSON_TYPE, plainServer, refusal, rpc, type Sent, SSE_TYPE, send, startEndpoint } from "./support.ts";

const ping = rpc(1, "ping");
let endpoint: Awaited<ReturnType<typeof startEndpoint>>;

beforeAll(async () => {
  endpoint = await startEndpoint(plainServer({}));
});
afterAll(() => endpoint.close());

interface Expected {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

const OK = { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":{}}' };
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
const COMPRESSED = {
  status: 415,
  body: refusal(-32000, "The body must not be compressed."),
  headers: { "accept-encoding": "identity" },
};

/** A request that is right but for its headers. */
const head = (headers: NonNullable<Sent["headers"]>): Sent => ({ body: ping, headers });
const form = (type: string | undefined): Sent => head({ "content-type": type });
const accept = (types: string | undefined): Sent => head({ accept: types });
const NOBODY = { authorization: undefined };
const ODD = { accept: "x/y", "content-type": "x/y" };
const LONG = "x".repeat(1_000_000);

const rows: [what: string, sent: Sent, expected: Expected][] = [
  ["a foreign Host", head({ host: "evil.example" }), WRONG_HOST],
  ["our Host without its port", head({ host: "127.0.0.1" }), WRONG_HOST],
  ["a foreign Origin", head({ origin: "https://evil.example" }), WRONG_ORIGIN],
  ["Origin null", head({ origin: "null" }), WRONG_ORIGIN],
  ["our host as another scheme's Origin", head({ origin: "https://127.0.0.1" }), WRONG_ORIGIN],
  ["no token", head(NOBODY), UNAUTHORIZED],
  ["a wrong token", head({ authorization: "Bearer eve" }), UNAUTHORIZED],
  ...["GET", "DELETE", "PUT", "PATCH", "OPTIONS"].map((method): (typeof rows)[number] => [
    method,
    { method },
    NOT_POST,
  ]),
  ["no Accept", accept(undefined), NOT_ACCEPTABLE],
  ["Accept: JSON alone", accept(JSON_TYPE), NOT_ACCEPTABLE],
  ["Accept: SSE alone", accept(SSE_TYPE), NOT_ACCEPTABLE],
  ["Accept: JSON ruled out", accept(`${JSON_TYPE};q=0, ${SSE_TYPE}`), NOT_ACCEPTABLE],
  ["Accept: anything", accept("*/*"), OK],
  ["Accept: ranges", accept("application/*, text/*;q=0.5"), OK],
  ["Accept in capitals", accept("Application/JSON,TEXT/event-stream"), OK],
  ["no Content-Type", form(undefined), NOT_JSON],
  ["text/plain", form("text/plain"), NOT_JSON],
  ["a type that only begins alike", form("application/json-seq"), NOT_JSON],
  ["JSON in another charset", form(`${JSON_TYPE}; charset=utf-16`), NOT_JSON],
  ["JSON with its charset", form(`${JSON_TYPE}; charset="UTF-8"`), OK],
  ["a compressed body", head({ "content-encoding": "gzip" }), COMPRESSED],
  ["65,536 bytes", { body: JSON.stringify(ping).padEnd(65_536) }, OK],
  ["65,537 bytes", { body: JSON.stringify(ping).padEnd(65_537) }, TOO_LARGE],
  ["a megabyte", { body: LONG }, TOO_LARGE],
  ["a megabyte of unknown length", { body: LONG, headers: { "transfer-encoding": "chunked" } }, TOO_LARGE],
  ["an empty body", {}, PARSE_ERROR],
  ["broken JSON", { body: '{"jsonrpc":' }, PARSE_ERROR],
  ["bytes that are no UTF-8", { body: Buffer.from([0x22, 0xff, 0x22]) }, PARSE_ERROR],
  ["64 KiB of open brackets", { body: "[".repeat(65_536) }, PARSE_ERROR],
  // Each refusal wins over all that follow it.
  ["foreign Host before Origin", { method: "GET", headers: { host: "x", origin: "null", ...NOBODY } }, WRONG_HOST],
  ["Origin before authentication", { method: "GET", headers: { origin: "null", ...NOBODY } }, WRONG_ORIGIN],
  ["authentication before method", { method: "GET", headers: NOBODY }, UNAUTHORIZED],
  ["authentication before Accept and Content-Type", { body: "x", headers: { ...NOBODY, ...ODD } }, UNAUTHORIZED],
  ["method before Accept", { method: "PUT", headers: { accept: "x/y" } }, NOT_POST],
  ["Accept before Content-Type", { body: "x", headers: ODD }, NOT_ACCEPTABLE],
  ["Content-Type before size", { body: LONG, headers: { "content-type": "x/y" } }, NOT_JSON],
  ["size before parsing", { body: LONG }, TOO_LARGE],
  ["parsing before the version", { body: "x", headers: { "mcp-protocol-version": "1999-01-01" } }, PARSE_ERROR],
];

describe("the edge", () => {
  it.each(rows)("%s", async (_what, sent, { status, body, headers = {} }) => {
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

it("a page of our own origin may call, and no answer lets another read it", async () => {
  const answer = await send(endpoint.url, { body: ping, headers: { origin: endpoint.origin } });
  expect(answer.status).toBe(200);
  expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
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
