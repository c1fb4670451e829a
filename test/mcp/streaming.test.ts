import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  assistant,
  begin,
  events,
  gate,
  notification,
  plainServer,
  rpc,
  SSE_TYPE,
  send,
  startEndpoint,
  type Working,
} from "./support.ts";

let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
let held = gate();
/** Handlers that began, were aborted and ended since the test began. */
let began: string[] = [];
let aborted: string[] = [];
let ended: string[] = [];

beforeAll(async () => {
  endpoint = await startEndpoint(
    plainServer({
      hold: async (working) => await hold(working, async () => undefined),
      stream: async (working) => await hold(working, async () => working.onProgress(progressAt(1))),
      progress: async ({ onProgress }) => {
        for (const done of [1, 2, 2, 1, 3]) onProgress(progressAt(done));
        setImmediate(() => onProgress(progressAt(4)));
        return { done: true };
      },
    }),
  );
});
afterAll(() => endpoint.close());
beforeEach(() => {
  held = gate();
  began = [];
  aborted = [];
  ended = [];
});

/** Of a client that wants to be told of progress. */
const TOLD = { _meta: { progressToken: "t" } };
const progressAt = (done: number) => ({ done, total: 4, message: "line\nbreak" });

async function hold({ params, signal }: Working, first: () => Promise<unknown>): Promise<object> {
  const name = String(params.name);
  signal.addEventListener("abort", () => void aborted.push(name));
  await first();
  began.push(name);
  await held.opened;
  ended.push(name);
  return { name };
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message) text += chunk;
  return text;
}

const cancel = (requestId: unknown, token = "ada") =>
  send(endpoint.url, {
    body: notification("notifications/cancelled", { requestId }),
    headers: { authorization: `Bearer ${token}` },
  });
const call = (id: unknown, name: string, method = "hold", token = "ada") =>
  begin(endpoint.url, { body: rpc(id, method, { name, ...TOLD }), headers: { authorization: `Bearer ${token}` } });

describe("an answer", () => {
  it("is JSON when the handler says nothing before it", async () => {
    held.open();
    const answer = await send(endpoint.url, { body: rpc(1, "hold", { name: "quiet" }) });
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.text).toBe('{"jsonrpc":"2.0","id":1,"result":{"name":"quiet"}}');
  });

  it("is compressed when it is long and JSON; an event stream never is [contract.http.compression]", async () => {
    held.open();
    const headers = { "accept-encoding": "br, gzip" };
    const name = "long ".repeat(400);
    const long = await send(endpoint.url, { body: rpc(1, "hold", { name }), headers });
    expect(long.headers).toMatchObject({ "content-encoding": "br", vary: expect.stringMatching(/accept-encoding/i) });
    const streamed = await send(endpoint.url, { body: rpc(2, "stream", { name, ...TOLD }), headers });
    expect(streamed.headers).not.toHaveProperty("content-encoding");
    expect(events(streamed.text).at(-1)).toMatchObject({ id: 2, result: { name } });
  });

  it("becomes an event stream with the first notification, which is sent at once", async () => {
    const response = await call(1, "a", "stream").response;
    expect(response.headers).toMatchObject({ "content-type": SSE_TYPE, "cache-control": "no-store, no-transform" });
    expect(ended).toEqual([]);
    held.open();
    expect(await textOf(response)).toBe(
      'event: message\ndata: {"method":"notifications/progress","params":{"progressToken":"t","progress":1,"total":4,"message":"line\\nbreak"},"jsonrpc":"2.0"}\n\n' +
        'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"name":"a"}}\n\n',
    );
  });

  it("tells progress that increases, and none after the result", async () => {
    const answer = await send(endpoint.url, { body: rpc("p", "progress", TOLD) });
    const told = events(answer.text);
    expect(told).toMatchObject([
      { params: { progress: 1 } },
      { params: { progress: 2 } },
      { params: { progress: 3 } },
      { id: "p", result: { done: true } },
    ]);
  });

  it("to a batch is a stream of single messages once one of its handlers speaks", async () => {
    held.open();
    const body = [rpc(1, "ping"), rpc(2, "stream", { name: "b", ...TOLD }), rpc(3, "no/such")];
    const answer = await send(endpoint.url, { body, headers: { "mcp-protocol-version": "2025-03-26" } });
    expect(answer.headers["content-type"]).toBe(SSE_TYPE);
    const told = events(answer.text);
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        { jsonrpc: "2.0", id: 1, result: {} },
        { jsonrpc: "2.0", id: 2, result: { name: "b" } },
        { jsonrpc: "2.0", id: 3, error: { code: -32601, message: "Method not found" } },
      ]),
    );
  });
});

