import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Book, openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { errorOf, newKey, openRestApp, type RestApp, send } from "../support/rest-app.ts";
import { openAStore } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One store is enough: nothing here is about rows. */
describe("the HTTP of the REST API", () => {
  const opened = useStore(openAStore);
  const core = testCore(opened.store);
  let app: RestApp;
  let book: Book;
  let key: string;

  beforeAll(async () => {
    app = await openRestApp(core, { limited: false });
    book = await openBook(opened.store);
    key = await newKey(core, book.tenantId);
  });
  afterAll(() => app.close());

  const call = (path: string, init: Parameters<typeof send>[1] = {}) => send(`${app.url}${path}`, { key, ...init });
  const schedule = (json: unknown) =>
    call(`/v1/erp-connections/${book.connectionId}/sync-schedule`, { method: "POST", json });
  const fields = (body: unknown): string[] => (errorOf(body).details ?? []).map((detail) => detail.field).sort();
  const code = (body: unknown): string => errorOf(body).code;

  it("gives every response an id, the caller's own where it is well-formed, and echoes it in errors [service.2.9.request-id]", async () => {
    const own = await call("/v1/me", { headers: { "X-Request-Id": "my.request-0001" } });
    expect(own.headers.get("X-Request-Id")).toBe("my.request-0001");
    for (const given of ["short", "with space in it", "x".repeat(200)]) {
      const made = await call("/v1/nope", { headers: { "X-Request-Id": given } });
      expect(made.headers.get("X-Request-Id")).toMatch(UUID);
      expect(made.body).toMatchObject({ error: { request_id: made.headers.get("X-Request-Id") } });
    }
  });

  it("tells the headroom on every response [service.4.headers]", async () => {
    const requests = [
      call("/v1/me"),
      call("/v1/nope"),
      call("/v1/me", { method: "DELETE" }),
      call("/v1/invoices?limit=0"),
      send(`${app.url}/v1/me`),
      send(`${app.url}/v1/me`, { key: "wrong" }),
    ];
    for (const { headers, status } of await Promise.all(requests)) {
      expect(headers.get("RateLimit-Limit"), String(status)).toMatch(/^(120|20)$/);
      expect(headers.get("RateLimit-Remaining")).toMatch(/^\d+$/);
      expect(headers.get("RateLimit-Reset")).toMatch(/^[1-9]\d*$/);
      expect(headers.get("Content-Type")).toBe("application/json; charset=utf-8");
      expect(headers.get("Cache-Control")).toBe("no-store");
    }
  });

  it("challenges as a bearer resource does", async () => {
    expect((await send(`${app.url}/v1/me`)).headers.get("WWW-Authenticate")).toBe('Bearer realm="api"');
    expect((await call("/v1/me", { key: "x" })).headers.get("WWW-Authenticate")).toMatch(/error="invalid_token"/);
  });

  it("answers unknown paths with 404, to the letter [service.7.paths]", async () => {
    for (const path of ["/v1", "/v1/", "/v1/nope", "/v1/me/", "/v1/Me", "/v1/invoices/a/b", "/v1//me", "/v2/me", "/"]) {
      const { status, body } = await call(path);
      expect({ path, status, code: code(body) }).toEqual({ path, status: 404, code: "not_found" });
      expect(errorOf(body).message).toContain("/docs");
    }
    expect((await send(`${app.url}/v1/nope`)).status).toBe(401);
  });

  it("answers a method the path does not have with 405 and Allow [service.7.method]", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "REPORT"]) {
      const { status, headers, body } = await call("/v1/me", { method });
      expect({ method, status, code: code(body) }).toEqual({ method, status: 405, code: "method_not_allowed" });
      expect(headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
    }
    const { headers } = await call(`/v1/tasks/${randomUUID()}/dismiss`);
    expect(headers.get("Allow")).toBe("POST, OPTIONS");
  });

  it("serves HEAD as a GET without its body, and OPTIONS with Allow", async () => {
    const [head, get] = await Promise.all([call("/v1/invoices", { method: "HEAD" }), call("/v1/invoices")]);
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers.get("Content-Length")).toBe(get.headers.get("Content-Length"));
    const options = await call("/v1/invoices", { method: "OPTIONS" });
    expect(options).toMatchObject({ status: 204, text: "" });
    expect(options.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
  });

  it.each([
    ["limit=0", ["limit"]],
    ["limit=1.5", ["limit"]],
    ["limit=1e1", ["limit"]],
    ["limit=", ["limit"]],
    ["limit=ten", ["limit"]],
    ["limit=99999999999999999999", ["limit"]],
    ["include_total=1", ["include_total"]],
    ["include_total=TRUE", ["include_total"]],
    ["include_total", ["include_total"]],
    ["order=up", ["order"]],
    ["cursor=", ["cursor"]],
    ["currency=usd", ["currency"]],
    ["due_before=2026-02-30", ["due_before"]],
    ["invoice_number=", ["invoice_number"]],
    ["invoice_number=%00", ["invoice_number"]],
    ["foo=1&bar=2", ["bar", "foo"]],
    ["limit[]=1", ["limit[]"]],
    ["limit=1&limit=2", ["limit"]],
    ["limit=1&%6Cimit=2", ["limit"]],
    ["currency=%zz", ["currency"]],
    ["currency=%ff", ["currency"]],
    ["__proto__=1", ["__proto__"]],
    ["tenant_id=1", ["tenant_id"]],
    ["limit=0&order=up&currency=x", ["currency", "limit", "order"]],
  ])("refuses the query %s, naming the field [service.7.validation]", async (query, named) => {
    const { status, body } = await call(`/v1/invoices?${query}`);
    expect({ status, code: code(body), fields: fields(body) }).toEqual({
      status: 400,
      code: "validation_failed",
      fields: named,
    });
  });

  it("takes parameters as forms and browsers write them", async () => {
    const { status } = await call(
      "/v1/invoices?&limit=05&invoice_number=A+B%20%C3%A9&&updated_since=2026-01-01T00:00:00%2B02:00&",
    );
    expect(status).toBe(200);
  });

  it("names a malformed id in a path as the path does [service.7.validation]", async () => {
    for (const id of ["1", "%ff", "%00", "..%2f..", "null"]) {
      const { status, body } = await call(`/v1/invoices/${id}`);
      expect({ id, status, fields: fields(body) }).toEqual({ id, status: 400, fields: ["invoiceId"] });
    }
    const { body } = await call(`/v1/invoices/${randomUUID()}?invoice_id=${randomUUID()}`);
    expect(fields(body)).toEqual(["invoice_id"]);
  });

  it("names no field that it would refuse there, nor another place for one taken here [completions.10.errors.steer]", async () => {
    const messages = async (path: string, init: Parameters<typeof send>[1] = {}) =>
      (errorOf((await call(path, init)).body).details ?? []).map(({ field, message }) => `${field} ${message}`);
    const post = (json: object) => ({ method: "POST", json, headers: { "Idempotency-Key": "a" } });
    expect(await messages(`/v1/payment-links/${randomUUID()}/deactivate`, post({ memo: "x" }))).toEqual([
      "memo is not a known field: none is taken here",
    ]);
    expect(await messages(`/v1/invoices/${randomUUID()}?x=1`)).toEqual(["x is not a known field: none is taken here"]);
    expect(await messages("/v1/invoices?__proto__=1")).toEqual([
      expect.stringContaining("known are collection_status,"),
    ]);
    expect(await messages("/v1/payments?page=2&sort=asc")).toEqual([
      "page is not a known field: the nearest is `cursor`",
      "sort is not a known field: the nearest is `order`",
    ]);
    expect(await messages("/v1/tasks?status=open")).toEqual(["status is not a known field: the nearest is `state`"]);
    expect(await messages("/v1/aging/installments?bucket=90")).toEqual([expect.not.stringContaining("nearest")]);
    expect(await messages("/v1/invoices?fields=id")).toEqual([
      "fields is not a known field: only the assistants' tools take it",
    ]);
    expect(await messages("/v1/payment-links?invoice_id=1", post({}))).toEqual(["invoice_id belongs in the body"]);
    expect(await messages("/v1/payment-links", post({ idempotency_key: "a" }))).toContain(
      "idempotency_key is not a known field: the header `Idempotency-Key` takes it",
    );
    const email = `/v1/payment-links/${randomUUID()}/email/reschedule`;
    expect(await messages(email, post({ send_at: "tomorrow" }))).toEqual([expect.not.stringContaining("%2B")]);
  });

  it("takes the id of a path in either case", async () => {
    const { invoice } = await book.invoice();
    expect((await call(`/v1/invoices/${invoice.invoice_id.toUpperCase()}`)).status).toBe(200);
  });

  it("refuses bodies that are not the JSON object asked for, naming the field [service.7.validation]", async () => {
    const good = { interval_minutes: 60, enabled: true };
    expect((await schedule(good)).status).toBe(200);
    for (const [json, named] of [
      [{ interval_minutes: 60 }, ["enabled"]],
      [{}, ["enabled", "interval_minutes"]],
      [{ ...good, interval_minutes: "60" }, ["interval_minutes"]],
      [{ ...good, enabled: "true" }, ["enabled"]],
      [{ ...good, extra: 1 }, ["extra"]],
      [{ ...good, connection_id: randomUUID() }, ["connection_id"]],
      [[good], ["body"]],
      [null, ["body"]],
      ["text", ["body"]],
    ] as const) {
      const { status, body } = await schedule(json);
      expect({ json, status, fields: fields(body) }).toEqual({ json, status: 400, fields: named });
    }
    const path = `/v1/erp-connections/${book.connectionId}/sync-schedule`;
    expect(fields((await call(`${path}?enabled=true`, { method: "POST", json: good })).body)).toEqual(["enabled"]);
    for (const text of ["{", "{'enabled':true}", "\u00ff", '{"enabled":true}x', "NaN"]) {
      const headers = { "Content-Type": "application/json" };
      const { status, body } = await call(path, { method: "POST", headers, body: Buffer.from(text, "latin1") });
      expect({ text, status, fields: fields(body) }).toEqual({ text, status: 400, fields: ["body"] });
    }
    expect(fields((await call(path, { method: "POST" })).body)).toEqual(["enabled", "interval_minutes"]);
  });

  it("answers other types of body with 415 [service.7.media-type]", async () => {
    const path = `/v1/erp-connections/${book.connectionId}/sync-schedule`;
    const body = JSON.stringify({ interval_minutes: 60, enabled: true });
    for (const headers of [
      { "Content-Type": "text/plain" },
      { "Content-Type": "application/x-www-form-urlencoded" },
      { "Content-Type": "application/json; charset=latin1" },
      { "Content-Type": "application/json", "Content-Encoding": "gzip" },
    ]) {
      const refused = await call(path, { method: "POST", headers, body });
      expect({ status: refused.status, code: code(refused.body) }).toEqual({ status: 415, code: "validation_failed" });
      expect(fields(refused.body)).toEqual(["Content-Encoding" in headers ? "Content-Encoding" : "Content-Type"]);
    }
    const headers = { "Content-Type": 'application/json; charset="UTF-8"' };
    expect((await call(path, { method: "POST", headers, body })).status).toBe(200);
  });

  it("answers bodies over 64 KiB with 413, on operations without a body too [service.8.body-size]", async () => {
    const { connectionId } = book;
    const headers = { "Content-Type": "application/json" };
    for (const path of [`/v1/erp-connections/${connectionId}/sync-schedule`, `/v1/tasks/${randomUUID()}/dismiss`]) {
      const refused = await call(path, { method: "POST", headers, body: "x".repeat(65_537) });
      expect({ status: refused.status, code: code(refused.body) }).toEqual({ status: 413, code: "payload_too_large" });
      const fits = await call(path, { method: "POST", headers, body: "x".repeat(65_536) });
      expect({ status: fits.status, fields: fields(fits.body) }).toEqual({ status: 400, fields: ["body"] });
    }
    const stream = ReadableStream.from(Array.from({ length: 70 }, () => Buffer.alloc(1_000, " ")));
    const chunked = await call(`/v1/tasks/${randomUUID()}/dismiss`, {
      method: "POST",
      headers,
      body: stream,
      duplex: "half",
    });
    expect(chunked.status).toBe(413);
  });

  it("takes no body, or an empty object, where there is none to send", async () => {
    const path = `/v1/tasks/${randomUUID()}/dismiss`;
    const post = (init: Parameters<typeof call>[1]) => call(path, { method: "POST", ...init });
    expect((await post({})).status).toBe(404);
    expect((await post({ json: {} })).status).toBe(404);
    expect((await post({ headers: { "Content-Type": "text/plain" }, body: "" })).status).toBe(404);
    const refused = await post({ json: { force: true } });
    expect({ status: refused.status, fields: fields(refused.body) }).toEqual({ status: 400, fields: ["force"] });
  });

  it("never reads a body of somebody who may not call", async () => {
    const readonly = await newKey(core, book.tenantId, "readonly");
    const path = `/v1/erp-connections/${book.connectionId}/sync-schedule`;
    const refused = await call(path, { method: "POST", key: readonly, body: "x".repeat(70_000) });
    expect({ status: refused.status, code: code(refused.body) }).toEqual({ status: 403, code: "permission_denied" });
    const keysPage = "An admin of the workspace makes keys at https://receivables.example.test/api-keys.";
    expect(JSON.stringify(refused.body)).toContain(keysPage);
    for (const headers of [{}, { authorization: "Bearer nonsense" }]) {
      const unknown = await (await fetch(`${app.url}/v1/me`, { headers })).text();
      expect(unknown).toContain(keysPage);
    }
  });

  it("answers a request that breaks off in its body, and serves the next", async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.write(
      `POST /v1/tasks/${randomUUID()}/dismiss HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\n{`,
    );
    setTimeout(() => socket.destroy(), 50);
    await ended;
    expect((await call("/v1/me")).status).toBe(200);
  });

  it("takes a target with scheme and host, as proxies are sent", async () => {
    const { hostname, port, host } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET http://${host}/v1/me HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
    );
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 /);
  });
});
