import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ErpError } from "../../../../src/gateways/erp/gateway.ts";
import { erpGateway } from "../../../../src/gateways/erp/index.ts";
import { served } from "../../../support/served.ts";
import { answering, connect, failure, invoices, PASSWORD, readAll, simulator, USER } from "../support.ts";

const encoded = Buffer.from(`${USER}:${PASSWORD}`).toString("base64");
const expectNoSecrets = (error: ErpError): void => {
  const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error) + error.publicMessage;
  for (const secret of [PASSWORD, encoded, "127.0.0.1"]) expect(shown).not.toContain(secret);
};

test("the provider's name finds the connector, which sends the user and password as they are", async () => {
  const erp = await simulator({ invoices: invoices(1, 2) });
  const gateway = erpGateway("oracle_fusion", {
    baseUrl: `${erp.url}/`,
    username: USER,
    password: PASSWORD,
    reach: "any",
  });
  expect(await readAll(gateway)).toHaveLength(2);
  expect(erp.requests[0]?.headers.authorization).toBe(`Basic ${encoded}`);
});

test("keeps a path in front of Fusion's own", async () => {
  const erp = await simulator({ invoices: invoices(1, 2) });
  const url = await served(async (request, response) => {
    const path = (request.url ?? "").replace(/^\/proxy\/erp/, "");
    const headers = { authorization: request.headers.authorization ?? "", "rest-framework-version": "4" };
    response.end(await (await fetch(`${erp.url}${path}`, { headers })).text());
  });
  expect(await readAll(connect(`${url}/proxy/erp/`))).toHaveLength(2);
});

test("a wrong password is authentication_failed", async () => {
  const erp = await simulator();
  const error = await failure(readAll(connect(erp.url, { password: "wrong" })));
  expect([error.kind, error.publicMessage]).toEqual([
    "authentication_failed",
    "The ERP refused the user name or password.",
  ]);
  expect(erp.requests).toHaveLength(1);
});

test.each([
  ["403", "authentication_failed"],
  ["404", "erp_rejected"],
  ["500", "erp_unreachable"],
  ["drop", "erp_unreachable"],
  ["cut", "erp_unreachable"],
] as const)("%s is %s, at once", async (mode, kind) => {
  const erp = await simulator({ invoices: invoices(1, 2) });
  erp.control({ mode });
  const error = await failure(readAll(connect(erp.url)));
  expect(error.kind).toBe(kind);
  expect(erp.requests).toHaveLength(1);
  expectNoSecrets(error);
});

test("nobody listening is erp_unreachable", async () => {
  const erp = await simulator();
  await erp.close();
  const error = await failure(readAll(connect(erp.url)));
  expect([error.kind, error.message]).toEqual(["erp_unreachable", "The ERP cannot be reached. (ECONNREFUSED)"]);
  expectNoSecrets(error);
});

test("a failure in a later page is thrown after the pages before it", async () => {
  const erp = await simulator({ invoices: invoices(1, 9) });
  erp.control({ mode: "500", after: 2 });
  let pages = 0;
  const error = await failure(readAll(connect(erp.url, { pageSize: 3 }), () => (pages += 1)));
  expect([pages, error.kind]).toEqual([2, "erp_unreachable"]);
});

test("an answer that does not come in time is erp_unreachable", async () => {
  const erp = await simulator();
  erp.control({ mode: "hang" });
  const error = await failure(readAll(connect(erp.url, { timeoutMs: 80 })));
  expect([error.kind, error.publicMessage]).toEqual(["erp_unreachable", "The ERP did not answer in time."]);
});

test("an answer that starts and never ends is erp_unreachable", async () => {
  const url = await served((_request, response) => void response.write('{"items":['));
  expect((await failure(readAll(connect(url, { timeoutMs: 80 })))).kind).toBe("erp_unreachable");
});

test("an aborted read rejects with the signal's own reason, also while waiting for a retry", async () => {
  const erp = await simulator();
  for (const control of [{ mode: "hang" }, { mode: "429", retry_after: 30 }] as const) {
    erp.control(control);
    const controller = new AbortController();
    const reason = new Error("the server is stopping");
    setTimeout(() => controller.abort(reason), 60);
    const reading = connect(erp.url).readInvoicePages({ pullFrom: null, signal: controller.signal });
    await expect(Array.fromAsync(reading)).rejects.toBe(reason);
  }
});

test("an aborted signal sends nothing", async () => {
  const erp = await simulator();
  const reading = connect(erp.url).readInvoicePages({ pullFrom: null, signal: AbortSignal.abort() });
  await expect(Array.fromAsync(reading)).rejects.toThrow();
  expect(erp.requests).toEqual([]);
});

