import { describe, expect, it } from "vitest";
import { changePermissions } from "../../auth/connection-permissions.ts";
import { revokeConnection } from "../../auth/connections.ts";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import {
  authorizationUrl,
  callerOf,
  callMcp,
  openConsent,
  pkce,
  REDIRECT_URI,
  type RegisteredClient,
  readTokens,
  redeem,
  refresh,
  register,
} from "../support/oauth-client.ts";
import { rowOf, rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const READ = "receivables:read";
const ALL = "receivables:read payment_links:write tasks:write receipts:push";
const MORE = `${READ} payment_links:write`;
const WRITES = ["payment_links:write", "tasks:write", "receipts:push"];
const GRACE_MS = 30_000;

describe.each(A_STORE)("the scopes of a connection, $name", ({ open }) => {
  const site = useAuthApp(open);

  async function newcomer(role: "admin" | "member" = "admin") {
    const workspace = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(workspace.id, { role });
    const client = await register(site.app.origin);
    return { workspace, email, client, browser: new Browser(site.app.origin) };
  }

  /** A request of the person's client, opened in their browser. */
  async function ask(
    person: { email: string; client: RegisteredClient; browser: Browser },
    scope: string | null,
    params: Record<string, string | null> = {},
  ) {
    const { verifier, challenge } = pkce();
    const url = authorizationUrl(site.app.origin, person.client, challenge, { scope, ...params });
    const page = await openConsent(site.app.origin, { ...person, password: PASSWORD }, url);
    return { page, verifier, params };
  }

  /** What the client has once the person allowed it; `fields` are what they changed on the page. */
  async function allow(
    person: { client: RegisteredClient; browser: Browser },
    { page, verifier, params }: Awaited<ReturnType<typeof ask>>,
    fields: Record<string, string | null> = {},
  ) {
    const { left, text } = await person.browser.submit(page, "Allow", fields);
    const code = left?.searchParams.get("code");
    if (typeof code !== "string") throw new Error(`no code: ${text}`);
    const redirectUri = params.redirect_uri ?? REDIRECT_URI;
    const tokens = await redeem(site.app.origin, person.client, { code, verifier, redirectUri });
    const { key, actor } = await callerOf(await callMcp(site.app.origin, tokens.access_token));
    return { connectionId: key, scopes: actor.scopes, tokens, refreshToken: tokens.refresh_token ?? "" };
  }
  const scopesAt = async (accessToken: string): Promise<string[]> =>
    (await callerOf(await callMcp(site.app.origin, accessToken))).actor.scopes;
  const connectionsOf = (workspaceId: string) => rowsOf(site.app.core.store, workspaceId, "assistant_connections");

  const everyBox = ({ workspace }: { workspace: { id: string } }, ticked: readonly string[] = []) =>
    Object.fromEntries(WRITES.map((scope) => [`${scope}@${workspace.id}`, ticked.includes(scope)]));

  it("are read-only where the person ticks nothing, whatever was asked [facts.oauth.read-only-consent] [completions.11.unticked]", async () => {
    const person = await newcomer();
    for (const scope of [null, READ, `${READ} tasks:write`, ALL])
      expect((await ask(person, scope)).page.boxes, String(scope)).toEqual(everyBox(person));
    const asked = await ask(person, ALL);
    const made = await allow(person, asked);
    expect(made.scopes).toEqual([READ]);
    expect(made.tokens.scope).toBe(READ);
    const wider = await refresh(site.app.origin, person.client, made.refreshToken, { scope: `${READ} tasks:write` });
    expect([wider.status, await wider.json()]).toMatchObject([400, { error: "invalid_scope" }]);
  });

  it("are those that the person ticks, whatever was asked; the answer says which [facts.oauth.read-only-consent] [completions.11.unticked] [completions.2.admin-scopes]", async () => {
    const person = await newcomer();
    const { id } = person.workspace;
    const asked = await ask(person, `${READ} tasks:write`);
    const made = await allow(person, asked, { [`receipts:push@${id}`]: "on", [`${READ}@${id}`]: null });
    expect(made.scopes).toEqual([READ, "receipts:push"]);
    expect(made.tokens.scope).toBe(`${READ} receipts:push`);
    const again = await readTokens(await refresh(site.app.origin, person.client, made.refreshToken));
    expect(again.scope).toBe(`${READ} receipts:push`);
  });

  it("are what was granted where a client repeats at a refresh all it once asked for [completions.11.repeated-refresh]", async () => {
    const person = await newcomer();
    const made = await allow(person, await ask(person, ALL), { [`tasks:write@${person.workspace.id}`]: "on" });
    const repeat = (token: string) => refresh(site.app.origin, person.client, token, { scope: ALL });
    const repeated = await readTokens(await repeat(made.refreshToken));
    expect(repeated.scope).toBe(`${READ} tasks:write`);
    const more = await allow(person, await ask(person, `${READ} tasks:write receipts:push`));
    expect(more).toMatchObject({ connectionId: made.connectionId, scopes: [READ, "tasks:write", "receipts:push"] });
    const after = await readTokens(await repeat(more.refreshToken));
    expect(after.scope).toBe(`${READ} tasks:write receipts:push`);
  });

  it("are never offered to who is no admin, nor given when the form says so [completions.2.member-scopes]", async () => {
    const person = await newcomer("member");
    const asked = await ask(person, ALL);
    expect(asked.page.boxes).toEqual({});
    expect((await allow(person, asked, { [`tasks:write@${person.workspace.id}`]: "on" })).scopes).toEqual([READ]);
    expect((await ask(person, MORE)).page.heading).toBe(`Connect Test assistant to ${person.workspace.name}?`);
  });

  it("stay unticked for a client that asks for all it knows of each time, as on a second device [completions.11.step-up]", async () => {
    const person = await newcomer();
    const asked = await ask(person, ALL);
    const first = await allow(person, asked, asked.page.ticking("tasks:write payment_links:write"));
    const again = await ask(person, ALL);
    expect(again.page.boxes).toEqual(everyBox(person));
    expect((await allow(person, again)).connectionId).not.toBe(first.connectionId);
  });

  it("shrink where the person unticks what the connection had [completions.11.step-up]", async () => {
    const person = await newcomer();
    const asked = await ask(person, READ);
    await allow(person, asked, asked.page.ticking("tasks:write payment_links:write"));
    const more = await allow(person, await ask(person, `${READ} receipts:push`), {
      [`tasks:write@${person.workspace.id}`]: null,
    });
    expect(more.scopes).toEqual([READ, "payment_links:write", "receipts:push"]);
  });

  it("grow by a step-up: the same connection, shown and confirmed [facts.oauth.step-up] [completions.11.step-up]", async () => {
    const person = await newcomer();
    const first = await allow(person, await ask(person, READ));
    const asked = await ask(person, `${READ} tasks:write`);
    expect(asked.page.heading).toBe(`Let Test assistant do more in ${person.workspace.name}?`);
    expect(asked.page.text).toMatch(/asks for more You .* This changes that connection: on another device .* again\./);
    expect(asked.page.boxes).toEqual(everyBox(person, ["tasks:write"]));
    const second = await allow(person, asked);
    expect(second).toMatchObject({ connectionId: first.connectionId, scopes: [READ, "tasks:write"] });
    expect(await connectionsOf(person.workspace.id)).toMatchObject([{ scopes: [READ, "tasks:write"] }]);

    const another = await ask(person, `${READ} receipts:push`);
    expect(another.page.boxes).toEqual(everyBox(person, ["tasks:write", "receipts:push"]));
    const third = await allow(person, another);
    expect(third.connectionId).toBe(first.connectionId);
    expect((await connectionsOf(person.workspace.id))[0]?.scopes).toEqual([READ, "tasks:write", "receipts:push"]);
    expect(await site.app.trail(person.workspace.id, "extendAssistantConnection")).toHaveLength(2);
  });

  it("grow for no token there was, nor by its refresh [facts.oauth.scope-escalation]", async () => {
    const person = await newcomer();
    const first = await allow(person, await ask(person, READ));
    const asked = await ask(person, `${READ} tasks:write`);
    const { left } = await person.browser.submit(asked.page, "Allow");
    // The connection has the scope now, and its client still the tokens of before.
    expect(await scopesAt(first.tokens.access_token)).toEqual([READ]);
    const refreshed = await readTokens(await refresh(site.app.origin, person.client, first.refreshToken));
    expect(refreshed.scope).toBe(READ);
    expect(await scopesAt(refreshed.access_token)).toEqual([READ]);
    // Repeating what was asked for since gives what this token was granted, and no more.
    const wider = { scope: `${READ} tasks:write` };
    const repeated = await readTokens(
      await refresh(site.app.origin, person.client, refreshed.refresh_token ?? "", wider),
    );
    expect(await scopesAt(repeated.access_token)).toEqual([READ]);
    const beyond = await refresh(site.app.origin, person.client, repeated.refresh_token ?? "", { scope: ALL });
    expect(await beyond.json()).toMatchObject({ error: "invalid_scope" });

    const code = left?.searchParams.get("code") ?? "";
    const tokens = await redeem(site.app.origin, person.client, { code, verifier: asked.verifier });
    expect(await scopesAt(tokens.access_token)).toEqual([READ, "tasks:write"]);
    // One client keeps one refresh token: those of before end with the new one, and end nothing with them.
    const old = await refresh(site.app.origin, person.client, repeated.refresh_token ?? "");
    expect(await old.json()).toMatchObject({ error: "invalid_grant" });
    site.clock.advance(GRACE_MS);
    let newest = tokens;
    for (let round = 0; round < 3; round += 1) {
      newest = await readTokens(await refresh(site.app.origin, person.client, newest.refresh_token ?? ""));
      site.clock.advance(GRACE_MS);
    }
    expect(await scopesAt(newest.access_token)).toEqual([READ, "tasks:write"]);
  });

  it("grow only where the person says so: denied, unticked or separate, they stay [facts.oauth.step-up]", async () => {
    const person = await newcomer();
    const first = await allow(person, await ask(person, READ));
    const denied = await ask(person, `${READ} tasks:write`);
    await person.browser.submit(denied.page, "Deny");
    const unticked = await ask(person, `${READ} tasks:write`);
    const same = await allow(person, unticked, { [`tasks:write@${person.workspace.id}`]: null });
    expect(same).toMatchObject({ connectionId: first.connectionId, scopes: [READ] });
    const asked = await ask(person, `${READ} tasks:write`);
    const page = await person.browser.open(`${asked.page.url.pathname}?separate`);
    const other = await allow(person, { ...asked, page }, page.ticking("tasks:write"));
    expect(other.connectionId).not.toBe(first.connectionId);
    const scopes = (await connectionsOf(person.workspace.id)).map((one) => one.scopes.join(" ")).sort();
    expect(scopes).toEqual([READ, `${READ} tasks:write`]);
  });

  it("grow never for another client, person, host, workspace, or where several would match [facts.oauth.step-up]", async () => {
    const person = await newcomer();
    const first = await allow(person, await ask(person, READ));
    const heading = `Connect Test assistant to ${person.workspace.name}?`;
    const asksAnew = async (who: Parameters<typeof ask>[0], params = {}): Promise<void> =>
      expect((await ask(who, MORE, params)).page.heading).toBe(heading);

    await asksAnew({ ...person, client: await register(site.app.origin) });
    const colleague = await site.app.addPerson(person.workspace.id);
    await asksAnew({ ...person, email: colleague.email, browser: new Browser(site.app.origin) });
    // An id that all users of a vendor share, answered at two of the vendor's hosts.
    const hosts = ["https://one.example.com/callback", "https://two.example.com/callback"];
    const shared = await register(site.app.origin, { redirect_uris: hosts });
    const [one = "", two = ""] = hosts;
    await allow({ ...person, client: shared }, await ask({ ...person, client: shared }, READ, { redirect_uri: one }));
    await asksAnew({ ...person, client: shared }, { redirect_uri: two });
    const elsewhere = await site.app.addWorkspace();
    await site.app.addPerson(elsewhere.id, { email: person.email });
    const both = await ask(person, MORE);
    expect(both.page.html).toContain(`name="extend@${person.workspace.id}"`);
    expect(both.page.html).not.toContain(`name="extend@${elsewhere.id}"`);
    const forged = { workspace: elsewhere.id, [`extend@${elsewhere.id}`]: `${first.connectionId} ${READ}` };
    const there = await allow(person, both, forged).catch((error: Error) => error.message);
    expect(there).toContain("no code");
    expect(await connectionsOf(elsewhere.id)).toEqual([]);

    await allow(person, await ask(person, READ), { workspace: person.workspace.id });
    expect((await ask(person, MORE)).page.html).not.toContain("extend@");
    expect((await connectionsOf(person.workspace.id)).flatMap(({ scopes }) => scopes)).toEqual([READ, READ, READ]);
  });

  it("grow never for a connection that ended or lost a permission, or a person demoted, while the page was open [facts.oauth.step-up]", async () => {
    const person = await newcomer();
    const [{ core }, { id, name }] = [site.app, person.workspace];
    const { connectionId } = await allow(person, await ask(person, READ), { [`tasks:write@${id}`]: "on" });
    const { page } = await ask(person, MORE);
    const askedAnew = async () => {
      const { left, heading } = await person.browser.submit(page, "Allow");
      return [left, heading];
    };
    const role = (given: "admin" | "member") =>
      operate(core, id, setMemberRole, { member: { email: person.email }, role: given });
    await role("member");
    expect(await askedAnew()).toEqual([null, `Connect Test assistant to ${name}?`]);
    await role("admin");
    const { person_id: personId } = await rowOf(core.store, null, "people", { email: person.email });
    const change = { who: { personId, tenantId: null, secondFactor: false }, connectionId, requestId: "req" };
    await changePermissions(core, { ...change, give: [], take: ["tasks:write"] });
    expect(await askedAnew()).toEqual([null, `Let Test assistant do more in ${name}?`]);
    await revokeConnection(core, change);
    expect(await askedAnew()).toEqual([null, `Connect Test assistant to ${name}?`]);
    expect(await connectionsOf(id)).toMatchObject([{ scopes: [READ] }]);
  });
});
