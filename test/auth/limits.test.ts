import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { TokenVerifier } from "../../auth/access-token.ts";
import { furtherRequests } from "../../auth/assistant-request-limits.ts";
import { bearerAuthentication } from "../../auth/bearer.ts";
import { BOTH, JSON_TYPE, notification, plainServer, rpc, startEndpoint } from "../mcp/support.ts";
import { everyRow, PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { callMcp, signInAndApprove } from "../support/oauth-client.ts";
import { type ConnectedPerson, connectPerson } from "../support/oauth-person.ts";
import { addRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const rates = (answer: Response): (string | null)[] =>
  ["limit", "remaining", "reset"].map((name) => answer.headers.get(`ratelimit-${name}`));

const batchOf = (requests: number) => Array.from({ length: requests }, (_, id) => rpc(id, "run"));

describe.each(A_STORE)("the limits of the assistant route on $name", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });
  const nextMinute = (): void => {
    site.clock.set(new Date(Math.ceil((site.clock.now().getTime() + 1) / 60_000) * 60_000).toISOString());
  };
  const routes: { close(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const route of routes) await route.close();
  });

  /** Sets what was counted in this minute, as if so many requests had been made. */
  function counterOf(tenantId: string) {
    const window_start = site.clock.now().toISOString();
    return (subject: string, hits: number) =>
      addRows(site.app.core.store, tenantId, { rate_windows: { tenant_id: tenantId, subject, window_start, hits } });
  }

  /** The assistant route itself, whose one method counts how often it ran. */
  async function openRoute({ limited = true } = {}) {
    const { core, origin: publicOrigin, authorization } = site.app;
    const { verifyAccessToken } = authorization;
    let ran = 0;
    const run = async () => ({ ran: ++ran });
    const route = await startEndpoint(plainServer({ run }), {
      authenticate: bearerAuthentication({ core, publicOrigin, verifyAccessToken, limited }),
      charge: furtherRequests({ core, limited }),
    });
    routes.push(route);
    const send = ({ accessToken }: { accessToken: string }, body: unknown): Promise<Response> =>
      fetch(route.url, {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}`, "content-type": JSON_TYPE, accept: BOTH },
        body: JSON.stringify(body),
      });
    return { send, ran: () => ran, openCalls: route.openCalls };
  }

  it("a connection has 120 requests a minute, counted exactly, and its neighbour is not touched [completions.8.connection-limit]", async () => {
    const person = await connectPerson(site.app);
    const neighbour = await signInAndApprove(site.app.origin, { email: person.email, password: PASSWORD });
    nextMinute();
    const calls = Array.from({ length: 125 }, () => callMcp(site.app.origin, person.accessToken));
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(120);
    const over = answers.find((answer) => answer.status === 429);
    expect(await over?.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } });
    expect(over?.headers.get("retry-after")).toBe("60");
    expect(over === undefined ? [] : rates(over)).toEqual(["120", "0", "60"]);
    expect((await callMcp(site.app.origin, neighbour.accessToken)).status).toBe(200);
    site.clock.advance(59_000);
    expect((await callMcp(site.app.origin, person.accessToken)).headers.get("retry-after")).toBe("1");
    nextMinute();
    const again = await callMcp(site.app.origin, person.accessToken);
    expect([again.status, ...rates(again)]).toEqual([200, "120", "119", "60"]);
  });

  it("a workspace has 600 over all connections, and what a connection has too many is not on its account [completions.8.tenant-limit]", async () => {
    const person = await connectPerson(site.app);
    const other = await signInAndApprove(site.app.origin, { email: person.email, password: PASSWORD });
    nextMinute();
    const count = counterOf(person.workspace.id);
    await count("connections", 597);
    await count(`connection:${person.connectionId}`, 120);
    expect((await callMcp(site.app.origin, person.accessToken)).status).toBe(429);
    const answers = [];
    for (let call = 0; call < 4; call += 1) answers.push(await callMcp(site.app.origin, other.accessToken));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(rates)).toEqual(["2", "1", "0", "0"].map((left) => ["600", left, "60"]));
  });

  it("each request of a batch counts, and a batch beyond the limit runs not at all [completions.8.batch]", async () => {
    const person = await connectPerson(site.app);
    const route = await openRoute();
    nextMinute();
    const statements = vi.spyOn(site.app.core.store, "statement");
    const remaining = async (body: unknown) => (await route.send(person, body)).headers.get("ratelimit-remaining");
    const [one, two, more] = site.app.core.store.isDistributed ? [5, 6, 9] : [1, 2, 4];
    expect([await remaining(rpc(0, "run")), statements.mock.calls.length]).toEqual(["119", one]);
    expect([await remaining(batchOf(1)), statements.mock.calls.length]).toEqual(["118", two]);
    expect([await remaining(batchOf(20)), statements.mock.calls.length]).toEqual(["98", more]);
    expect(await remaining([...batchOf(2), notification("notifications/initialized"), { jsonrpc: "2.0" }])).toBe("96");
    for (const left of ["76", "56", "36", "16"]) expect(await remaining(batchOf(20))).toBe(left);
    const before = route.ran();
    const over = await route.send(person, batchOf(20));
    expect([over.status, over.headers.get("retry-after"), ...rates(over)]).toEqual([429, "60", "120", "0", "60"]);
    expect(await over.json()).toMatchObject({
      error: { code: "rate_limit_exceeded", message: "This connection made the 120 requests of this minute." },
    });
    expect([route.ran(), route.openCalls.size]).toEqual([before, 0]);
    expect((await route.send(person, rpc(0, "run"))).status).toBe(429);
    nextMinute();
    expect(await remaining(batchOf(2))).toBe("118");
    statements.mockRestore();
  });

  it("a batch counts for the workspace too, unless its connection is over [completions.8.batch]", async () => {
    const person = await connectPerson(site.app);
    const other = await signInAndApprove(site.app.origin, { email: person.email, password: PASSWORD });
    const route = await openRoute();
    nextMinute();
    const count = counterOf(person.workspace.id);
    await count("connections", 590);
    await count(`connection:${person.connectionId}`, 119);
    const own = await route.send(person, batchOf(5));
    expect([own.status, ...rates(own)]).toEqual([429, "120", "0", "60"]);
    const fits = await route.send(other, batchOf(8));
    expect([fits.status, ...rates(fits)]).toEqual([200, "600", "1", "60"]);
    const over = await route.send(other, batchOf(2));
    expect([over.status, ...rates(over)]).toEqual([429, "600", "0", "60"]);
  });

  it("a batch is counted and told, and served, where the limits are lifted [completions.8.batch]", async () => {
    const person = await connectPerson(site.app);
    const route = await openRoute({ limited: false });
    nextMinute();
    for (const left of ["100", "80", "60", "40", "20", "0", "0"]) {
      const answer = await route.send(person, batchOf(20));
      expect([answer.status, answer.headers.get("ratelimit-remaining")]).toEqual([200, left]);
    }
  });

  it("a use is noted at most once a minute [completions.1.last-used]", async () => {
    const person = await connectPerson(site.app);
    const lastUsed = async (): Promise<string | null | undefined> =>
      (
        await everyRow(site.app.core.store, (tx) =>
          tx
            .selectFrom("assistant_connections")
            .select("last_used_at")
            .where("connection_id", "=", person.connectionId)
            .executeTakeFirst(),
        )
      )?.last_used_at;
    expect(await lastUsed()).toBeNull();
    await callMcp(site.app.origin, person.accessToken);
    const first = site.clock.now().toISOString();
    site.clock.advance(59_000);
    await callMcp(site.app.origin, person.accessToken);
    expect(await lastUsed()).toBe(first);
    site.clock.advance(1_000);
    await callMcp(site.app.origin, person.accessToken);
    expect(await lastUsed()).toBe(site.clock.now().toISOString());
  });

  it("of an address 20 failures are answered 401, further failures 429, and a genuine token as ever [completions.8.failed-authentication]", async () => {
    const person = await connectPerson(site.app);
    const headers = { "x-forwarded-for": "192.0.2.20" };
    const wrong = () => callMcp(site.app.origin, "not-a-token", { headers });
    const answers = await Promise.all(Array.from({ length: 20 }, wrong));
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 401));
    const refused = await callMcp(site.app.origin, "not-a-token", { headers });
    expect([refused.status, ...rates(refused)]).toEqual([429, "20", "0", expect.any(String)]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const served = await callMcp(site.app.origin, person.accessToken, { headers });
    expect([served.status, rates(served)[0]]).toEqual([200, "120"]);
    // Whoever has no token yet learns where to get one.
    expect((await callMcp(site.app.origin, null, { headers })).status).toBe(401);
    const elsewhere = { "x-forwarded-for": "192.0.2.21" };
    expect((await callMcp(site.app.origin, person.accessToken, { headers: elsewhere })).status).toBe(200);
    site.clock.advance(300_000);
    expect((await wrong()).status).toBe(401);
  });

  it("a genuine credential that was revoked or has expired is no failure, nor is none at all [completions.8.what-counts]", async () => {
    const person = await connectPerson(site.app);
    const colleague = await signInAndApprove(site.app.origin, { email: person.email, password: PASSWORD });
    const headers = { "x-forwarded-for": "192.0.2.30" };
    const list = await person.browser.open("/connections");
    await person.browser.submit(list, "Revoke");
    const tokens = [person.accessToken, colleague.accessToken];
    const statuses = await Promise.all(tokens.map(async (token) => (await callMcp(site.app.origin, token)).status));
    const revoked = tokens[statuses.indexOf(401)] ?? "";
    const live = tokens[statuses.indexOf(200)] ?? "";
    const status = async (token: string | null) => (await callMcp(site.app.origin, token, { headers })).status;
    for (let call = 0; call < 25; call += 1) expect([await status(revoked), await status(null)]).toEqual([401, 401]);
    // The next failure would be over the limit if they had counted.
    expect([await status(live), await status("forged")]).toEqual([200, 401]);
    site.clock.advance(606_000);
    for (let call = 0; call < 21; call += 1) expect(await status(live)).toBe(401);
    expect(await status("forged")).toBe(401);
  });
});

describe.each(A_STORE)("what the assistant route answers whoever may not call", ({ open }) => {
  const site = useAuthApp(open, { limited: false, trustProxy: true });
  let person: ConnectedPerson;
  beforeAll(async () => {
    person = await connectPerson(site.app);
  });

  it("without a token: where to get one, to read alone, and no error [facts.mcp.challenge] [completions.11.challenge]", async () => {
    const answer = await callMcp(site.app.origin, null);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${site.app.origin}/.well-known/oauth-protected-resource/mcp", scope="receivables:read"`,
    );
    const body: unknown = await answer.json();
    expect(body).toEqual({
      error: {
        code: "missing_credentials",
        message: "Send an access token: Authorization: Bearer <TOKEN>.",
        request_id: answer.headers.get("x-request-id"),
      },
    });
  });

  it("with a token that lacks the scope to read: which scope to ask for [completions.2.read-needed]", async () => {
    const { core, origin: publicOrigin, authorization } = site.app;
    const verifyAccessToken: TokenVerifier = async (token) => {
      const check = await authorization.verifyAccessToken(token);
      return "token" in check ? { token: { ...check.token, scopes: ["payment_links:write"] } } : check;
    };
    const authenticate = bearerAuthentication({ core, publicOrigin, verifyAccessToken });
    const route = await startEndpoint(plainServer({}), { authenticate });
    const answer = await callMcp(route.origin, person.accessToken);
    await route.close();
    expect(answer.status).toBe(403);
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer error="insufficient_scope", scope="receivables:read", resource_metadata="${publicOrigin}/.well-known/oauth-protected-resource/mcp"`,
    );
    expect(await answer.json()).toMatchObject({ error: { code: "permission_denied" } });
  });

  it("the headers of the limits stand on every answer, also where the limits are lifted [completions.8.headers]", async () => {
    const headers = { "x-forwarded-for": "192.0.2.40" };
    const answers = [
      await callMcp(site.app.origin, person.accessToken, { headers }),
      await callMcp(site.app.origin, null, { headers }),
      await callMcp(site.app.origin, "wrong", { headers }),
      await callMcp(site.app.origin, null, { headers, query: "?access_token=x" }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 401, 401, 400]);
    for (const answer of answers) for (const value of rates(answer)) expect(value).toMatch(/^\d+$/);
    const many = Array.from({ length: 130 }, () => callMcp(site.app.origin, person.accessToken, { headers }));
    const statuses = new Set((await Promise.all(many)).map((answer) => answer.status));
    expect([...statuses]).toEqual([200]);
  });
});
