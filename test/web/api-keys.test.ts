import { type RawBuilder, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { apiKeyAuthentication } from "../../auth/api-key-authentication.ts";
import { listApiKeys } from "../../auth/api-keys/api-key.ts";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../auth/api-keys/revoke-api-key.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { multiply } from "../support/multiply.ts";
import { A_STORE } from "../support/thorough.ts";

const CREATED = { name: "Data warehouse", permission: "readonly" };

describe.each(A_STORE)("the page of API keys on $name", ({ open }) => {
  const site = useAuthApp(open);

  const keys = (tenantId: string) => operate(site.app.core, tenantId, listApiKeys, {});
  const codeOf = async (key: string) => {
    const authenticate = apiKeyAuthentication(site.app.core, { limited: true });
    const { actor, refusal } = await authenticate(`Bearer ${key}`, "192.0.2.1");
    return refusal?.code ?? actor?.permission;
  };

  it("makes a key that is shown once and works [service.5.1.keys]", async () => {
    const { tenantId, memberId, browser } = await site.app.newcomer();
    const page = await browser.open("/api-keys");
    expect(page.heading).toBe("API keys");
    expect(page.text).toContain("There is no key yet");
    const made = await browser.submit(page, "Create key", CREATED);
    const key = /<code data-copy="the key">(\w+)<\/code>/.exec(made.html)?.[1] ?? "";
    expect(await codeOf(key)).toBe("readonly");
    expect(made.headers.get("cache-control")).toBe("no-store");
    const listed = await browser.open("/api-keys");
    expect(listed.html).not.toContain(key);
    expect(listed.html).toContain('<td data-label="Permission">Read only</td>');
    expect(await keys(tenantId)).toMatchObject([CREATED]);
    const entries = await site.app.trail(tenantId, "createApiKey");
    expect(entries).toMatchObject([{ actor_kind: "person", actor_id: memberId }]);
  });

  it("makes one key of one form, however often that is sent [service.5.1.keys]", async () => {
    const { tenantId, browser } = await site.app.newcomer();
    const page = await browser.open("/api-keys");
    const made = await browser.submit(page, "Create key", CREATED);
    expect(made.status).toBe(200);
    const again = await browser.submit(page, "Create key", CREATED);
    expect([again.status, again.text]).toEqual([409, expect.stringContaining("not shown again")]);
    expect(await keys(tenantId)).toHaveLength(1);
    expect((await browser.submit(again, "Create key", CREATED)).status).toBe(200);
    expect(await keys(tenantId)).toHaveLength(2);
  });

  it("revokes a key with one click, and keeps its row [service.5.1.keys]", async () => {
    const { tenantId, browser } = await site.app.newcomer();
    const { key } = await operate(site.app.core, tenantId, createApiKey, { name: "<b>Old</b>", permission: "admin" });
    expect(await codeOf(key)).toBe("admin");
    const page = await browser.open("/api-keys");
    expect(page.html).toContain("&lt;b&gt;Old&lt;/b&gt;");
    const after = await browser.submit(page, "Revoke");
    expect(after.text).toContain("The key was revoked.");
    expect(await codeOf(key)).toBe("revoked_credentials");
    expect(() => after.formWith("Revoke")).toThrow();
    expect(after.text).toMatch(/Old.* Revoked .* by .*@example\.com/);
  });

  it("lists all live keys, 100 at most, and the latest 50 of the others [service.5.1.keys]", async () => {
    const { core } = site.app;
    const { tenantId, browser } = await site.app.newcomer();
    const { id } = await operate(core, tenantId, createApiKey, { name: "used", permission: "readonly" });
    const copies = (count: number, revoked: RawBuilder<unknown>) =>
      core.store.write(tenantId, (tx) =>
        multiply(tx, "api_keys", {
          which: sql`one.key_id = ${id}`,
          count,
          changes: sql`jsonb_build_object('key_id', gen_random_uuid(), 'key_hash', gen_random_uuid(), 'revoked_at', ${revoked})`,
        }),
      );
    await copies(99, sql`null`);
    await copies(60, sql`one.created_at - n * interval '1 second'`);
    const page = await browser.open("/api-keys");
    expect([...page.html.matchAll(/<span id="key-/g)]).toHaveLength(150);
    expect(page.text).toContain("Of those that ended the latest 50 are shown; the audit trail has all.");
    expect((await keys(tenantId)).filter((key) => key.revoked_at !== null)).toHaveLength(50);
    const refused = await browser.submit(page, "Create key", CREATED);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("This workspace has 100 keys.")]);
    await operate(core, tenantId, revokeApiKey, { id });
    expect((await browser.submit(refused, "Create key", CREATED)).text).toContain("was made. Keep it now");
    expect((await keys(tenantId)).some((key) => key.id === id)).toBe(true);
  });

  it("refuses a key without a name or with another permission, and keeps what was typed [service.5.1.keys]", async () => {
    const { tenantId, browser } = await site.app.newcomer();
    for (const wrong of [
      { name: " \u200b", permission: "admin" },
      { name: "x", permission: "owner" },
    ]) {
      const page = await browser.submit(await browser.open("/api-keys"), "Create key", wrong);
      expect(page.status).toBe(400);
      expect(page.text).toContain("A key needs a name");
      if (wrong.permission === "admin") expect(page.html).toMatch(/<option value="admin" selected>/);
    }
    expect(await keys(tenantId)).toEqual([]);
  });
});
