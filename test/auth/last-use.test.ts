import { beforeEach, describe, expect, it } from "vitest";
import { apiKeyAuthentication, type KeyAuthentication } from "../../auth/api-key-authentication.ts";
import { listApiKeys } from "../../auth/api-keys/api-key.ts";
import { type CreatedApiKey, createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../auth/api-keys/revoke-api-key.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { openPostgres } from "../../src/store/database.ts";
import { lockKeyAuthority } from "../../src/store/identity/authority.ts";
import { type Book, openBook } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { waiting } from "../support/locks.ts";
import { setRows } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

const START = Date.parse("2026-03-10T15:00:00.000Z");

describe.each(STORES)("the last use of an API key on $name", ({ open }) => {
  const clock = new TestClock();
  const opened = useStore(open);
  const core = testCore(opened.store, clock);
  let book: Book;
  let issued: CreatedApiKey;
  let tests = 0;

  beforeEach(async () => {
    clock.set(new Date(START + 600_000 * tests++).toISOString());
    book = await openBook(opened.store);
    issued = await operate(core, book.tenantId, createApiKey, { name: "test", permission: "admin" });
  });

  const call = (at = core): Promise<KeyAuthentication> =>
    apiKeyAuthentication(at, { limited: true })(`Bearer ${issued.key}`, "192.0.2.1");
  const previous = async (at = core) => (await call(at)).actor?.lastUsedAt;
  const shown = async () => (await operate(core, book.tenantId, listApiKeys, {})).map((key) => key.last_used_at);
  const now = () => clock.now().toISOString();

  it("is the request before, to the millisecond [service.2.1.last-used]", async () => {
    expect(await shown()).toEqual([null]);
    expect(await previous()).toBeNull();
    for (const pause of [1, 17, 999, 0, 59_000, 61_000, 86_400_000]) {
      const before = now();
      clock.advance(pause);
      expect(await previous(), `${pause} ms later`).toBe(before);
      expect(await shown()).toEqual([now()]);
    }
  });

  it("is one that was refused, too, as long as the key was taken [service.2.1.last-used]", async () => {
    const access = (api_access: boolean) =>
      setRows(opened.store, null, "tenants", { api_access }, { tenant_id: book.tenantId });
    await access(false);
    expect((await call()).refusal?.code).toBe("feature_unavailable");
    await access(true);
    const withoutAccess = now();
    clock.advance(5);
    expect(await previous()).toBe(withoutAccess);
    for (let n = 2; n < 120; n += 1) await call();
    clock.advance(7);
    expect((await call()).refusal?.code).toBe("rate_limit_exceeded");
    const limited = now();
    clock.advance(60_000);
    expect(await previous()).toBe(limited);
    const last = now();
    await operate(core, book.tenantId, revokeApiKey, { id: issued.id });
    clock.advance(60_000);
    expect((await call()).refusal?.code).toBe("revoked_credentials");
    expect(await shown()).toEqual([last]);
  });

  it("is found by each of many at once [service.2.1.last-used]", async () => {
    const first = await Promise.all(Array.from({ length: 30 }, () => previous()));
    expect(first.filter((one) => one === null)).toHaveLength(1);
    const before = now();
    clock.advance(3);
    const second = await Promise.all(Array.from({ length: 30 }, () => previous()));
    expect(second.filter((one) => one === before)).toHaveLength(1);
    expect(second.filter((one) => one === now())).toHaveLength(29);
  });

  it("never goes back where a process's clock is behind [service.2.1.last-used]", async () => {
    await call();
    const ahead = now();
    expect(await previous(testCore(opened.store, { now: () => new Date(Date.parse(ahead) - 2_000) }))).toBe(ahead);
    expect(await shown()).toEqual([ahead]);
  });

  // The embedded store is one process's, and runs one transaction at a time.
  it("is noted while a mutation of the key runs, by any process [service.2.1.last-used]", async ({ skip }) => {
    if (!("databaseUrl" in opened.location)) return skip("one process, one connection");
    const store = await openPostgres(opened.location.databaseUrl);
    const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    try {
      const mutation = opened.store.write(book.tenantId, async (tx) => {
        await lockKeyAuthority(tx, issued.id);
        isHeld.resolve();
        await mayEnd.promise;
      });
      await isHeld.promise;
      expect(await previous()).toBeNull();
      const before = now();
      clock.advance(4);
      expect(await previous(testCore(store, clock))).toBe(before);
      let isRevoked = false;
      const revocation = operate(core, book.tenantId, revokeApiKey, { id: issued.id }).then(() => {
        isRevoked = true;
      });
      await expect.poll(() => waiting(store)).toBe(1);
      expect((await call()).refusal).toBeUndefined();
      expect(isRevoked).toBe(false);
      mayEnd.resolve();
      await Promise.all([mutation, revocation]);
      expect((await call()).refusal?.code).toBe("revoked_credentials");
    } finally {
      mayEnd.resolve();
      await store.close();
    }
  });
});
