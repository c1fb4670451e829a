import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addMember } from "../../auth/members/add-member.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { LEAST_BYTES } from "../../src/http/compressed.ts";
import { openBook } from "../support/book.ts";
import { listen } from "../support/http.ts";
import { signInAndApprove } from "../support/oauth-client.ts";
import { PASSWORD } from "../support/people.ts";
import { newKey } from "../support/rest-app.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

const plain = ({ headers, bytes }: Answer): string => {
  const encoding = headers["content-encoding"];
  return (encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes).toString();
};

describe("answers above 1 KiB", () => {
  let service: RunningService;
  let key: string;
  let token: string;

  beforeAll(async () => {
    service = await startService(A_KIND, {});
    const book = await openBook(service.core.store);
    for (let index = 0; index < 6; index += 1) await book.invoice();
    key = await newKey(service.core, book.tenantId);
    const email = "reader@example.com";
    await operate(service.core, book.tenantId, addMember, { email, role: "member", password: PASSWORD });
    token = (await signInAndApprove(service.url, { email, password: PASSWORD })).accessToken;
  });
  afterAll(() => service.close());

  async function ask(
    path: string,
    headers: Record<string, string> = {},
    body?: object,
    method = body ? "POST" : "GET",
  ) {
    const { host } = new URL(service.url);
    const sent = request(`${service.via}${path}`, { method, headers: { host, ...headers } });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response]: IncomingMessage[] = await once(sent, "response");
    if (response === undefined) throw new Error("no answer");
    return { status: response.statusCode ?? 0, headers: response.headers, bytes: await buffer(response) };
  }
  const authorized = (more: Record<string, string> = {}) => ({ authorization: `Bearer ${key}`, ...more });

  it.each([
    ["br", "gzip, deflate, br, zstd"],
    ["br", "*"],
    ["gzip", "gzip, deflate"],
    ["gzip", "br;q=0.1, GZIP;q=0.9"],
    ["br", "br;q=0.5, gzip;q=0.5"],
    [undefined, "deflate, zstd"],
    [undefined, "gzip;q=0, br;q=0"],
    [undefined, "identity, gzip;q=0.5"],
    [undefined, ""],
  ])("are %s where a client takes %s [contract.http.compression]", async (encoding, accepted) => {
    const answer = await ask("/v1/invoices", authorized({ "accept-encoding": accepted }));
    expect(answer.headers["content-encoding"]).toBe(encoding);
    expect(answer.headers.vary).toMatch(/accept-encoding/i);
    expect(answer.headers["content-length"]).toBe(String(answer.bytes.byteLength));
    const whole = plain(answer);
    expect(JSON.parse(whole)).toMatchObject({ data: expect.any(Array), pagination: { has_more: false } });
    if (encoding !== undefined) expect(answer.bytes.byteLength).toBeLessThan(whole.length / 2);
  });

  it("are sent as they are below that, and varied all the same [contract.http.compression]", async () => {
    const answer = await ask("/v1/me", authorized({ "accept-encoding": "br" }));
    expect(answer.bytes.byteLength).toBeLessThan(LEAST_BYTES);
    expect(answer.headers).toMatchObject({ vary: expect.stringMatching(/accept-encoding/i) });
    expect(answer.headers).not.toHaveProperty("content-encoding");
  });

  it("say the same to a HEAD [contract.http.compression]", async () => {
    const accepting = authorized({ "accept-encoding": "gzip" });
    const got = await ask("/v1/invoices", accepting);
    const head = await ask("/v1/invoices", accepting, undefined, "HEAD");
    for (const name of ["content-encoding", "content-length", "vary"])
      expect(head.headers[name]).toBe(got.headers[name]);
    expect(head.bytes.byteLength).toBe(0);
  });

  it("of assistants are compressed too [contract.http.compression]", async () => {
    const call = (name: string, more: object = {}) =>
      ask(
        "/mcp",
        {
          authorization: `Bearer ${token}`,
          "accept-encoding": "br, gzip",
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-protocol-version": "2025-06-18",
        },
        { jsonrpc: "2.0", id: 1, method: name, params: more },
      );
    const list = await call("tools/list");
    expect(list.headers).toMatchObject({ "content-encoding": "br", vary: expect.stringMatching(/accept-encoding/i) });
    expect(JSON.parse(plain(list))).toMatchObject({ result: { tools: expect.any(Array) } });
  });

  it("of the reference are compressed, and revalidated [contract.http.compression]", async () => {
    for (const path of ["/openapi.json", "/docs", "/docs/guides/errors", "/docs/search.json"]) {
      const [as, br] = [await ask(path), await ask(path, { "accept-encoding": "br" })];
      expect([path, br.headers["content-encoding"]]).toEqual([path, "br"]);
      expect(plain(br) === as.bytes.toString()).toBe(true);
      const again = await ask(path, { "accept-encoding": "br", "if-none-match": String(br.headers.etag) });
      expect({ path, status: again.status, bytes: again.bytes.byteLength }).toEqual({ path, status: 304, bytes: 0 });
    }
  });

  it("that are pages for people never are: their length would tell of the tokens in them [contract.http.compression]", async () => {
    for (const path of ["/signin", "/", "/connections", "/oauth/jwks"]) {
      const answer = await ask(path, { "accept-encoding": "br, gzip" });
      expect([path, answer.headers["content-encoding"]]).toEqual([path, undefined]);
    }
  });
});

it("a connection is kept for 75 seconds [contract.http.keep-alive]", async () => {
  const { url, close } = await listen((_request, response) => void response.end());
  expect((await fetch(url)).headers.get("keep-alive")).toBe("timeout=75");
  await close();
});
