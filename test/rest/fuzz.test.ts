import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { FAILED_ATTEMPT_LIMITS } from "../../src/core/gate/rate-limits.ts";
import { ERRORS } from "../../src/core/kernel/error.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { withSandbox } from "../core/workflows/support.ts";
import { type Book, openBook } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { errorOf, newKey, openRestApp, type RestApp } from "../support/rest-app.ts";
import { A_STORE, times } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";
import { freshLink, furnish, type Ids } from "./operations.ts";

const REQUESTS = times(2_000, 5_000);
const AT_ONCE = 20;
/** Statuses a caller may be answered with; 415, 408 and 431 say of HTTP what validation_failed says of a field. */
const STATUSES = new Set([200, 201, 202, 204, 304, 408, 415, 431, ...Object.values(ERRORS).map((error) => error.http)]);

/** What stands for what would fill the report of a failure. */
const LARGE: Readonly<Record<string, string>> = {
  "<long>": "a".repeat(5_000),
  "<longer>": "a".repeat(20_000),
  "<largest>": "a".repeat(70_000),
  "<deep>": "[".repeat(30_000),
};
const enlarged = (text: string): string => text.replace(/<\w+>/, (name) => LARGE[name] ?? name);

const anyText = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom(
    "",
    "null",
    "undefined",
    "NaN",
    "-0",
    "1e308",
    "9".repeat(40),
    "'; drop table invoices; --",
    "%",
    "_",
  ),
  fc.constantFrom("\u0000", "\uD800", "\u202E", "__proto__", "constructor", "toString", "../..", "<long>"),
);
/** Values that parameters of these names take; ids are put in for numbers. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  limit: ["1", "25", "100"],
  order: ["asc", "desc"],
  include_total: ["true", "false"],
  overdue_only: ["true", "false"],
  has_active_payment_link: ["true", "false"],
  collection_status: ["open", "paid"],
  erp_push_state: ["held", "failed"],
  currency: ["USD", "JPY"],
  invoice_number: ["INV-1", "a b"],
  updated_since: ["2026-03-01T00:00:00Z", "2026-03-01T00:00:00.5+02:00"],
  due_before: ["2026-03-01", "9999-12-31"],
  due_after: ["0001-01-01", "2026-03-01"],
  state: ["open", "dismissed"],
  status: ["running", "failed", "active", "paid", "succeeded"],
  type: ["payment_arrangement", "auto_generate"],
  enabled: ["true", "false"],
  erp_push_status: ["held", "pending"],
  confirmed_since: ["2026-03-01T00:00:00Z"],
  search: ["globex", "%", "\u0130"],
  bucket: ["current", "over_90"],
  sort: ["customer_asc", "outstanding_desc"],
};
/** Mostly what is right: otherwise nothing would ever get past the first check. */
const mostly = <T, U>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: other });
const isEncoded = mostly(fc.constant(true), fc.constant(false));
const strangeHeader = fc.constantFrom(
  ...["Content-Type: text/plain", "Content-Encoding: gzip", "Accept: text/html", "Range: bytes=0-1"],
  ...["If-None-Match: *", "Expect: 100-continue"],
  ...["Idempotency-Key: x", "X-Request-Id: fuzz-request-1", "X-Http-Method-Override: DELETE", "Cookie: a=b"],
  ...["X-Forwarded-For: 1.2.3.4", "X-Long: <longer>", "X-Request-Id: \u00e9", "Broken header"],
);
const schedule = fc.record({ interval_minutes: fc.integer({ min: 0, max: 1_500 }), enabled: fc.boolean() });
/** What an operation takes, for `<own>`; the others take no body. */
const OWN_BODIES: Readonly<Record<string, string>> = {
  setErpSyncSchedule: '{"interval_minutes":60,"enabled":true}',
  setPaymentPushMode: '{"mode":"held"}',
};
const ONE_LINK = '{"invoice_id":"<invoice>","installment_id":"<installment>","amount_minor":1}';
const body = fc.oneof(
  { weight: 4, arbitrary: fc.constant("<own>") },
  fc.constant(""),
  fc.constantFrom(ONE_LINK, `{"links":[${ONE_LINK},${ONE_LINK}]}`),
  { weight: 3, arbitrary: schedule.map((value) => JSON.stringify(value)) },
  fc.constantFrom('{"mode":"held"}', '{"mode":"automatic"}', "{}", "[]", "null", '{"__proto__":{"enabled":true}}'),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom("<deep>", '{"a":"<largest>"}'),
  anyText,
);
/** By its place among the operation's own, with a good value by its place. */
const parameter = fc.tuple(mostly(fc.nat(20), anyText), mostly(fc.nat(8), anyText), isEncoded);
const request = fc.record({
  route: fc.nat(ROUTES.length),
  otherPath: anyText,
  method: mostly(fc.constant(""), fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH")),
  id: mostly(fc.constant("<own>"), fc.oneof(fc.nat(14), anyText)),
  query: fc.oneof(fc.array(parameter, { maxLength: 0 }), fc.array(parameter, { maxLength: 3 })),
  isJson: mostly(fc.constant(true), fc.constant(false)),
  headers: mostly(fc.constant<string[]>([]), fc.array(strangeHeader, { maxLength: 3 })),
  body,
  /** Bytes that are cut out of the request or written over it. */
  damage: mostly(fc.constant(null), fc.tuple(fc.nat(400), fc.uint8Array({ maxLength: 4 }))),
});
type Drawn = typeof request extends fc.Arbitrary<infer R> ? R : never;

/** A request in which nothing is wrong. */
function usual(operationId: string): Drawn {
  const route = ROUTES.findIndex(({ operation }) => operation.id === operationId);
  return {
    ...{ route, otherPath: "", method: "", id: "<own>", query: [], isJson: true, headers: [], body: "<own>" },
    damage: null,
  };
}
/** What is sent whatever is drawn: two writes, and one of each kind of refusal. */
const ALWAYS: Drawn[] = [
  usual("setErpSyncSchedule"),
  usual("setPaymentPushMode"),
  usual("getApiContext"),
  { ...usual("getInvoice"), id: "no id" },
  { ...usual("getInvoice"), id: 99 },
  { ...usual("listInvoices"), method: "PUT" },
  { ...usual("setPaymentPushMode"), isJson: false },
  { ...usual("setPaymentPushMode"), body: '{"a":"<largest>"}' },
];

function encode(text: string): string {
  return encodeURIComponent(enlarged(text).toWellFormed());
}

interface Answer {
  status: number;
  headers: string;
  body: string;
}

describe.each(A_STORE)("any request at all on $name", ({ open }) => {
  const opened = useStore(open);
  const clock = new TestClock();
  let app: RestApp;
  let book: Book;
  let key: string;
  let ids: string[];
  let own: Ids;
  const failures: object[] = [];
  const bare = withSandbox(testCore(opened.store, clock));
  const log: Core["log"] = { ...bare.log, error: (fields, message) => void failures.push({ fields, message }) };
  const core = { ...bare, log };

  beforeAll(async () => {
    app = await openRestApp(core, { limited: false });
    book = await openBook(opened.store);
    key = await newKey(core, book.tenantId);
    own = await freshLink(opened.store, book.tenantId, await furnish(opened.store, book));
    ids = Object.values(own).filter((id) => id.length === 36);
  });
  afterAll(() => app.close());

  const idOf = (drawn: number | string): string => (typeof drawn === "number" ? (ids[drawn] ?? randomUUID()) : drawn);

  /** The bytes of a request as it goes over the wire. */
  function bytesOf(drawn: Drawn): Buffer {
    const route = ROUTES[drawn.route];
    const path =
      route === undefined
        ? `/v1/${encode(drawn.otherPath)}`
        : route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
            encode(idOf(drawn.id === "<own>" ? (own[name] ?? "") : drawn.id)),
          );
    const names = Object.keys(route?.operation.input.shape ?? {});
    const query = drawn.query.map(([which, value, encoded]) => {
      const how = encoded ? encode : (text: string) => text.replaceAll(/[^\x21-\x7e]|[#?&]/g, "%");
      const field = typeof which === "number" ? (names[which % names.length] ?? "") : which;
      const good = Object.hasOwn(GOOD, field) ? GOOD[field] : undefined;
      const text = typeof value === "number" && good !== undefined ? (good[value % good.length] ?? "") : idOf(value);
      return `${how(field)}=${how(text)}`;
    });
    const said = drawn.body === "<own>" ? (OWN_BODIES[route?.operation.id ?? ""] ?? "") : drawn.body;
    const about = said.replaceAll(/<(invoice|installment)>/g, (_, name: string) => own[`${name}_id`] ?? "");
    const content = Buffer.from(enlarged(about));
    const head = [
      `${drawn.method || (route?.method ?? "GET")} ${path}${query.length === 0 ? "" : `?${query.join("&")}`} HTTP/1.1`,
      "Host: localhost",
      "Connection: close",
      `Authorization: Bearer ${key}`,
      `Content-Length: ${content.byteLength}`,
      ...(drawn.isJson ? ["Content-Type: application/json"] : []),
      ...drawn.headers.map(enlarged),
    ];
    const whole = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), content]);
    if (drawn.damage === null) return whole;
    const [at, bytes] = drawn.damage;
    return Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at + 1)]);
  }

  /** Sends bytes and reads until the server ends the connection. Rejects when that takes longer than a minute. */
  function exchange(bytes: Buffer, damaged: boolean): Promise<Answer | null> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(app.url);
      const socket = connect(Number(port), hostname);
      const chunks: Buffer[] = [];
      const timer = setTimeout(() => {
        socket.destroy();
        reject(new Error(`no end of ${JSON.stringify(bytes.toString("latin1").slice(0, 600))}`));
      }, 60_000);
      socket.on("data", (chunk) => chunks.push(chunk));
      socket.on("error", () => undefined);
      socket.once("close", () => {
        clearTimeout(timer);
        const text = Buffer.concat(chunks)
          .toString("latin1")
          .replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
        const found = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(text);
        resolve(found === null ? null : { status: Number(found[1]), headers: found[2] ?? "", body: found[3] ?? "" });
      });
      socket.write(bytes);
      // Damage to a length leaves both sides waiting: then the client says that there is no more.
      if (damaged) setTimeout(() => socket.end(), 50);
    });
  }

  function check(drawn: Drawn, answer: Answer | null): void {
    // A connection that was cut off before a whole head arrived may end without a word.
    if (answer === null) {
      expect(drawn.damage).not.toBeNull();
      return;
    }
    expect(STATUSES).toContain(answer.status);
    expect(answer.status).not.toBe(500);
    expect(answer.headers).toMatch(/^X-Request-Id: \S+$/im);
    if (drawn.method === "HEAD" || answer.status === 204 || answer.body === "") return;
    expect(answer.headers).toMatch(/^Content-Type: application\/json; charset=utf-8$/im);
    const json: unknown = JSON.parse(Buffer.from(answer.body, "latin1").toString());
    if (answer.status >= 400) expect(ERRORS).toHaveProperty(errorOf(json).code);
  }

  it(`gets an answer as described, never a 500, never none [service.7.total]`, { timeout: 300_000 }, async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE, size: "max" }), async (drawn) => {
        // Keys that are damaged on the way never add up to a blocked address.
        clock.advance(FAILED_ATTEMPT_LIMITS.windowSeconds * 1_000);
        const answers = await Promise.all(drawn.map((one) => exchange(bytesOf(one), one.damage !== null)));
        // First, because it says why an answer was a 500.
        expect(failures).toEqual([]);
        for (const [index, one] of drawn.entries()) {
          const answer = answers[index] ?? null;
          check(one, answer);
          statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
        }
      }),
      { numRuns: REQUESTS / AT_ONCE, endOnFailure: true, examples: [[ALWAYS]] },
    );
    // What was sent reached all kinds of answers.
    for (const status of [200, 400, 404, 405]) expect(statuses.get(status) ?? 0).toBeGreaterThan(5);
    for (const status of [413, 415]) expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(0);
  });

  it("leaves the store as its rules have it [service.7.total]", async () => {
    const { tenantId } = book;
    const held = await opened.store.read(tenantId, async (tx) => ({
      invoices: await tx.selectFrom("invoices").select("invoice_id").where("tenant_id", "=", tenantId).execute(),
      connections: await tx.selectFrom("erp_connections").selectAll().where("tenant_id", "=", tenantId).execute(),
      tasks: await tx.selectFrom("tasks").selectAll().where("tenant_id", "=", tenantId).execute(),
      running: await tx
        .selectFrom("sync_runs")
        .select("sync_run_id")
        .where("tenant_id", "=", tenantId)
        .where("status", "=", "running")
        .execute(),
      audits: await tx.selectFrom("audit_entries").select("outcome").where("tenant_id", "=", tenantId).execute(),
    }));
    expect(held.invoices).toHaveLength(2);
    expect(held.connections).toHaveLength(1);
    expect(held.connections[0]).toMatchObject({ provider: "oracle_fusion", status: "connected", credential: "sealed" });
    expect(held.running.length).toBeLessThanOrEqual(1);
    for (const task of held.tasks) expect(task.dismissed_at === null).toBe(task.state !== "dismissed");
    expect(held.audits.length).toBeGreaterThan(1);
  });
});
