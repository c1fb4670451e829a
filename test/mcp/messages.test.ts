import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { begin, gate, notification, plainServer, refusal, rpc, send, startEndpoint } from "./support.ts";

let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
const held = gate();

beforeAll(async () => {
  endpoint = await startEndpoint(
    plainServer({
      echo: async ({ params, caller }) => ({ params, caller: caller.key }),
      hold: async () => {
        await held.opened;
        return {};
      },
      fail: async () => {
        throw new Error('relation "secrets" does not exist');
      },
      unserialisable: async () => ({ amount: 1n }),
    }),
  );
});
afterAll(() => endpoint.close());

async function lone(body: unknown, token = "ada") {
  const { status, text } = await send(endpoint.url, { body, headers: { authorization: `Bearer ${token}` } });
  return { status, text };
}

async function batch(body: unknown) {
  return await send(endpoint.url, { body, headers: { "mcp-protocol-version": "2025-03-26" } });
}

describe("a request", () => {
  it.each([
    ["an integer", 7, "7"],
    ["zero", 0, "0"],
    ["a negative integer", -1, "-1"],
    ["the largest safe integer", 9007199254740991, "9007199254740991"],
    ["a string", "seven", '"seven"'],
    ["a string of digits", "7", '"7"'],
    ["an empty string", "", '""'],
    ["a string with quotes and breaks", 'a"b\n\u2028', '"a\\"b\\n\u2028"'],
  ])("has its id echoed: %s", async (_, id, echoed) => {
    expect(await lone(rpc(id, "ping"))).toEqual({ status: 200, text: `{"jsonrpc":"2.0","id":${echoed},"result":{}}` });
  });

  it("reaches the handler with its params and its caller", async () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"params":{"a":[1]},"caller":"connection-bob"}}';
    expect(await lone(rpc(1, "echo", { a: [1] }), "bob")).toEqual({ status: 200, text });
  });

  const invalid = "The body is not a JSON-RPC 2.0 request, notification or response.";
  it.each([
    ["null", null],
    ["a string", '"ping"'],
    ["no version", { id: 1, method: "ping" }],
    ["another version", { jsonrpc: "1.0", id: 1, method: "ping" }],
    ["id null", rpc(null, "ping")],
    ["a fraction as id", rpc(1.5, "ping")],
    ["an id no double holds", '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'],
    ["an object as id", rpc({}, "ping")],
    ["a method that is no string", { jsonrpc: "2.0", id: 1, method: 1 }],
    ["no method", { jsonrpc: "2.0", id: 1 }],
    ["a response with neither result nor error", { jsonrpc: "2.0", id: 1, result: 3 }],
    ["a notification with an array as params", notification("notifications/initialized", [])],
  ])("is refused with -32600 when it is %s", async (_, body) => {
    expect(await lone(body)).toEqual({ status: 400, text: refusal(-32600, invalid) });
  });

  it.each([
    ["an unknown method", rpc(1, "no/such"), -32601, "Method not found"],
    ["a method we do not offer", rpc(1, "resources/list"), -32601, "Method not found"],
    ["a method of objects", rpc(1, "constructor"), -32601, "Method not found"],
    ["an array as params", rpc(1, "ping", [1]), -32602, "Invalid params"],
    ["a string as params", rpc(1, "ping", "x"), -32602, "Invalid params"],
    ["_meta that is no object", rpc(1, "ping", { _meta: 1 }), -32602, "Invalid params"],
    ["a fraction as progress token", rpc(1, "ping", { _meta: { progressToken: 1.5 } }), -32602, "Invalid params"],
    ["a handler that fails", rpc(1, "fail"), -32603, "Internal error"],
    ["a result that is no JSON", rpc(1, "unserialisable"), -32603, "Internal error"],
  ])("is answered with an error for %s", async (_, body, code, message) => {
    const text = `{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":"${message}"}}`;
    expect(await lone(body)).toEqual({ status: 200, text });
  });

  it.each([
    ["null as params", { jsonrpc: "2.0", id: 1, method: "ping", params: null }],
    ["members of its own", { ...rpc(1, "ping"), trace: "x" }],
    ["a task of a later revision", rpc(1, "ping", { task: { ttl: 1 } })],
    ["a related task", rpc(1, "ping", { _meta: { "io.modelcontextprotocol/related-task": { taskId: 3 } } })],
  ])("is served with %s", async (_, body) => {
    expect(await lone(body)).toEqual({ status: 200, text: '{"jsonrpc":"2.0","id":1,"result":{}}' });
  });

  it("may have the id of another that is still open, of this caller or another", async () => {
    const first = lone(rpc(5, "hold"));
    const second = lone(rpc(5, "hold"), "bob");
    expect(await lone(rpc(5, "ping"))).toMatchObject({ status: 200 });
    held.open();
    expect(await Promise.all([first, second])).toMatchObject([{ status: 200 }, { status: 200 }]);
  });
});

