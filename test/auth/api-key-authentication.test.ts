import { beforeEach, describe, expect, it } from "vitest";
import { apiKeyAuthentication, type KeyAuthentication } from "../../auth/api-key-authentication.ts";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../auth/api-keys/revoke-api-key.ts";
import type { Permission } from "../../src/core/gate/actor.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { openPostgres } from "../../src/store/database.ts";
import { type Book, openBook } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { everyRow } from "../support/every-row.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-03-10T15:00:00.000Z");
const UNKNOWN = "rcv_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

describe.each(A_STORE)("API key authentication on $name", ({ open }) => {
  const clock = new TestClock();
  const opened = useStore(open);
  const core = testCore(opened.store, clock);
  let book: Book;
  let nextHost = 1;
  let tests = 0;

  beforeEach(async () => {
    // Every test begins windows of its own.
    clock.set(new Date(START + 10 * MINUTE * tests++).toISOString());
    book = await openBook(opened.store);
  });

  const issue = (permission: Permission = "admin") =>
    operate(core, book.tenantId, createApiKey, { name: "test", permission });
  const anAddress = () => `192.0.2.${nextHost++}`;
  const from = (address: string, { limited = true } = {}) => {
    const authenticate = apiKeyAuthentication(core, { limited });
    return (authorization?: string) => authenticate(authorization, address);
  };
  const codeOf = ({ refusal }: KeyAuthentication) => refusal?.code ?? "ok";
  const times = async (count: number, call: () => Promise<KeyAuthentication>) => {
    const codes: Record<string, number> = {};
    for (let n = 0; n < count; n += 1) {
      const code = codeOf(await call());
      codes[code] = (codes[code] ?? 0) + 1;
    }
    return codes;
  };

  it("names the tenant, the key and what it may do [service.5.1.bearer]", async () => {
    const { id, key } = await issue("readonly");
    const { actor, headroom } = await from(anAddress())(`bearer  ${key}`);
    expect(actor).toEqual({
      kind: "api_key",
      tenantId: book.tenantId,
      keyId: id,
      permission: "readonly",
      lastUsedAt: null,
    });
    expect(headroom).toEqual({ limit: 120, remaining: 119, resetSeconds: 60 });
  });

  it("tells every failure by its code [service.5.4.failures]", async () => {
    const call = from(anAddress());
    const { id, key } = await issue();
    expect(codeOf(await call())).toBe("missing_credentials");
    expect(codeOf(await call("Basic dXNlcjpwYXNz"))).toBe("missing_credentials");
    expect(codeOf(await call("Bearer "))).toBe("missing_credentials");
    for (const credential of ["x", `${key}x`, key.toLowerCase(), `${key} ${key}`, UNKNOWN, "rcv_\u00e9"])
      expect(codeOf(await call(`Bearer ${credential}`)), credential).toBe("invalid_credentials");
    await setRows(opened.store, null, "tenants", { api_access: false }, { tenant_id: book.tenantId });
    expect(codeOf(await call(`Bearer ${key}`))).toBe("feature_unavailable");
    await operate(core, book.tenantId, revokeApiKey, { id });
    expect(codeOf(await call(`Bearer ${key}`))).toBe("revoked_credentials");
  });

  it("answers an unknown key and text that is none alike [service.5.4.no-oracle]", async () => {
    const unknown = await operate(testCore(opened.store, clock), book.tenantId, createApiKey, {
      name: "x",
      permission: "admin",
    });
    await everyRow(opened.store, (tx) => tx.deleteFrom("api_keys").where("key_id", "=", unknown.id).execute());
    const answers = await Promise.all(
      [`Bearer ${unknown.key}`, "Bearer nonsense"].map((text) => from(anAddress())(text)),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  it("lets 120 requests of a key pass in a minute [service.8.key-limit]", async () => {
    const { key } = await issue();
    const call = from(anAddress());
    clock.advance(12_500);
    expect(await times(125, () => call(`Bearer ${key}`))).toEqual({ ok: 120, rate_limit_exceeded: 5 });
    const refused = await call(`Bearer ${key}`);
    expect(refused.headroom).toEqual({ limit: 120, remaining: 0, resetSeconds: 48 });
    expect(refused.refusal?.retryAfterSeconds).toBe(48);
    clock.advance(48_000);
    expect(codeOf(await call(`Bearer ${key}`))).toBe("ok");
  });

  it("lets 600 requests of a tenant pass; what a key is refused costs the others nothing [service.8.tenant-limit]", async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, () => issue()));
    const call = from(anAddress());
    for (const { key } of keys.slice(0, 4))
      expect(await times(130, () => call(`Bearer ${key}`))).toEqual({ ok: 120, rate_limit_exceeded: 10 });
    expect(await times(60, () => call(`Bearer ${keys[4]?.key}`))).toEqual({ ok: 60 });
    const near = await call(`Bearer ${keys[5]?.key}`);
    expect(near.headroom).toMatchObject({ limit: 600, remaining: 59 });
    expect(await times(70, () => call(`Bearer ${keys[5]?.key}`))).toEqual({ ok: 59, rate_limit_exceeded: 11 });
    const other = await openBook(opened.store);
    const { key } = await operate(core, other.tenantId, createApiKey, { name: "other", permission: "admin" });
    expect(codeOf(await call(`Bearer ${key}`))).toBe("ok");
  });

  it("counts on and refuses nothing where the limits are lifted [contract.rate-limits-off]", async () => {
    const { key } = await issue();
    const call = from(anAddress(), { limited: false });
    expect(await times(125, () => call(`Bearer ${key}`))).toEqual({ ok: 125 });
    expect((await call(`Bearer ${key}`)).headroom).toMatchObject({ limit: 120, remaining: 0 });
  });

  it("answers failures beyond 20 of an address 429 until the window ends, and a genuine key as ever [completions.8.failed-attempts]", async () => {
    const { key } = await issue();
    const address = anAddress();
    const call = from(address);
    const { headroom } = await call("Bearer wrong");
    expect(headroom).toMatchObject({ limit: 20, remaining: 19, resetSeconds: 300 });
    expect(await times(22, () => call("Bearer wrong"))).toEqual({ invalid_credentials: 19, rate_limit_exceeded: 3 });
    expect(codeOf(await call(`Bearer ${key}`))).toBe("ok");
    expect((await call(`Bearer ${key}`)).headroom).toMatchObject({ limit: 120 });
    expect(codeOf(await call())).toBe("missing_credentials");
    for (const told of [`::ffff:${address}`, `${address}:50123`, `[::ffff:${address}]:50124`])
      expect(codeOf(await from(told)("Bearer wrong")), told).toBe("rate_limit_exceeded");
    const { id, key: revoked } = await issue();
    await operate(core, book.tenantId, revokeApiKey, { id });
    expect(codeOf(await call(`Bearer ${revoked}`))).toBe("revoked_credentials");
    clock.advance(5 * MINUTE);
    expect(codeOf(await call("Bearer wrong"))).toBe("invalid_credentials");
  });

  it("takes a network of IPv6 for one source", async () => {
    expect(await times(20, () => from("2001:db8::1")("Bearer wrong"))).toEqual({ invalid_credentials: 20 });
    expect(codeOf(await from("2001:db8:0:0:ffff::9")("Bearer wrong"))).toBe("rate_limit_exceeded");
    expect(codeOf(await from("2001:db8:0:1::9")("Bearer wrong"))).toBe("invalid_credentials");
    for (const told of ["[2001:db8::2]:50123", "[2001:db8::2]"])
      expect(codeOf(await from(told)("Bearer wrong")), told).toBe("rate_limit_exceeded");
  });

  it("does not count a genuine key that was revoked, nor a request without one [completions.8.failed-attempts]", async () => {
    const { id, key } = await issue();
    await operate(core, book.tenantId, revokeApiKey, { id });
    const call = from(anAddress());
    expect(await times(30, () => call(`Bearer ${key}`))).toEqual({ revoked_credentials: 30 });
    expect(await times(30, () => call())).toEqual({ missing_credentials: 30 });
    expect(codeOf(await call("Bearer wrong"))).toBe("invalid_credentials");
  });

  it("counts calls that come at once exactly, at whichever process [service.8.key-limit]", async () => {
    const { key } = await issue();
    const { location } = opened;
    // As another process has it.
    const second = "databaseUrl" in location ? await openPostgres(location.databaseUrl) : null;
    const processes = [core, testCore(second ?? opened.store, clock)].map((one) =>
      apiKeyAuthentication(one, { limited: true }),
    );
    const address = anAddress();
    const calls = Array.from({ length: 150 }, (_, n) => processes[n % 2]?.(`Bearer ${key}`, address));
    const served = (await Promise.all(calls)).filter((answer) => answer?.actor !== undefined);
    const remaining = served.map((answer) => answer?.headroom?.remaining ?? -1).sort((a, b) => a - b);
    expect(remaining).toEqual(Array.from({ length: 120 }, (_, n) => n));
    await second?.close();
    const wrong = from(anAddress());
    const failures = await Promise.all(Array.from({ length: 30 }, () => wrong("Bearer wrong")));
    expect(failures.filter((answer) => codeOf(answer) === "invalid_credentials")).toHaveLength(20);
  });
});