describe("a cancellation", () => {
  it.each([
    ["an integer", 7],
    ["zero", 0],
    ["a string", "seven"],
    ["an empty string", ""],
  ])("aborts the handler and ends the POST without a response: %s", async (_, id) => {
    const { response } = call(id, "a");
    await expect.poll(() => began).toEqual(["a"]);
    expect(await cancel(id)).toMatchObject({ status: 202, text: "" });
    const message = await response;
    expect(message).toMatchObject({ statusCode: 200, headers: { "content-type": SSE_TYPE } });
    expect(await textOf(message)).toBe("");
    expect(aborted).toEqual(["a"]);
    held.open();
  });

  it("ends a stream that has begun", async () => {
    const response = await call(1, "a", "stream").response;
    await cancel(1);
    expect(events(await textOf(response))).toMatchObject([{ method: "notifications/progress" }]);
    expect(aborted).toEqual(["a"]);
    held.open();
  });

  it.each([
    ["another caller's", 7, "bob"],
    ["the string that looks like the number", "7", "ada"],
    ["an unknown id's", 8, "ada"],
  ])("changes nothing when it is %s", async (_, requestId, token) => {
    const { response } = call(7, "a");
    await expect.poll(() => began).toEqual(["a"]);
    expect(await cancel(requestId, token)).toMatchObject({ status: 202 });
    held.open();
    expect(await textOf(await response)).toBe('{"jsonrpc":"2.0","id":7,"result":{"name":"a"}}');
    expect(aborted).toEqual([]);
  });

  it("reaches the caller's own request where another caller has the same id", async () => {
    const mine = call(7, "mine");
    const theirs = call(7, "theirs", "hold", "bob");
    await expect.poll(() => began).toHaveLength(2);
    await cancel(7);
    await mine.response;
    expect(aborted).toEqual(["mine"]);
    held.open();
    expect(await textOf(await theirs.response)).toContain("theirs");
  });

  it("changes nothing where two clients of one connection have the same id", async () => {
    const calls = [call(7, "a"), call(7, "b")];
    await expect.poll(() => began).toHaveLength(2);
    await cancel(7);
    held.open();
    const texts = await Promise.all(calls.map(async ({ response }) => await textOf(await response)));
    expect(texts.every((text) => text.includes('"result"'))).toBe(true);
    expect(aborted).toEqual([]);
  });

  it("leaves the rest of its batch alone", async () => {
    const body = [
      rpc(1, "hold", { name: "a" }),
      rpc(2, "ping"),
      notification("notifications/cancelled", { requestId: 1 }),
    ];
    const answer = await send(endpoint.url, { body, headers: { "mcp-protocol-version": "2025-03-26" } });
    expect(answer.text).toBe('[{"jsonrpc":"2.0","id":2,"result":{}}]');
    held.open();
  });

  it("that comes after the result changes nothing", async () => {
    held.open();
    await send(endpoint.url, { body: rpc(1, "hold", { name: "a" }) });
    expect(await cancel(1)).toMatchObject({ status: 202 });
    expect(aborted).toEqual([]);
  });
});