test.each(["429", "503"] as const)("%s is waited out as long as Retry-After asks", async (mode) => {
  const erp = await simulator({ invoices: invoices(1, 2) });
  erp.control({ mode, retry_after: 1, times: 1 });
  const start = performance.now();
  expect(await readAll(connect(erp.url))).toHaveLength(2);
  expect(performance.now() - start).toBeGreaterThan(990);
  expect(erp.requests).toHaveLength(2);
});

test("Retry-After may be a date", async () => {
  const erp = await simulator({ invoices: invoices(1, 2) });
  const now = new Date("2026-10-01T12:00:00Z");
  erp.control({ mode: "503", retry_after: "Thu, 01 Oct 2026 12:00:01 GMT", times: 1 });
  const start = performance.now();
  expect(await readAll(connect(erp.url, { now: () => now }))).toHaveLength(2);
  expect(performance.now() - start).toBeGreaterThan(990);
});

test("a server that stays busy is given up", async () => {
  const erp = await simulator();
  erp.control({ mode: "429" });
  const error = await failure(readAll(connect(erp.url, { maxRetries: 2 })));
  expect([error.kind, error.publicMessage]).toEqual(["erp_unreachable", "The ERP is limiting requests."]);
  expect(erp.requests).toHaveLength(3);
});

test("a server that asks for a long rest gets it at once", async () => {
  const erp = await simulator();
  erp.control({ mode: "503", retry_after: 3_600 });
  const error = await failure(readAll(connect(erp.url)));
  expect(error.kind).toBe("erp_unreachable");
  expect(erp.requests).toHaveLength(1);
});

test("both shapes of Oracle's errors are read, for the log alone", async () => {
  const json = { title: "Bad Request", status: "400", "o:errorDetails": [{ detail: "Bad q.", "o:errorCode": "AR_1" }] };
  for (const [body, detail] of [
    [json, "AR_1: Bad q."],
    [{ title: "Bad Request" }, "Bad Request"],
    ["Bad q in\nplain\u202e\u0007 text", "Bad q in plain text"],
    [{ "o:errorDetails": "no list" }, '{"o:errorDetails":"no list"}'],
  ] as const) {
    const error = await failure(readAll(connect(await answering(body, 400))));
    expect(error.kind).toBe("erp_rejected");
    expect(error.publicMessage).toBe("The ERP refused the request with status 400.");
    expect(error.message).toBe(`${error.publicMessage} (${detail})`);
  }
});

test("a long error page is cut", async () => {
  const error = await failure(readAll(connect(await answering("<p>x</p>".repeat(100_000), 500))));
  expect(error.kind).toBe("erp_unreachable");
  expect(error.message.length).toBeLessThan(400);
});

test("redirects are not followed", async () => {
  let followed = false;
  const elsewhere = await served((_request, response) => {
    followed = true;
    response.end("{}");
  });
  for (const status of [301, 302, 307, 308]) {
    const error = await failure(readAll(connect(await answering("", status, { Location: elsewhere }))));
    expect(error.publicMessage).toBe(
      "Something other than the ERP answered at its address: a redirect, which is not followed.",
    );
    expect(error.kind).toBe("erp_unreachable");
  }
  expect(followed).toBe(false);
});

test("absurd nesting is erp_rejected", async () => {
  const error = await failure(readAll(connect(await answering(`${"[".repeat(200_000)}${"]".repeat(200_000)}`))));
  expect(error.kind).toBe("erp_rejected");
});

test("an answer is read no further than its cap, packed or not", async () => {
  const body = gzipSync(JSON.stringify({ items: [], padding: "x".repeat(5_000_000) }));
  const url = await answeringBytes(body, { "Content-Encoding": "gzip" });
  const error = await failure(readAll(connect(url, { maxResponseBytes: 1_000_000 })));
  expect([error.kind, error.publicMessage]).toEqual([
    "erp_rejected",
    "The ERP's answer cannot be used: it is larger than 1000000 bytes.",
  ]);
});

const answeringBytes = (bytes: Buffer, headers: Record<string, string>) =>
  served((_request, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  });

test.each(["ftp://erp.example", "not an address", "", "https://erp.example/?x=1", "file:///etc/passwd"])(
  "%j is no address of an ERP",
  (baseUrl) => {
    expect(() => connect(baseUrl)).toThrow(expect.objectContaining({ name: "ErpError", kind: "erp_rejected" }));
  },
);

test("an address with credentials in it is refused, and not repeated", () => {
  expect(() => connect("https://someone:hunter2@erp.example")).toThrow(/must not contain/);
  expect(() => connect("https://someone:hunter2@erp.example")).not.toThrow(/hunter2/);
});
