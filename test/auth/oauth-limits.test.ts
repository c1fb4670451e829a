import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { addMember } from "../../auth/members/add-member.ts";
import { selectPersonByEmail } from "../../auth/session-queries.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { setAttempts } from "../support/attempts.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { everyRow } from "../support/every-row.ts";
import {
  authorizationUrl,
  callMcp,
  openConsent,
  pkce,
  postRegistration,
  postToken,
  REDIRECT_URI,
  refresh,
  register,
  signInAndApprove,
} from "../support/oauth-client.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { A_STORE } from "../support/thorough.ts";

const ADDRESS = "address:127.0.0.1";

describe.each(A_STORE)("limits of the authorization server by address on $name", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });
  const used = (name: string, hits: number) =>
    setAttempts(site.app.core, `${name}:${ADDRESS}`, name === "client-registration" ? 600 : 300, hits);
  /** Who was found over a limit is over it until the window ends. */
  const free = async (name: string) => {
    await used(name, 0);
    site.clock.advance(600_000);
  };
  const artifacts = () =>
    everyRow(site.app.core.store, (tx) =>
      tx
        .selectFrom("oidc_artifacts")
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .executeTakeFirstOrThrow(),
    );

  /** Keeps 5,000 that are newer than all there are, of each holder as many. */
  async function flood(model: string, holders: readonly string[]): Promise<void> {
    const newest = site.clock.now().getTime() + 2 * 86_400_000;
    const rows = Array.from({ length: 5_000 }, (_, number) => ({
      ...{ model, id_hash: randomUUID(), payload: "{}", grant_id: null, uid: null, consumed_at: null },
      holder: holders[number % holders.length] ?? "",
      expires_at: new Date(newest + number).toISOString(),
    }));
    await site.app.core.store.directory((tx) => tx.insertInto("oidc_artifacts").values(rows).execute());
  }

  it("[contract.edges.oauth.limits] what waits for approval is pushed out only by its own network, and by no stranger once its person opened it", async () => {
    const { app } = site;
    const from = (address: string) =>
      Object.assign(new Browser(app.origin), { headers: { "x-forwarded-for": address } });
    const { email } = await app.newcomer();
    const [stranger, person, neighbour] = [from("192.0.2.7"), from("192.0.2.8"), from("2001:db8:1:5::1")];
    const wayOf = async () => authorizationUrl(app.origin, await register(app.origin), pkce().challenge);
    const { url: neighbours } = await neighbour.open(await wayOf());
    const { url: strangers } = await stranger.open(await wayOf());
    const { url: persons } = await openConsent(
      app.origin,
      { email, password: PASSWORD, browser: person },
      await wayOf(),
    );
    const statuses = async () => [
      (await stranger.open(strangers.href)).status,
      (await person.open(persons.href)).status,
    ];
    const networks = [1, 2, 3, 4].map((number) => `address:2001:db8:${number}::/48`);
    for (const model of ["Interaction", "Client"]) await flood(model, networks);
    for (const number of [1, 2, 3, 4, 1, 2]) await from(`2001:db8:${number}:9::1`).open(await wayOf());
    expect(await statuses()).toEqual([200, 200]);
    expect((await neighbour.open(neighbours.href)).status).toBe(400);
    const clear = () =>
      app.core.store.directory((tx) =>
        tx.deleteFrom("oidc_artifacts").where("holder", "like", "address:2001:db8:%").execute(),
      );
    await clear();
    // One of each network, so that nobody holds more than the others.
    const each = Array.from({ length: 5_000 }, (_, number) => `address:2001:db8:${number.toString(16)}::/48`);
    await flood("Interaction", each);
    const latest = await wayOf();
    for (let count = 0; count < 20; count += 1) await from(`198.51.100.${count}`).open(latest);
    expect(await statuses()).toEqual([400, 200]);
    expect((await person.submit(await person.open(persons.href), "Allow")).left?.searchParams.get("code")).toBeTruthy();
    await clear();
  });

  it("[contract.edges.oauth.limits] authorization requests beyond 300 in 5 minutes are kept nowhere", async () => {
    const client = await register(site.app.origin);
    await used("oauth-authorize", 299);
    const ask = () => fetch(authorizationUrl(site.app.origin, client, pkce().challenge), { redirect: "manual" });
    expect((await ask()).status).toBe(303);
    const before = await artifacts();
    const refused = await ask();
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(await artifacts()).toEqual(before);
    await free("oauth-authorize");
  });

  it("[contract.edges.oauth.limits] token requests that fail are limited, and a genuine refresh token or code is served", async () => {
    const person = await connectPerson(site.app);
    await used("oauth-token-failures", 300);
    for (const garbage of [
      { grant_type: "refresh_token", refresh_token: "garbage" },
      { grant_type: "authorization_code", code: "garbage", code_verifier: "x" },
      { grant_type: "nonsense" },
    ]) {
      const refused = await postToken(site.app.origin, person.client, garbage);
      expect([refused.status, await refused.json()]).toMatchObject([429, { error: "temporarily_unavailable" }]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await refresh(site.app.origin, person.client, person.refreshToken)).status).toBe(200);
    const again = await signInAndApprove(site.app.origin, { email: person.email, password: PASSWORD });
    expect((await callMcp(site.app.origin, again.accessToken)).status).toBe(200);
    await free("oauth-token-failures");
    await used("oauth-token-failures", 298);
    const fail = async () => (await refresh(site.app.origin, person.client, "garbage")).status;
    expect([await fail(), await fail()]).toEqual([400, 400]);
    // A failure is counted once it has been answered.
    await expect.poll(fail).toBe(429);
    await free("oauth-token-failures");
  });

  it("[contract.edges.oauth.limits] what is beyond a limit asks the store nothing, and once where it may be a token of ours", async () => {
    const { app } = site;
    const limits = ["oauth-token-failures", "oauth-revocations", "oauth-authorize", "client-registration"];
    for (const name of limits) await used(name, 300);
    await setAttempts(app.core, ADDRESS, 300, 20);
    const [directory, statement] = [vi.spyOn(app.core.store, "directory"), vi.spyOn(app.core.store, "statement")];
    const form = (path: string, value: string) => {
      const body = new URLSearchParams({ client_id: "x", token: value, code: value, refresh_token: value });
      return fetch(`${app.origin}${path}`, { method: "POST", body });
    };
    const ways: [number, () => Promise<Response>][] = [
      [0, () => form("/oauth/token", "made up")],
      [1, () => form("/oauth/token", "a".repeat(43))],
      [0, () => form("/oauth/revoke", "made up")],
      [1, () => form("/oauth/revoke", "a".repeat(43))],
      [0, () => fetch(`${app.origin}/oauth/authorize`)],
      [0, () => postRegistration(app.origin, {})],
      [0, () => callMcp(app.origin, "made-up")],
    ];
    for (const [, ask] of ways) await ask();
    for (const [most, ask] of ways) {
      for (const spy of [directory, statement]) spy.mockClear();
      const { status, url } = await ask();
      expect([status, directory.mock.calls.length + statement.mock.calls.length], url).toEqual([429, most]);
    }
    for (const spy of [directory, statement]) spy.mockRestore();
    for (const name of limits) await free(name);
  });

  it("[contract.edges.oauth.limits] revocations of what is unknown are limited, and of a genuine token served", async () => {
    const person = await connectPerson(site.app);
    await used("oauth-revocations", 300);
    const revoke = async (token: string): Promise<number> => {
      const body = new URLSearchParams({ token, client_id: person.client.clientId });
      return (await fetch(`${site.app.origin}/oauth/revoke`, { method: "POST", body })).status;
    };
    expect(await revoke("garbage")).toBe(429);
    expect(await revoke(person.refreshToken)).toBe(200);
    expect((await callMcp(site.app.origin, person.accessToken)).status).toBe(401);
    await free("oauth-revocations");
  });

  it("[contract.edges.oauth.limits] a person's browser beyond the limit is shown a page, a program JSON it can read", async () => {
    await used("oauth-authorize", 300);
    const ask = (accept: string) => fetch(`${site.app.origin}/oauth/authorize`, { headers: { accept } });
    const page = await ask("text/html,application/xhtml+xml,*/*;q=0.8");
    expect([page.status, page.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await page.text()).toContain("<h1>Too many requests</h1>");
    expect(await (await ask("*/*")).json()).toMatchObject({ error: "temporarily_unavailable" });
    await free("oauth-authorize");
  });

  it("[contract.edges.oauth.limits] what is beyond a limit can be read by programs in a browser", async () => {
    const from = { origin: "https://inspector.example" };
    const token = () => fetch(`${site.app.origin}/oauth/token`, { method: "POST", headers: from, body: garbage() });
    const garbage = () => new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x", client_id: "x" });
    await used("oauth-token-failures", 300);
    await used("client-registration", 60);
    const refused = await token();
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([429, from.origin]);
    const registration = await postRegistration(site.app.origin, {}, { headers: from });
    expect(registration.status).toBe(429);
    expect(["*", from.origin]).toContain(registration.headers.get("access-control-allow-origin"));
    await free("oauth-token-failures");
    await free("client-registration");
  });

  it("[facts.oauth.registration-limits] registrations of many hosts of one IPv6 network are limited, and another network's are served", async () => {
    await setAttempts(site.app.core, "client-registration:address:2001:db8:77::/48", 600, 299);
    const from = async (address: string): Promise<number> => {
      const headers = { "x-forwarded-for": address };
      return (await postRegistration(site.app.origin, { redirect_uris: [REDIRECT_URI] }, { headers })).status;
    };
    expect(await from("2001:db8:77:1::5")).toBe(201);
    expect(await from("2001:db8:77:2::5")).toBe(429);
    expect(await from("2001:db8:78:2::5")).toBe(201);
  });

  it("[contract.edges.oauth.limits] a person approves 60 times an hour in a workspace, and goes on in another, as others do", async () => {
    const { app } = site;
    const { email, workspace } = await connectPerson(app);
    const other = await app.addWorkspace();
    await operate(app.core, other.id, addMember, { email, role: "member" });
    const id = (await app.core.store.directory((tx) => selectPersonByEmail(tx, email)))?.person_id;
    await setAttempts(app.core, `approvals:${id} ${workspace.id}`, 3_600, 59);
    const approve = (at = workspace) => signInAndApprove(app.origin, { email, password: PASSWORD, workspace: at.id });
    const { accessToken } = await approve();
    await expect(approve()).rejects.toThrow(/no code: 429 .*Too many attempts\. Try again in /s);
    expect((await approve(other)).accessToken).toBeTruthy();
    expect((await callMcp(app.origin, accessToken)).status).toBe(200);
    expect((await connectPerson(app)).connectionId).toBeTruthy();
  });
});
