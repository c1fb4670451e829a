import { createHmac, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { asServiceError, conflictOf, ERRORS, notFound, ServiceError } from "../../src/core/kernel/error.ts";
import { inertJson } from "../../src/core/kernel/inert-json.ts";
import { Secrets } from "../../src/core/kernel/secrets.ts";
import { parseInput } from "../../src/core/kernel/validation.ts";
import { readQuery } from "../../src/http/query.ts";

describe("errors", () => {
  it("are a closed list, with status and retry advice [service.7.codes]", () => {
    expect(
      Object.entries(ERRORS).map(([code, { http, retry }]) => `${code} ${http} ${retry ? "retry" : "fix"}`),
    ).toEqual([
      "missing_credentials 401 fix",
      "invalid_credentials 401 fix",
      "revoked_credentials 401 fix",
      "feature_unavailable 403 fix",
      "permission_denied 403 fix",
      "not_found 404 fix",
      "invalid_cursor 400 fix",
      "validation_failed 400 fix",
      "conflict 409 retry",
      "idempotency_key_required 400 fix",
      "idempotency_conflict 409 fix",
      "rate_limit_exceeded 429 retry",
      "payload_too_large 413 fix",
      "method_not_allowed 405 fix",
      "installment_not_collectible 422 fix",
      "amount_exceeds_available 422 fix",
      "sync_disabled 422 fix",
      "connection_disconnected 422 fix",
      "integration_unavailable 422 fix",
      "currency_not_supported 422 fix",
      "internal_error 500 retry",
    ]);
  });

  it("are told as one object with the request's id [service.2.9.error-object]", () => {
    expect(notFound("invoice").toWire("req-1")).toEqual({
      error: { code: "not_found", message: "No such invoice.", request_id: "req-1" },
    });
    const details = [{ field: "links[3].amount_minor", message: "must be positive" }];
    expect(new ServiceError("validation_failed", "Not valid.", { details }).toWire("req-2")).toEqual({
      error: { code: "validation_failed", message: "Not valid.", request_id: "req-2", details },
    });
  });

  it("tell callers ids and fields, and nothing of what is for a page [service.2.9.error-object]", () => {
    const detail = { field: "amount", message: "has more decimals than USD has (2)" };
    const details = [{ ...detail, onPage: "has too many decimals", code: "decimals" as const }];
    const { error } = new ServiceError("validation_failed", "Not valid.", { details, onPage: "No." }).toWire("req-3");
    expect(error).toEqual({ code: "validation_failed", message: "Not valid.", request_id: "req-3", details: [detail] });
    const conflict = conflictOf("payment link", "l-1", (link) => `${link} has ended; the email of ${link} stays.`);
    expect([conflict.message, conflict.onPage]).toEqual([
      "Payment link l-1 has ended; the email of payment link l-1 stays.",
      "This payment link has ended; the email of this payment link stays.",
    ]);
  });

  it("never tell what a library threw", () => {
    const thrown = new Error("connect ECONNREFUSED postgres://user:secret@db");
    expect(JSON.stringify(asServiceError(thrown).toWire("req-3"))).not.toContain("secret");
    expect(asServiceError(thrown).cause).toBe(thrown);
  });
});

const Input = z.strictObject({
  currency: z.string().optional(),
  fields: z.array(z.enum(["currency", "due_date", "invoice_number"])).optional(),
});
const names = Array.from({ length: 7_000 }, (_, n) => `k${n}`);

function refusal(act: () => unknown): ServiceError {
  try {
    act();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("it was taken");
}

describe("an error about thousands of faults", () => {
  it.each([
    ["unknown fields", () => parseInput(Input, Object.fromEntries(names.map((name) => [name, 0])))],
    ["wrong items", () => parseInput(Input, { fields: names })],
  ])("tells of the first %s, and how many more there are [completions.10.errors-bounded]", (_what, act) => {
    let steered = 0;
    const elsewhere = (): null => {
      steered += 1;
      return null;
    };
    const steering = { also: [], elsewhere };
    const { details = [] } = refusal(act);
    expect(details).toHaveLength(51);
    expect(details.at(-1)).toEqual({ field: "", message: "has 6950 more faults" });
    expect(JSON.stringify(details).length).toBeLessThan(32_000);
    refusal(() => parseInput(Input, Object.fromEntries(names.map((name) => [name, 0])), steering));
    expect(steered).toBeLessThanOrEqual(50);
  });

  it("looks at no more items of a list than it may have, and tells it beside what else is wrong [facts.inputs.bounded]", () => {
    let looks = 0;
    const link = z.string().refine(() => {
      looks += 1;
      return true;
    });
    const Links = z.strictObject({ links: z.array(link).max(3), name: z.string() });
    const { details } = refusal(() => parseInput(Links, { links: Array.from({ length: 1_000 }, () => "a") }));
    expect(details?.map(({ field }) => field)).toEqual(["links", "name"]);
    expect(looks).toBe(3);
  });

  it("looks at no more of a query than it tells of [completions.10.errors-bounded]", () => {
    let looked = 0;
    const query = names.map((name) => `${name}=1`).join("&");
    const stray = (): string => {
      looked += 1;
      return "belongs in the body";
    };
    const { details = [] } = refusal(() => readQuery(query, new Map(), stray));
    expect([details.length, looked]).toEqual([50, 50]);
  });

  it("shows a name that a caller made up cleaned and cut [completions.10.errors-bounded]", () => {
    const name = `\u001b[31m\u202eX${"y".repeat(3_000)}`;
    const { message, details = [] } = refusal(() => parseInput(Input, { [name]: 1 }));
    expect(details[0]?.field).toMatch(/^\[31mXy{1,115}$/);
    expect(message).not.toMatch(/\u202e/);
    expect(message.length).toBeLessThan(200);
  });
});

const pieces = fc.constantFrom(
  ...'[](!<>a/:\\"w.& ',
  "](",
  "://",
  "www.",
  "https://",
  '"url":"https://',
  '"base":"https://www.',
  "\\u003c",
  "\n",
);
const text = fc.array(pieces).map((all) => all.join(""));

describe("JSON for a chat", () => {
  it("is the same data, and holds no link, image or markup [facts.mcp.inert-text]", () => {
    fc.assert(
      // V8 may read a key of one escaped sign as that of another.
      fc.property(
        fc.dictionary(
          text.map((key) => `k${key}`),
          fc.array(text),
        ),
        (data) => {
          const inert = inertJson(JSON.stringify(data));
          expect(JSON.stringify(JSON.parse(inert))).toBe(JSON.stringify(data));
          expect(inert).not.toMatch(/\]\(|<[a-z/!?]|\bwww\.|https?:\/\//i);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("leaves addresses of our own whole, and those that a text from outside only quotes not [completions.3.own-addresses]", () => {
    const own = [
      '{"url":"https://www.example.test/pay/a_b-~.c?x=1&y=%20#z"}',
      '{"pages":{"base":"http://localhost:3000/{path}?workspace=1"}}',
    ];
    for (const json of own) {
      expect(inertJson(json)).toBe(json);
      expect(inertJson(JSON.stringify({ name: json }))).not.toContain("://");
    }
    expect(inertJson('{"name":"https://www.example.test/pay/1"}')).not.toMatch(/:\/\/|www\./);
    expect(inertJson('{"url":"https://pay.example.test/](x)"}')).not.toMatch(/:\/\/|\]\(/);
    expect(inertJson('{"name":"[x]"}')).toBe('{"name":"[x]"}');
  });
});

const secrets = new Secrets(Buffer.alloc(32, 1));

describe("secrets at rest", () => {
  it("come back as they were, and never look the same twice", () => {
    const sealed = [1, 2].map(() => secrets.encrypt("pässword\n", "erp_connections/1"));
    expect(sealed.map((text) => secrets.decrypt(text, "erp_connections/1"))).toEqual(["pässword\n", "pässword\n"]);
    expect(sealed[0]).not.toBe(sealed[1]);
    expect(sealed.join()).not.toContain("ssword");
  });

  it("cannot be read at another place, with another key, or altered", () => {
    const sealed = secrets.encrypt("secret", "erp_connections/1");
    const altered = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
    expect(() => secrets.decrypt(sealed, "erp_connections/2")).toThrow();
    expect(() => new Secrets(Buffer.alloc(32, 2)).decrypt(sealed, "erp_connections/1")).toThrow();
    expect(() => secrets.decrypt(altered, "erp_connections/1")).toThrow();
    expect(() => secrets.decrypt("v2.abc", "erp_connections/1")).toThrow();
  });

  it("are read with their whole tag only [contract.operation.sealed-whole]", () => {
    const sealed = Buffer.from(secrets.encrypt("", "place").slice("v1.".length), "base64url");
    const read = (length: number) => secrets.decrypt(`v1.${sealed.subarray(0, length).toString("base64url")}`, "place");
    expect(read(sealed.length)).toBe("");
    for (let length = sealed.length - 1; length >= 0; length -= 1) expect(() => read(length), `${length}`).toThrow();
  });

  it("need a key of 32 bytes", () => {
    expect(() => new Secrets(Buffer.alloc(16))).toThrow(RangeError);
  });

  it("seals with HMAC, a key of its own for it", () => {
    const key = Buffer.alloc(32, 7);
    const own = Buffer.from(hkdfSync("sha256", key, Buffer.alloc(0), "seals", 32));
    const wanted = createHmac("sha256", own).update("cursor\0text").digest("hex");
    expect(new Secrets(key).seal("cursor", "text").toString("hex")).toBe(wanted);
  });
});
