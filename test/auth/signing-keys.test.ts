import { decodeProtectedHeader } from "jose";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SigningKeyRing } from "../../auth/signing-key-ring.ts";
import { ACCESS_TOKEN_SECONDS, rotateSigningKey, SETTLING_MS } from "../../auth/signing-keys.ts";
import { Secrets } from "../../src/core/kernel/secrets.ts";
import { openPostgres } from "../../src/store/database.ts";
import type { Store } from "../../src/store/store.ts";
import { terminalOn } from "../admin/support.ts";
import { type AuthApp, startAuthApp } from "../support/auth-app.ts";
import { TestClock, testCore } from "../support/core.ts";
import { callMcp, readTokens, refresh } from "../support/oauth-client.ts";
import { type ConnectedPerson, connectPerson } from "../support/oauth-person.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

/** For what comes by itself, on a machine that is busy. */
const KEPT_AT_MOST_MS = 20 * 60_000;

const kidOf = (token: string): string | undefined => decodeProtectedHeader(token).kid;

describe.each(STORES)("signing keys on $name", ({ name, open }) => {
  const clock = new TestClock(new Date().toISOString());
  const opened = useStore(open);
  let second: Store | undefined;
  let apps: AuthApp[] = [];
  let one: AuthApp;
  let other: AuthApp;

  beforeAll(async () => {
    one = await startAuthApp(testCore(opened.store, clock), { limited: false });
    const { location } = opened;
    second = "databaseUrl" in location ? await openPostgres(location.databaseUrl) : undefined;
    other = await startAuthApp(testCore(second ?? opened.store, clock), { limited: false });
    apps = [one, other];
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await second?.close();
  });

  const served = async ({ origin }: AuthApp): Promise<string[]> => {
    const { keys }: { keys: { kid: string }[] } = JSON.parse(await (await fetch(`${origin}/oauth/jwks`)).text());
    expect(JSON.stringify(keys)).not.toContain('"d"');
    return keys.map(({ kid }) => kid);
  };
  /** The other process has another address, and so another issuer: only its keys are looked at there. */
  const knows = async (app: AuthApp, kid: string | undefined): Promise<boolean> =>
    (await served(app)).includes(kid ?? "");
  const renew = async (person: ConnectedPerson) => {
    const tokens = await readTokens(await refresh(one.origin, person.client, person.refreshToken));
    person.refreshToken = tokens.refresh_token ?? "";
    person.accessToken = tokens.access_token;
    return tokens.access_token;
  };

  it("rotate: the new one signs once it has settled, the old one checks until its tokens have expired [facts.oauth.key-rotation]", async () => {
    const person = await connectPerson(one);
    const [old] = await served(one);
    expect(kidOf(person.accessToken)).toBe(old);
    const [next] = await rotateSigningKey(one);
    for (const app of apps) await expect.poll(() => served(app)).toEqual([next?.kid, old]);
    expect(kidOf(await renew(person))).toBe(old);

    clock.advance(SETTLING_MS);
    const before = person.accessToken;
    expect(kidOf(await renew(person))).toBe(next?.kid);
    for (const token of [before, person.accessToken]) expect((await callMcp(one.origin, token)).status).toBe(200);

    clock.advance(ACCESS_TOKEN_SECONDS * 1_000 - 1_000);
    expect((await callMcp(one.origin, before)).status).toBe(200);
    clock.advance(10_000);
    const expired = await callMcp(one.origin, before);
    expect([expired.status, await expired.text()]).toEqual([401, expect.stringContaining("has expired")]);
    clock.advance(KEPT_AT_MOST_MS);
    for (const app of apps) expect(await served(app)).toEqual([next?.kid]);
    expect((await callMcp(one.origin, await renew(person))).status).toBe(200);
  });

  it("rotate twice and three times while tokens are issued and used, and nobody notices [facts.oauth.key-rotation]", async () => {
    const people = [await connectPerson(one), await connectPerson(one), await connectPerson(one)];
    const kids = new Set<string | undefined>();
    let done = false;
    const work = people.map(async (person) => {
      const statuses = new Set<number>();
      while (!done) {
        kids.add(kidOf(await renew(person)));
        statuses.add((await callMcp(one.origin, person.accessToken)).status);
      }
      return [...statuses];
    });
    for (let round = 0; round < 3; round += 1) {
      await rotateSigningKey(round === 1 ? other : one);
      await new Promise((resolve) => setTimeout(resolve, 100));
      clock.advance(SETTLING_MS);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    done = true;
    expect(await Promise.all(work)).toEqual(people.map(() => [200]));
    expect(kids.size).toBeGreaterThan(1);
  });

  it("of which none is known are looked for once, and again only after a while [facts.oauth.unknown-kid-storm]", async () => {
    let read = 0;
    class CountingSecrets extends Secrets {
      override decrypt(sealed: string, place: string): string {
        read += 1;
        return super.decrypt(sealed, place);
      }
    }
    const core = { ...one.core, secrets: new CountingSecrets(Buffer.alloc(32, 7)) };
    const ring = await SigningKeyRing.open(core);
    const held = read;
    const storm = async (): Promise<void> => {
      const answers = Array.from({ length: 50 }, (_, index) =>
        Promise.resolve(ring.keyOf({ alg: "ES256", kid: `unknown-${index}` }, { payload: "", signature: "" })).then(
          () => "found",
          (error: { code?: string }) => error.code,
        ),
      );
      expect(new Set(await Promise.all(answers))).toEqual(new Set(["ERR_JWKS_NO_MATCHING_KEY"]));
    };
    await storm();
    await storm();
    expect(read).toBe(2 * held);
    clock.advance(30_000);
    await storm();
    expect(read).toBe(3 * held);
  });

  if (name !== "the embedded store")
    it("reach a process that heard no notice, by the first token or when it hears again [facts.oauth.key-rotation]", async () => {
      const { location } = opened;
      if (!("databaseUrl" in location)) throw new Error("not a server");
      const admin = new pg.Client({ connectionString: location.databaseUrl });
      await admin.connect();
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
      );
      await admin.end();
      const [next] = await rotateSigningKey(one);
      await expect.poll(() => knows(other, next?.kid)).toBe(true);
      const ring = await SigningKeyRing.open(other.core);
      const [newer] = await rotateSigningKey(one);
      const key = await ring.keyOf({ alg: "ES256", kid: newer?.kid ?? "" }, { payload: "", signature: "" });
      expect(key).toBeDefined();
    });

  it("are rotated and listed at the operators' terminal [facts.oauth.key-rotation]", async () => {
    const admin = terminalOn(one.core);
    clock.advance(KEPT_AT_MOST_MS);
    const states = async (): Promise<string[]> => {
      const { out } = await admin("signing-key list --json");
      const listed: { state: string }[] = JSON.parse(out);
      expect(out).not.toMatch(/private|"d"/);
      return listed.map(({ state }) => state).filter((state) => state !== "past");
    };
    expect(await states()).toEqual(["signing"]);
    expect(await admin("signing-key rotate")).toMatchObject({ code: 0 });
    expect(await states()).toEqual(["next", "signing"]);
    clock.advance(SETTLING_MS);
    expect(await states()).toEqual(["signing", "checking"]);
    clock.advance(KEPT_AT_MOST_MS);
    expect(await states()).toEqual(["signing"]);
  });
});
