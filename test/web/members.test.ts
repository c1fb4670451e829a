import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import type { Role } from "../../src/core/gate/actor.ts";
import { actAs } from "../support/acting.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { multiply } from "../support/multiply.ts";
import { callMcp, signInAndApprove } from "../support/oauth-client.ts";
import { mailsIn } from "../support/outbox.ts";
import { rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the page of members", ({ open }) => {
  const site = useAuthApp(open);

  const admin = async (role: Role = "admin") => {
    const workspace = await site.app.addWorkspace();
    return { workspace, ...(await site.app.newcomer(role, workspace.id)) };
  };
  const address = () => `new-${randomUUID()}@example.com`;
  /** Invites from the page, and answers the path in the mail that came of it. */
  async function invited(browser: Browser, email: string, role: Role = "member"): Promise<string> {
    const page = await browser.submit(await browser.open("/members"), "Invite", {
      email: ` ${email.toUpperCase()} `,
      role,
    });
    expect(page.text).toContain("The invitation is on its way.");
    expect(page.text).toContain(email);
    const mails = (await mailsIn(site.app)).filter(({ to }) => to?.[0]?.address === email);
    expect(mails).toHaveLength(1);
    const [, link = "no link"] =
      new RegExp(`${site.app.origin}(/invitations/[\\w-]{43})`).exec(mails[0]?.text ?? "") ?? [];
    // Whoever invites cannot accept in another's name.
    expect(page.html).not.toContain(link);
    return link;
  }

  it("somebody new joins by the link of their mail, with a name and a password, once [contract.pages.members]", async () => {
    const { browser, workspace } = await admin();
    const email = address();
    const link = await invited(browser, email, "admin");
    const guest = new Browser(site.app.origin);
    const page = await guest.open(link);
    expect(page.heading).toBe(`Join ${workspace.name}`);
    const weak = await guest.submit(page, "Join", { name: " ", password: "short" });
    expect([weak.status, weak.text]).toEqual([400, expect.stringContaining("It must have at least 12 characters.")]);
    expect(weak.text).toContain("Your name must not be empty.");
    const home = await guest.submit(weak, "Join", { name: "Nora New", password: "some long password" });
    expect([home.url.pathname, home.heading]).toEqual(["/", workspace.name]);
    expect(home.text).toContain("You have joined the workspace.");
    expect((await guest.open("/members")).text).toContain(`Nora New (you) ${email} Admin`);
    expect(await new Browser(site.app.origin).open(link)).toMatchObject({ status: 404 });
  });

  it("somebody with an account signs in and accepts; nobody else can [contract.pages.members]", async () => {
    const [here, there] = [await admin(), await admin("member")];
    const link = await invited(here.browser, there.email);
    const stranger = await (await admin()).browser.open(link);
    expect(stranger.text).toContain("Sign out, then open the link of the mail again.");
    expect(stranger.html).not.toContain(">Join<");
    const guest = new Browser(site.app.origin);
    const page = await guest.open(link);
    expect(page.html).not.toContain('type="password"');
    const signIn = await guest.open(page.linkTo("Sign in to join"));
    const back = await guest.submit(signIn, "Sign in", { email: there.email, password: PASSWORD });
    expect(back.url.pathname).toBe(link);
    const home = await guest.submit(back, "Join");
    expect(home.text).toContain(here.workspace.name);
    expect(home.text).toContain(there.workspace.name);
  });

  it("an invitation that was withdrawn is not mailed, and leads nowhere [contract.pages.members]", async () => {
    const { browser } = await admin();
    const email = address();
    const link = await invited(browser, email);
    const page = await browser.submit(await browser.open("/members"), "Withdraw");
    expect(page.text).toContain("The invitation was withdrawn.");
    expect((await new Browser(site.app.origin).open(link)).status).toBe(404);
    await browser.submit(await browser.open("/members"), "Invite", { email: address(), role: "member" });
    await browser.submit(await browser.open("/members"), "Withdraw");
    expect(await mailsIn(site.app)).toEqual([]);
  });

  it("200 invitations wait at most, those that have expired not among them [contract.pages.members]", async () => {
    const { browser, workspace } = await admin();
    const email = address();
    await invited(browser, email);
    const copies = (count: number, expires: string) =>
      site.app.core.store.write(workspace.id, (tx) =>
        multiply(tx, "invitations", {
          which: sql`one.email = ${email}`,
          count,
          changes: sql`jsonb_build_object('invitation_id', gen_random_uuid(), 'token_hash', gen_random_uuid(),
            'email', ${expires}::text || n || '@example.com', 'expires_at', now() + ${expires}::interval)`,
        }),
      );
    await copies(20, "-1 day");
    await copies(198, "1 day");
    await invited(browser, address());
    const page = await browser.open("/members");
    const refused = await browser.submit(page, "Invite", { email: address(), role: "member" });
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("200 invitations wait for an answer. Withdraw one first."),
    ]);
    const again = await browser.submit(refused, "Invite", { email, role: "member" });
    expect(again.status).toBe(200);
  });

  it("what cannot be invited is said beside the field [contract.pages.members]", async () => {
    const { browser, email } = await admin();
    for (const [given, status, said] of [
      ["nobody", 400, "That is not an email address."],
      [email, 409, `${email} is a member already.`],
    ] as const) {
      const page = await browser.submit(await browser.open("/members"), "Invite", { email: given, role: "admin" });
      expect([page.status, page.text]).toEqual([status, expect.stringContaining(said)]);
    }
  });

  it("a form sent after signing out leads to the sign-in, and does nothing [contract.pages.sign-in]", async () => {
    const { browser, tenantId } = await admin();
    const page = await browser.open("/members");
    const signOut = await browser.open("/signout");
    await browser.submit(signOut, "Sign out");
    const after = await browser.submit(page, "Invite", { email: address(), role: "member" });
    // The address of the form, which leads to its page.
    const next = `/members/${tenantId}`;
    expect([after.url.pathname, after.url.searchParams.get("next")]).toEqual(["/signin", next]);
    expect((await browser.submit(signOut, "Sign out")).url.href).toContain("/signin?done=signed_out");
    const invitations = await rowsOf(site.app.core.store, tenantId, "invitations");
    expect(invitations).toEqual([]);
  });

  it("the address of a form that was refused leads to its page [contract.pages.members]", async () => {
    const { browser, tenantId } = await admin();
    const refused = await browser.submit(await browser.open("/members"), "Invite", { email: "nobody", role: "member" });
    const paths = ["/api-keys/x", "/erp-connections/x", "/erp-connections/x/y/settings", "/integrations/x/stripe"];
    const led = [];
    for (const path of [refused.url.pathname, ...paths]) led.push((await browser.open(path)).url.pathname);
    expect(refused.url.pathname).toBe(`/members/${tenantId}`);
    expect(led).toEqual(["/members", "/api-keys", "/erp-connections", "/erp-connections", "/integrations"]);
    expect((await browser.open("/members/x/y")).status).toBe(404);
  });

  it("roles change with one click, and the last admin's cannot [contract.pages.members]", async () => {
    const { browser, tenantId, email } = await admin();
    expect((await browser.open("/members")).text).toContain("The only admin: cannot be removed.");
    const other = await site.app.addPerson(tenantId, { role: "member" });
    const page = await browser.submit(await browser.open("/members"), "Make admin");
    expect(page.text).toContain("The role was changed.");
    expect(page.text).toMatch(new RegExp(`${other.email} Admin`));
    const [own, theirs] = [await site.app.signedIn(email), await site.app.signedIn(other.email)];
    expect((await own.submit(await own.open("/members"), "Make member")).status).toBeLessThan(404);
    const pages = [await own.open("/members"), await theirs.open("/members")];
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(pages.map(({ text }) => text).join()).toContain("The only admin");
  });

  it("an admin who makes a member of themself is told so, where they may still be [contract.pages.members]", async () => {
    const { tenantId } = await admin();
    const { email, memberId } = await site.app.addPerson(tenantId, { role: "admin" });
    const browser = await site.app.signedIn(email);
    const action = `/members/${tenantId}/${memberId}/role`;
    const { html } = await browser.open("/members");
    const [, token = ""] = new RegExp(`action="${action}"[^]*?name="form_token" value="([^"]+)"`).exec(html) ?? [];
    const after = await browser.post(action, new URLSearchParams({ form_token: token, role: "member" }));
    expect([after.status, after.url.pathname]).toEqual([200, "/"]);
    expect(after.text).toContain("no longer one of its admins");
  });

  it("removing somebody stops their assistants at once, and says by whom [contract.pages.members]", async () => {
    const { browser, workspace, tenantId, email } = await admin();
    const other = await site.app.addPerson(tenantId, { role: "admin" });
    const key = { name: "Export", permission: "admin" } as const;
    await actAs(site.app.core, { tenantId, memberId: other.memberId }, createApiKey, key);
    const assistant = await signInAndApprove(site.app.origin, { email: other.email, password: PASSWORD });
    expect((await callMcp(site.app.origin, assistant.accessToken)).status).toBe(200);
    const sure = await browser.open(`/members/${tenantId}/${other.memberId}/remove`);
    expect(sure.heading).toBe(`Remove ${other.email} from ${workspace.name}?`);
    expect(sure.text).toContain("1 API key that they made works on: what knows such a key still gets in.");
    expect((await browser.open("/api-keys")).text).toContain(`by ${other.email}`);
    const done = await browser.submit(sure, "Remove");
    expect(done.text).toContain("The member was removed");
    expect(done.text).not.toContain(other.email);
    expect((await callMcp(site.app.origin, assistant.accessToken)).status).toBe(401);
    expect((await browser.open("/connections")).text).toMatch(new RegExp(`Revoked .* by ${email}`));
  });
});