it("a call of a client that left before its body was read is not kept", async () => {
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const late = await startEndpoint(plainServer({}), {}, (req, _res, next) => {
    req.once("close", () => left.resolve(next()));
    arrived.resolve();
  });
  const { abort } = begin(late.url, { body: rpc(1, "ping") });
  await arrived.promise.then(abort);
  await left.promise.then(() => sleep(50));
  expect(late.openCalls.size).toBe(0);
  await late.close();
});

describe("what needs no answer", () => {
  it.each([
    ["a notification", notification("notifications/initialized")],
    ["an unknown notification", notification("notifications/made_up", { a: 1 })],
    ["progress for a request we never made", notification("notifications/progress", { progressToken: 1, progress: 1 })],
    ["a request's method without an id", notification("echo")],
    ["a response", { jsonrpc: "2.0", id: 9, result: {} }],
    ["an error response", { jsonrpc: "2.0", id: 9, error: { code: -1, message: "no" } }],
    ["an error response to no request", { jsonrpc: "2.0", id: null, error: { code: -1, message: "no" } }],
    ["a cancellation of nothing", notification("notifications/cancelled", { requestId: 404 })],
    ["a cancellation without an id", notification("notifications/cancelled")],
  ])("%s: 202 without a body", async (_, body) => {
    const answer = await send(endpoint.url, { body });
    expect(answer).toMatchObject({ status: 202, text: "" });
    expect(answer.headers).not.toHaveProperty("content-type");
  });
});

describe("a batch of 2025-03-26", () => {
  it("whose connection is revoked while it is counted is refused once, and does not run [completions.8.batch]", async () => {
    const counted = gate();
    const calls = { echoed: 0, turnedAway: 0 };
    const mounted = await startEndpoint(plainServer({ echo: async () => ({ echoed: ++calls.echoed }) }), {
      async charge() {
        await counted.opened;
        return () => void calls.turnedAway++;
      },
    });
    const headers = { "mcp-protocol-version": "2025-03-26" };
    const answer = send(mounted.url, { body: [rpc(1, "echo"), rpc(2, "echo")], headers });
    await expect.poll(() => mounted.openCalls.size).toBe(1);
    mounted.openCalls.abort(({ key }) => key === "connection-ada");
    expect((await answer).status).toBe(401);
    counted.open();
    await new Promise((resolve) => setImmediate(resolve));
    await mounted.close();
    expect(calls).toEqual({ echoed: 0, turnedAway: 0 });
  });

  const pong = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
  const badElement = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Not a JSON-RPC 2.0 message."}}';

  it.each([
    ["one request", [rpc(1, "ping")], [pong("1")]],
    ["a request and a notification", [rpc(1, "ping"), notification("notifications/initialized")], [pong("1")]],
    ["ids that only look alike", [rpc(1, "ping"), rpc("1", "ping")], [pong("1"), pong('"1"')]],
    ["a bad element", [rpc(1, "ping"), 17, rpc(2, "ping")], [badElement, pong("1"), pong("2")]],
    ["bad elements alone", [1, [rpc(1, "ping")]], [badElement, badElement]],
    [
      "an unknown method",
      [rpc(1, "no/such"), rpc(2, "ping")],
      ['{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}', pong("2")],
    ],
    ["a request and a response", [{ jsonrpc: "2.0", id: 1, result: {} }, rpc(1, "ping")], [pong("1")]],
  ])("with %s is answered by an array", async (_, body, expected) => {
    const answer = await batch(body);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.text.startsWith("[")).toBe(true);
    const answers = JSON.parse(answer.text).map((element: unknown) => JSON.stringify(element));
    expect(answers.sort()).toEqual([...expected].sort());
  });

  it.each([
    ["notifications alone", [notification("notifications/initialized"), notification("x/y")]],
    ["responses alone", [{ jsonrpc: "2.0", id: 1, result: {} }]],
  ])("of %s: 202 without a body", async (_, body) => {
    expect(await batch(body)).toMatchObject({ status: 202, text: "" });
  });

  const initialize = rpc(1, "initialize", {
    protocolVersion: "2025-03-26",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  });
  it.each([
    ["nothing", [], "A batch holds at least one message."],
    ["initialize alone", [initialize], "initialize cannot be part of a batch."],
    ["initialize among others", [rpc(2, "ping"), initialize], "initialize cannot be part of a batch."],
    ["one id twice", [rpc(1, "ping"), rpc(1, "echo")], "Two requests of the batch have the id 1."],
    ["21 messages", Array.from({ length: 21 }, (_, id) => rpc(id, "ping")), "A batch holds at most 20 messages."],
  ])("with %s is refused whole", async (_, body, message) => {
    expect(await batch(body)).toMatchObject({ status: 400, text: refusal(-32600, message) });
  });
});

describe("an unexpected failure", () => {
  it("is logged with the request id, and stays out of the answer", async () => {
    endpoint.errors.length = 0;
    const answer = await send(endpoint.url, { body: rpc(1, "fail") });
    expect(answer.text).not.toContain("secrets");
    expect(endpoint.errors).toMatchObject([
      { fields: { request_id: "request-1", err: { message: 'relation "secrets" does not exist' } } },
    ]);
  });
});
