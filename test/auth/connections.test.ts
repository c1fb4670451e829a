import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { CONNECTION_REVOKED, revokeConnection } from "../../auth/connections.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { housekeep } from "../../src/jobs/housekeeping.ts";
import { lockConnectionAuthority } from "../../src/store/identity/authority.ts";
import { type AuthApp, PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { everyRow } from "../support/every-row.ts";
import { waiting } from "../support/locks.ts";
import { authorizationUrl, callMcp, pkce, refresh, register, signInAndApprove } from "../support/oauth-client.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { A_STORE } from "../support/thorough.ts";

const DAY_MS = 86_400_000;

async function personIdOf(app: AuthApp, email: string): Promise<string> {
  const row = await everyRow(app.core.store, (tx) =>
    tx.selectFrom("people").select("person_id").where("email", "=", email).executeTakeFirstOrThrow(),
  );
  return row.person_id;
}

describe.each(A_STORE)("ending connections on $name", ({ name, open }) => {
  const site = useAuthApp(open);

  it("one's own or, as an admin, the workspace's; any other is not there [contract.pages.connections]", async () => {
    const { app } = site;
    const admin = await connectPerson(app);
    const { email } = await app.addPerson(admin.workspace.id, { role: "member" });
    const member = await personIdOf(app, email);
    const stranger = await personIdOf(app, (await connectPerson(app)).email);
    const revoke = (personId: string, connectionId: string): Promise<void> =>
      revokeConnection(app.core, {
        who: { personId, tenantId: null, secondFactor: false },
        connectionId,
        requestId: "req_test",
      });
    for (const personId of [member, stranger])
      await expect(revoke(personId, admin.connectionId)).rejects.toMatchObject({ code: "not_found" });
    await expect(revoke(member, randomUUID())).rejects.toMatchObject({ code: "not_found" });
    expect((await callMcp(app.origin, admin.accessToken)).status).toBe(200);

    const theirs = await signInAndApprove(app.origin, { email, password: PASSWORD });
    const { key } = JSON.parse(await (await callMcp(app.origin, theirs.accessToken)).text());
    await revoke(await personIdOf(app, admin.email), key);
    await revoke(await personIdOf(app, admin.email), key);
    expect((await callMcp(app.origin, theirs.accessToken)).status).toBe(401);
  });

  it("all of a member at once, and whoever serves them is told of each [completions.1.member-removal] [facts.oauth.member-removed]", async () => {
    const { app } = site;
    const person = await connectPerson(app);
    const second = await signInAndApprove(app.origin, { email: person.email, password: PASSWORD });
    const { email } = await app.addPerson(person.workspace.id);
    const colleague = await signInAndApprove(app.origin, { email, password: PASSWORD });
    const told = new Set<string>();
    const stop = app.core.store.subscribe(({ topic, payload }) => {
      if (topic === CONNECTION_REVOKED) told.add(payload);
    });
    await operate(app.core, person.workspace.id, removeMember, { member: { memberId: person.memberId } });
    for (const { accessToken } of [person, second]) {
      const refused = await callMcp(app.origin, accessToken);
      expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: "revoked_credentials" } }]);
    }
    for (const { client, refreshToken } of [person, second])
      expect((await refresh(app.origin, client, refreshToken)).status).toBe(400);
    expect((await callMcp(app.origin, colleague.accessToken)).status).toBe(200);
    await expect.poll(() => told.size).toBe(2);
    stop();
  });

  // The embedded store has one connection: there a write is over before anything else begins.
  if (name !== "the embedded store")
    it("a write in flight hears of it before it is waited for, and then is [facts.oauth.revoke-in-flight]", async () => {
      const { app } = site;
      const person = await connectPerson(app);
      const holding = Promise.withResolvers<void>();
      const told = Promise.withResolvers<void>();
      const ending = Promise.withResolvers<void>();
      let isRevoked = false;
      const stop = app.core.store.subscribe(({ payload }) => {
        if (payload === person.connectionId) told.resolve();
      });
      const { connectionId, memberId, workspace } = person;
      const writing = app.core.store.write(workspace.id, async (tx) => {
        await lockConnectionAuthority(tx, { connectionId, memberId });
        holding.resolve();
        await told.promise;
        await ending.promise;
        throw new Error("rolled back");
      });
      const outcome = writing.catch((error: Error) => error.message);
      await holding.promise;
      const revoking = revokeConnection(app.core, {
        who: { personId: await personIdOf(app, person.email), tenantId: null, secondFactor: false },
        connectionId,
        requestId: "req_test",
      }).finally(() => {
        isRevoked = true;
      });
      await vi.waitUntil(async () => isRevoked || (await waiting(app.core.store)) > 0, { timeout: 30_000 });
      const isWaitedFor = !isRevoked;
      ending.resolve();
      await revoking;
      expect(isWaitedFor).toBe(true);
      expect(await outcome).toBe("rolled back");
      expect((await callMcp(app.origin, person.accessToken)).status).toBe(401);
      stop();
    });

  /** Keeps as many artifacts as if they had just been made, each a millisecond after another. */
  async function flood(model: string, length: number, keptMs: number, grant_id: string | null = null): Promise<void> {
    const expires = site.clock.now().getTime() + keptMs;
    const rows = Array.from({ length }, (_, number) => ({
      ...{ model, id_hash: randomUUID(), payload: "{}", grant_id, uid: null, consumed_at: null },
      holder: grant_id === null ? "address:127.0.0.1" : "",
      expires_at: new Date(expires + number).toISOString(),
    }));
    await site.app.core.store.directory((tx) => tx.insertInto("oidc_artifacts").values(rows).execute());
  }

  it("of clients that nobody approved the latest 5,000 are kept, and each that somebody did [facts.oauth.registration-limits]", async () => {
    const { app } = site;
    const person = await connectPerson(app);
    const kept = async ({ clientId: id }: { clientId: string }): Promise<boolean> =>
      (await fetch(authorizationUrl(app.origin, { clientId: id }, pkce().challenge), { redirect: "manual" })).status ===
      303;
    const oldest = await register(app.origin);
    site.clock.advance(60_000);
    const newcomer = await register(app.origin);
    await flood("Client", 4_997, DAY_MS);
    site.clock.advance(60_000);
    const last = await register(app.origin);
    expect([await kept(oldest), await kept(newcomer)]).toEqual([true, true]);
    await register(app.origin);
    expect([await kept(oldest), await kept(newcomer), await kept(last)]).toEqual([false, true, true]);
    expect((await refresh(app.origin, person.client, person.refreshToken)).status).toBe(200);
  });

  it("of authorization requests that wait for a decision the latest 5,000 are kept [contract.edges.oauth.limits]", async () => {
    const { app } = site;
    const client = await register(app.origin);
    const ask = () => new Browser(app.origin).open(authorizationUrl(app.origin, client, pkce().challenge));
    // What was asked before goes first.
    site.clock.advance(10_000);
    const browser = new Browser(app.origin);
    const { url } = await browser.open(authorizationUrl(app.origin, client, pkce().challenge));
    await flood("Interaction", 4_998, 900_000 + 1);
    site.clock.advance(10_000);
    await ask();
    expect((await browser.open(url.href)).status).toBe(200);
    await ask();
    expect((await browser.open(url.href)).text).toContain("This connection request has expired");
  });

  it("of an approval's refresh tokens all used ones are kept, for replay; one with more than 20,000 ends [contract.edges.oauth.limits]", async () => {
    const { app } = site;
    const renewOften = async (grantId: string) => {
      for (let times = 0; times < 4; times += 1) await flood("RefreshToken", 4_980, DAY_MS, grantId);
    };
    for (const isTooMuch of [false, true]) {
      const { client, connectionId, refreshToken } = await connectPerson(app);
      const renew = async (token: string) => {
        site.clock.advance(60_000);
        return refresh(app.origin, client, token);
      };
      await renewOften(connectionId);
      const first = await renew(refreshToken);
      expect(first.status).toBe(200);
      const { access_token, refresh_token } = JSON.parse(await first.text());
      expect((await callMcp(app.origin, access_token)).status).toBe(200);
      if (isTooMuch) await flood("RefreshToken", 100, DAY_MS, connectionId);
      expect((await renew(isTooMuch ? refresh_token : refreshToken)).status).toBe(400);
      expect((await callMcp(app.origin, access_token)).status).toBe(401);
    }
  });

  it("housekeeping deletes what has expired and clients nobody approved, and never a connection [facts.oauth.housekeeping]", async () => {
    const { app } = site;
    const person = await connectPerson(app);
    const unused = await register(app.origin);
    const count = async (table: "oidc_artifacts" | "web_sessions" | "attempt_windows" | "rate_windows") =>
      (await everyRow(app.core.store, (tx) => tx.selectFrom(table).selectAll().execute())).length;
    const clientIds = async (): Promise<unknown[]> => {
      const rows = await everyRow(app.core.store, (tx) =>
        tx.selectFrom("oidc_artifacts").select("payload").where("model", "=", "Client").execute(),
      );
      return rows.map((row) => row.payload.client_id);
    };
    await callMcp(app.origin, person.accessToken);
    await housekeep(app.core);
    for (const table of ["web_sessions", "attempt_windows", "rate_windows"] as const)
      expect(await count(table), table).toBeGreaterThan(0);
    expect(await clientIds()).toContain(unused.clientId);
    expect((await refresh(app.origin, person.client, person.refreshToken)).status).toBe(200);

    site.clock.advance(DAY_MS + 60_000);
    await housekeep(app.core);
    expect(await clientIds()).not.toContain(unused.clientId);
    expect(await clientIds()).toContain(person.client.clientId);
    for (const table of ["web_sessions", "attempt_windows", "rate_windows"] as const)
      expect(await count(table), table).toBe(0);
    const models = await everyRow(app.core.store, (tx) =>
      tx.selectFrom("oidc_artifacts").select("model").distinct().execute(),
    );
    expect(models.map((row) => row.model).sort()).toEqual(["Client", "Grant", "RefreshToken"]);

    site.clock.advance(366 * DAY_MS);
    await housekeep(app.core);
    const connection = await everyRow(app.core.store, (tx) =>
      tx
        .selectFrom("assistant_connections")
        .select("revoked_at")
        .where("connection_id", "=", person.connectionId)
        .execute(),
    );
    expect(connection).toHaveLength(1);
  });
});