describe("a client that goes away", () => {
  it.each(["hold", "stream"])("does not cancel what it asked for (%s)", async (method) => {
    const { response, abort } = call(1, "a", method);
    await expect.poll(() => began).toEqual(["a"]);
    if (method === "stream") await response;
    abort();
    await expect.poll(() => endpoint.openCalls.size).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(aborted).toEqual([]);
    held.open();
    await expect.poll(() => ended).toEqual(["a"]);
    await expect.poll(() => endpoint.openCalls.size).toBe(0);
    expect(endpoint.errors).toEqual([]);
  });

  it("can still cancel it from another connection", async () => {
    const { abort } = call("far", "a");
    await expect.poll(() => began).toEqual(["a"]);
    abort();
    await cancel("far");
    await expect.poll(() => aborted).toEqual(["a"]);
    held.open();
  });
});

describe("revoking a connection", () => {
  it("answers 401 where no answer has begun, and aborts the handler", async () => {
    const { response } = call(1, "a");
    await expect.poll(() => began).toEqual(["a"]);
    expect(endpoint.openCalls.abort(({ key }) => key === "connection-ada")).toBe(1);
    const message = await response;
    expect(message.statusCode).toBe(401);
    expect(message.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
    expect(await textOf(message)).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"This connection was revoked, or what it may do has changed."}}',
    );
    await expect.poll(() => aborted).toEqual(["a"]);
    expect(endpoint.openCalls.size).toBe(0);
    held.open();
  });

  it("ends open streams without a result, and aborts their handlers", async () => {
    const message = await call(1, "a", "stream").response;
    const ending = once(message, "end");
    expect(endpoint.openCalls.abort(({ key }) => key === "connection-ada")).toBe(1);
    expect(events(await textOf(message))).toMatchObject([{ method: "notifications/progress" }]);
    await ending;
    expect(aborted).toEqual(["a"]);
    held.open();
  });

  it("aborts every handler of a batch", async () => {
    const body = [rpc(1, "hold", { name: "a" }), rpc(2, "hold", { name: "b" })];
    const { response } = begin(endpoint.url, { body, headers: { "mcp-protocol-version": "2025-03-26" } });
    await expect.poll(() => began).toEqual(["a", "b"]);
    endpoint.openCalls.abort(({ key }) => key === "connection-ada");
    expect((await response).statusCode).toBe(401);
    expect(aborted).toEqual(["a", "b"]);
    held.open();
  });

  it("leaves every other connection alone", async () => {
    const { response } = call(1, "theirs", "hold", "bob");
    await expect.poll(() => began).toEqual(["theirs"]);
    expect(endpoint.openCalls.abort(({ key }) => key === "connection-ada")).toBe(0);
    held.open();
    expect((await response).statusCode).toBe(200);
    expect(aborted).toEqual([]);
  });

  it("answers a call whose body is still on its way, and never starts it", async () => {
    const sent = request(endpoint.url, {
      method: "POST",
      headers: { authorization: "Bearer ada", accept: "*/*", "content-type": "application/json" },
    });
    sent.write('{"jsonrpc":"2.0","id":1,');
    await expect.poll(() => endpoint.openCalls.size).toBe(1);
    endpoint.openCalls.abort(({ key }) => key === "connection-ada");
    sent.end('"method":"hold","params":{"name":"late"}}');
    const [message] = await once(sent, "response");
    expect(message.statusCode).toBe(401);
    expect(began).toEqual([]);
  });

  it("catches a call that is being authenticated at that moment", async () => {
    const authenticating = gate();
    const release = gate();
    let handled = 0;
    const other = await startEndpoint(
      plainServer({
        count: async () => {
          handled++;
          return {};
        },
      }),
      {
        authenticate: async () => {
          authenticating.open();
          await release.opened;
          return assistant("c");
        },
      },
    );
    const first = send(other.url, { body: rpc(1, "count") });
    await authenticating.opened;
    other.openCalls.abort(({ key }) => key === "connection-c");
    release.open();
    expect((await first).status).toBe(401);
    expect(handled).toBe(0);
    expect((await send(other.url, { body: rpc(2, "count") })).status).toBe(200);
    await other.close();
  });
});
