import { describe, expect, it } from "vitest";
import { apiKeyAuthentication } from "../../auth/api-key-authentication.ts";
import { listApiKeys } from "../../auth/api-keys/api-key.ts";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { actAs } from "../support/acting.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { A_STORE } from "../support/thorough.ts";

const CREATED = { name: "Data warehouse", permission: "readonly" };

describe.each(A_STORE)("the page of API keys on $name", ({ open }) => {
  const site = useAuthApp(open);

  async function newcomer(role: "admin" | "member" = "admin") {
    const workspace = await site.app.addWorkspace();
    const { email, memberId } = await site.app.addPerson(workspace.id, { role });
    const browser = new Browser(site.app.origin);
    await browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
    return { tenantId: workspace.id, email, memberId, browser };
  }
  const keys = (tenantId: string) => operate(site.app.core, tenantId, listApiKeys, {});
  const codeOf = async (key: string) => {
    const authenticate = apiKeyAuthentication(site.app.core, { limited: true });
    const { actor, refusal } = await authenticate(`Bearer ${key}`, "192.0.2.1");
    return refusal?.code ?? actor?.permission;
  };

  it("makes a key that is shown once and works [service.5.1.keys]", async () => {
    const { tenantId, memberId, browser } = await newcomer();
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
    const audits = await site.app.core.store.read(tenantId, (tx) =>
      tx
        .selectFrom("audit_entries")
        .select(["actor_kind", "actor_id", "operation"])
        .where("tenant_id", "=", tenantId)
        .where("operation", "=", "createApiKey")
        .execute(),
    );
    expect(audits).toEqual([{ actor_kind: "person", actor_id: memberId, operation: "createApiKey" }]);
  });

  it("makes one key of one form, however often that is sent [service.5.1.keys]", async () => {
    const { tenantId, browser } = await newcomer();
    const page = await browser.open("/api-keys");
    const made = await browser.submit(page, "Create key", CREATED);
    expect(made.status).toBe(200);
    const again = await browser.submit(page, "Create key", CREATED);
    expect([again.status, again.text]).toEqual([409, expect.stringContaining("not shown again")]);
    expect(await keys(tenantId)).toHaveLength(1);
    expect((await browser.submit(again, "Create key", CREATED)).status).toBe(200);
    expect(await keys(tenantId)).toHaveLength(2);
  });

  it("keeps what was typed where a key is refused [service.5.1.keys]", async () => {
    const { browser } = await newcomer();
    const typed = { name: " ", permission: "admin" };
    const refused = await browser.submit(await browser.open("/api-keys"), "Create key", typed);
    expect(refused.html).toMatch(/<option value="admin" selected>/);
  });

  it("revokes a key with one click, and keeps its row [service.5.1.keys]", async () => {
    const { tenantId, browser } = await newcomer();
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

  it("refuses a key without a name or with another permission", async () => {
    const { tenantId, browser } = await newcomer();
    for (const wrong of [{ name: " \u200b" }, { name: "x", permission: "owner" }]) {
      const page = await browser.submit(await browser.open("/api-keys"), "Create key", wrong);
      expect(page.status).toBe(400);
      expect(page.text).toContain("A key needs a name");
    }
    expect(await keys(tenantId)).toEqual([]);
  });

  it("is nothing to members, strangers and forged forms", async () => {
    const admin = await newcomer();
    const { id } = await operate(site.app.core, admin.tenantId, createApiKey, { name: "Key", permission: "admin" });
    expect((await new Browser(site.app.origin).open("/api-keys")).url.pathname).toBe("/signin");
    const member = await newcomer("member");
    expect((await member.browser.open("/api-keys")).text).toContain("Only an admin");
    const page = await admin.browser.open("/api-keys");
    const forged = await admin.browser.post(`/api-keys/${admin.tenantId}`, new URLSearchParams(CREATED));
    expect(forged.status).toBe(403);
    // A stranger with forms of their own reaches no other workspace.
    const stranger = await newcomer();
    for (const path of [`/api-keys/${admin.tenantId}`, `/api-keys/${admin.tenantId}/${id}/revoke`]) {
      const form = new URLSearchParams({ ...page.formWith("Create key").fields, ...CREATED });
      expect((await stranger.browser.post(path, form)).status).toBe(404);
    }
    expect(await keys(admin.tenantId)).toHaveLength(1);
  });

  it("asks whether one is an admin still, when the form comes", async () => {
    const { tenantId, email, browser } = await newcomer();
    const page = await browser.open("/api-keys");
    await operate(site.app.core, tenantId, setMemberRole, { member: { email }, role: "member" });
    expect((await browser.submit(page, "Create key", CREATED)).status).toBe(404);
    const memberId = (await site.app.addPerson(tenantId, { role: "member" })).memberId;
    const by = { memberId, requestId: "request-1" };
    await expect(
      actAs(site.app.core, { tenantId, ...by }, createApiKey, { name: "x", permission: "admin" }),
    ).rejects.toMatchObject({
      code: "permission_denied",
    });
    expect(await keys(tenantId)).toEqual([]);
  });
});
