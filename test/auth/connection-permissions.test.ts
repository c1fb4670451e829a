import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { setWorkspace } from "../../src/core/workspace/operations/set-workspace.ts";
import { Browser } from "../support/browser.ts";
import { authorizationUrl, openConsent, pkce, readTokens, refresh, register } from "../support/oauth-client.ts";
import { PASSWORD } from "../support/people.ts";
import { rowsOf } from "../support/stored.ts";
import { A_SERVICE } from "../support/thorough.ts";
import { signedIn } from "../support/threats/requests.ts";
import { useThreatSite } from "../support/threats/site.ts";

const READ = "receivables:read";
const WRITES = ["payment_links:write", "tasks:write", "receipts:push"];
const ALL = [READ, ...WRITES];
const DISMISS = { tool: "dismiss_task", arguments: { task_id: randomUUID() } };

describe.each(A_SERVICE)("what a connection may do, changed on the pages, on %s", (kind) => {
  const site = useThreatSite(kind);

  async function list(token: string): Promise<string[]> {
    const answer = await fetch(site.service.mcpUrl, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    return [...(await answer.text()).matchAll(/"name":"(\w+)","title"/g)].map(([, name = ""]) => name);
  }
  const remove = async (browser: Browser, scope: string) => {
    const { action, fields } = (await browser.open("/connections")).formWith("Remove");
    return browser.post(action, new URLSearchParams({ ...fields, scope }));
  };
  const permissionsOf = (browser: Browser, connectionId: string) =>
    browser.open(`/connections/${connectionId}/permissions`);
  const signedInAs = async (email: string): Promise<Browser> => {
    const browser = new Browser(site.origin);
    await signedIn(browser, email);
    return browser;
  };
  const trail = (workspaceId: string, connectionId: string) =>
    rowsOf(site.service.core.store, workspaceId, "audit_entries", { object_id: connectionId }, "operation");

  it("whoever approved it takes one permission away: no new token is needed, and no refresh brings it back [completions.11.take-away]", async () => {
    const person = await site.connect({ scope: ALL.join(" ") });
    expect(await list(person.accessToken)).toContain("dismiss_task");
    const page = await remove(person.browser, "tasks:write");
    expect(page.text).toContain("Permissions changed.");
    const tools = await list(person.accessToken);
    expect(tools).not.toContain("dismiss_task");
    expect(tools).toContain("push_held_payments");
    const refused = await site.call(person.accessToken, DISMISS);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
    const renewed = await readTokens(
      await refresh(site.origin, person.client, person.refreshToken, { scope: ALL.join(" ") }),
    );
    expect(renewed.scope).toBe(`${READ} payment_links:write receipts:push`);
    expect(await list(renewed.access_token)).not.toContain("dismiss_task");
    expect(await trail(person.workspace.id, person.connectionId)).toMatchObject([
      { operation: "connectAssistant", details: { scopes: ALL.join(" ") } },
      { operation: "narrowAssistantConnection", actor_kind: "person", details: { scopes: "tasks:write" } },
    ]);
  });

  it("what was ticked as a session had ended is shown again, and that nothing was done [pages.run.kept]", async () => {
    const { browser, connectionId, email } = await site.connect({ scope: ALL.join(" ") });
    const page = await permissionsOf(browser, connectionId);
    const elsewhere = await signedInAs(email);
    await elsewhere.submit(await elsewhere.open("/security"), "Sign out all others");
    const signIn = await browser.submit(page, "Save permissions", { "tasks:write": null });
    const again = await browser.submit(signIn, "Sign in", { email, password: PASSWORD });
    expect(again.url.pathname).toBe(`/connections/${connectionId}/permissions`);
    expect(again.text).toContain("Your sign-in had ended or was not enough: this was not done.");
    expect(again.boxes).toMatchObject({ "tasks:write": false, "receipts:push": true });
    expect((await permissionsOf(browser, connectionId)).boxes).toMatchObject({ "tasks:write": true });
  });

  it("they give it more: its next list of tools has it, and its refreshes keep it [completions.11.give]", async () => {
    const person = await site.connect({ scope: READ });
    expect(await list(person.accessToken)).not.toContain("dismiss_task");
    const page = await permissionsOf(person.browser, person.connectionId);
    expect(page.text).toContain("Dismiss tasks");
    expect(page.text).toContain("It can never Send an email it wrote itself");
    expect(page.boxes).toEqual({ "payment_links:write": false, "tasks:write": false, "receipts:push": false });
    await person.browser.submit(page, "Save permissions", { "tasks:write": "on" });
    expect(await list(person.accessToken)).toContain("dismiss_task");
    expect((await site.call(person.accessToken, DISMISS)).status).toBe(200);
    let { refreshToken } = person;
    for (let round = 0; round < 2; round += 1) {
      const renewed = await readTokens(await refresh(site.origin, person.client, refreshToken));
      expect(renewed.scope).toBe(`${READ} tasks:write`);
      expect(await list(renewed.access_token)).toContain("dismiss_task");
      refreshToken = renewed.refresh_token ?? "";
      site.clock.advance(31_000);
    }
    const again = await permissionsOf(person.browser, person.connectionId);
    await person.browser.submit(again, "Save permissions", { "tasks:write": null, "receipts:push": "on" });
    const last = await readTokens(await refresh(site.origin, person.client, refreshToken));
    expect(last.scope).toBe(`${READ} receipts:push`);
    expect(await list(person.accessToken)).not.toContain("dismiss_task");
  });

  it("a token that its client asked to be narrower stays so [completions.11.give]", async () => {
    const person = await site.connect({ scope: `${READ} tasks:write` });
    const narrow = await readTokens(await refresh(site.origin, person.client, person.refreshToken, { scope: READ }));
    const page = await permissionsOf(person.browser, person.connectionId);
    await person.browser.submit(page, "Save permissions", { "receipts:push": "on" });
    expect(await list(narrow.access_token)).not.toContain("push_held_payments");
    expect(await list(person.accessToken)).toContain("push_held_payments");
  });

  it("an admin takes from anybody's and gives to their own alone; others find nothing [completions.11.take-away] [completions.11.give]", async () => {
    const owner = await site.connect({ scope: `${READ} tasks:write` });
    const admin = await site.addPerson(owner.workspace.id);
    const browser = await signedInAs(admin.email);
    const page = await permissionsOf(browser, owner.connectionId);
    expect(page.boxes).toEqual({ "tasks:write": true });
    const { action, fields } = page.formWith("Save permissions");
    const forced = await browser.post(
      action,
      new URLSearchParams({ ...fields, "tasks:write": "on", "receipts:push": "on" }),
    );
    expect(forced.status).toBe(403);
    expect(await list(owner.accessToken)).not.toContain("push_held_payments");
    const open = await permissionsOf(owner.browser, owner.connectionId);
    await browser.submit(page, "Save permissions", { "tasks:write": null });
    // Nor does a page that was open before give it back.
    await owner.browser.submit(open, "Save permissions", { "receipts:push": "on" });
    expect(await list(owner.accessToken)).not.toContain("dismiss_task");

    const member = await site.addPerson(owner.workspace.id, { role: "member" });
    const stranger = await site.connect();
    for (const other of [await signedInAs(member.email), stranger.browser]) {
      expect((await permissionsOf(other, owner.connectionId)).status).toBe(404);
      expect((await other.open("/connections")).text).not.toContain(owner.email);
    }
  });

  it("nobody gives more than their role could grant; a demoted person may still take away [completions.11.give]", async () => {
    const person = await site.connect({ scope: `${READ} tasks:write` });
    await operate(site.service.core, person.workspace.id, setMemberRole, {
      member: { email: person.email },
      role: "member",
    });
    const page = await permissionsOf(person.browser, person.connectionId);
    expect(page.boxes).toEqual({ "tasks:write": true });
    const { action, fields } = page.formWith("Save permissions");
    const refused = await person.browser.post(action, new URLSearchParams({ ...fields, "receipts:push": "on" }));
    expect(refused.status).toBe(403);
    await person.browser.submit(page, "Save permissions", { "tasks:write": null });
    await operate(site.service.core, person.workspace.id, setMemberRole, {
      member: { email: person.email },
      role: "admin",
    });
    expect(await list(person.accessToken)).not.toContain("dismiss_task");
  });

  it("forms of others change nothing, nor do revoked connections [facts.oauth.csrf]", async () => {
    const [person, other] = [await site.connect(), await site.connect()];
    const path = `/connections/${person.connectionId}`;
    const theirs = (await other.browser.open("/connections")).formWith("Remove").fields;
    for (const act of ["permissions", "remove"])
      expect(
        (await other.browser.post(`${path}/${act}`, new URLSearchParams({ ...theirs, scope: "tasks:write" }))).status,
      ).toBe(403);
    const own = await permissionsOf(person.browser, person.connectionId);
    await person.browser.submit(await person.browser.open("/connections"), "Revoke");
    expect((await person.browser.submit(own, "Save permissions")).status).toBe(404);
  });

  it("a workspace lets its assistants only read, from their next call on, and gives back what they had [completions.11.only-read] [completions.11.only-read-lifted]", async () => {
    const person = await site.connect({ scope: ALL.join(" ") });
    const before = await list(person.accessToken);
    const list1 = await person.browser.open("/connections");
    const after = await person.browser.submit(list1, "Let assistants only read");
    expect(after.text).toContain("Assistants can now only read.");
    const reading = await list(person.accessToken);
    expect(reading).not.toContain("dismiss_task");
    expect(before.filter((name) => !reading.includes(name)).sort()).toEqual([
      "cancel_payment_link_email",
      "create_payment_links",
      "deactivate_payment_link",
      "dismiss_task",
      "push_held_payments",
      "reschedule_payment_link_email",
    ]);
    const refused = await site.call(person.accessToken, DISMISS);
    // No step-up: there is nobody who could grant it.
    expect(refused.status).toBe(200);
    expect(await refused.text()).toMatch(/permission_denied.*only read/);
    const renewed = await readTokens(
      await refresh(site.origin, person.client, person.refreshToken, { scope: ALL.join(" ") }),
    );
    expect(renewed.scope).toBe(READ);
    expect(await list(renewed.access_token)).toEqual(reading);

    const client = await register(site.origin);
    const url = authorizationUrl(site.origin, client, pkce().challenge, { scope: ALL.join(" ") });
    const consent = await openConsent(
      site.origin,
      { email: person.email, password: PASSWORD, browser: person.browser },
      url,
    );
    expect(consent.boxes).toEqual({});
    expect(consent.text).toContain("lets assistants only read");
    const forced = Object.fromEntries(WRITES.map((scope) => [`${scope}@${person.workspace.id}`, "on"]));
    await person.browser.submit(consent, "Allow", forced);
    const rows = await rowsOf(site.service.core.store, person.workspace.id, "assistant_connections", {
      client_id: client.clientId,
    });
    expect(rows).toMatchObject([{ scopes: [READ] }]);
    const page = await permissionsOf(person.browser, person.connectionId);
    expect(page.boxes).toEqual({ "payment_links:write": true, "tasks:write": true, "receipts:push": true });

    await person.browser.submit(await person.browser.open("/connections"), "Let assistants write");
    expect(await list(person.accessToken)).toEqual(before);
    expect((await site.call(person.accessToken, DISMISS)).status).toBe(200);
    const restored = await readTokens(await refresh(site.origin, person.client, renewed.refresh_token ?? ""));
    expect(restored.scope).toBe(ALL.join(" "));
    expect(await list(restored.access_token)).toEqual(before);
    const entries = await rowsOf(site.service.core.store, person.workspace.id, "audit_entries", {
      operation: "setAssistantMode",
    });
    expect(entries.map(({ actor_kind: who, details }) => [who, details?.assistants]).sort()).toEqual([
      ["person", "read"],
      ["person", "write"],
    ]);
  });

  it("nobody but an admin sets that [completions.11.only-read]", async () => {
    const owner = await site.connect({ scope: ALL.join(" ") });
    const member = await site.addPerson(owner.workspace.id, { role: "member" });
    const browser = await signedInAs(member.email);
    const action = `/connections/${owner.workspace.id}/assistants`;
    expect((await browser.open("/connections")).html).not.toContain(action);
    const { fields } = (await owner.browser.open("/connections")).formWith("Let assistants only read");
    expect((await browser.post(action, new URLSearchParams(fields))).status).toBe(404);
    expect(await list(owner.accessToken)).toContain("dismiss_task");
    await operate(site.service.core, owner.workspace.id, setWorkspace, { assistants: "read" });
    expect(await list(owner.accessToken)).not.toContain("dismiss_task");
  });
});
