import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { inviteMember } from "../../auth/invitations/invite-member.ts";
import { listInvitations } from "../../auth/invitations/list-invitations.ts";
import { addMember } from "../../auth/members/add-member.ts";
import type { Member } from "../../auth/members/member.ts";
import { invitationToken } from "../../src/core/accounts/invitation-token.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../src/core/invoices/operations/create-local-invoice.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { createWorkspace } from "../../src/core/workspace/operations/create-workspace.ts";
import type { ErpConnectionRow } from "../../src/store/tables/erp.ts";
import { PAGES } from "../../src/web/pages.ts";
import { actAs } from "../support/acting.ts";
import { HAS_CHROMIUM, launchChromium } from "../support/chromium.ts";
import { look } from "../support/looks.ts";
import { keepAnswers } from "../support/markup.ts";
import { authorizationUrl, pkce, register, signInAndApprove } from "../support/oauth-client.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";

const PASSWORD = "correct horse battery staple";

/** The pages that a navigation leads to. */
const LISTED = PAGES.flatMap(({ listing = [] }) => listing).filter(({ path }) => path !== "/docs");

/** One service, one browser, every page but the reference. */
describe.skipIf(!HAS_CHROMIUM)("every page, for everybody", () => {
  let service: RunningService;
  let core: Core;
  let browser: Browser;
  let tenantId: string;
  let ada: Member;
  let people: Record<"nobody" | "ada" | "max" | "zoe", Page>;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(A_KIND), launchChromium()]);
    core = service.core;
    const tier = { api_access: true, assistant_access: true };
    const made = await operate(core, core.newId(), createWorkspace, {
      name: "Northwind Trading",
      timezone: "America/New_York",
      ...tier,
    });
    tenantId = made.id;
    const small = await operate(core, core.newId(), createWorkspace, {
      name: "Small Plan Inc",
      timezone: "UTC",
      ...tier,
      assistant_access: false,
    });
    const second = await operate(core, core.newId(), createWorkspace, {
      name: "Alpenglow Foods AG",
      timezone: "Europe/Zurich",
      ...tier,
    });
    const person = (email: string, name: string | undefined, role: "admin" | "member") =>
      operate(core, tenantId, addMember, { email, name, role, password: PASSWORD });
    ada = await person("ada.lovelace@northwind.example", "Ada Lovelace", "admin");
    await person("max.a.rather.long.address.of.a.member@receivables.northwind.example", undefined, "member");
    await operate(core, second.id, addMember, { email: ada.email, role: "admin" });
    const zoe = { email: "zoe@small.example", name: "Zoe Small", role: "member", password: PASSWORD } as const;
    await operate(core, small.id, addMember, zoe);
    await furnish();
    const page = async () => keepAnswers(await (await browser.newContext()).newPage());
    people = { nobody: await page(), ada: await page(), max: await page(), zoe: await page() };
    await signIn(people.ada, ada.email);
    await signIn(people.max, "max.a.rather.long.address.of.a.member@receivables.northwind.example");
    await signIn(people.zoe, zoe.email);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function signIn(page: Page, email: string): Promise<void> {
    await page.goto(`${service.url}/signin`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
  }

  /** Something of everything that a page can show. */
  async function furnish(): Promise<void> {
    const by = { memberId: ada.id, requestId: "r" };
    const invited = { email: "grace.hopper@northwind.example", role: "admin" } as const;
    await actAs(core, { tenantId, ...by }, inviteMember, invited);
    await operate(core, tenantId, createApiKey, { name: "Nightly dunning job", permission: "admin" });
    await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: ["USD", "EUR"] });
    for (const name of ["Claude", "An assistant with a rather long name, made by some company"]) await approve(name);
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3600_000).toISOString();
    const states: Partial<ErpConnectionRow>[] = [
      { last_sync_at: hoursAgo(2), last_successful_sync_at: hoursAgo(2) },
      { status: "requires_reauthentication", last_sync_at: hoursAgo(1), last_successful_sync_at: hoursAgo(80) },
      { status: "temporarily_unavailable", sync_enabled: false },
    ];
    for (const [index, state] of states.entries()) {
      const { id } = await operate(core, tenantId, connectErp, {
        ...{
          provider: "oracle_fusion",
          url: `https://pod${index}.fa.us2.oraclecloud.example.com`,
          username: "RECEIVABLES_SVC",
        },
        ...{ password: "p", autoSync: false },
      });
      await core.store.write(tenantId, (tx) =>
        tx.updateTable("erp_connections").set(state).where("connection_id", "=", id).execute(),
      );
    }
  }

  async function approve(name: string): Promise<void> {
    const client = await register(service.url, { client_name: name, client_uri: "https://assistant.example.com" });
    await signInAndApprove(service.url, { email: ada.email, password: PASSWORD, client, workspace: tenantId });
  }

  async function payLink(): Promise<string> {
    const { key } = await operate(core, tenantId, createApiKey, { name: "Links", permission: "admin" });
    const { id, installment_ids: installments } = await operate(core, tenantId, createLocalInvoice, {
      ...{ number: crypto.randomUUID(), currency: "USD", amount: "1250.50" },
      ...{ customerName: "Globex <GmbH> & Co", customerEmail: "ap@globex.example" },
      installments: [{ dueDate: "2026-02-10", amount: "1250.50" }],
    });
    const answer = await fetch(`${service.url}/v1/payment-links`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": id },
      body: JSON.stringify({ invoice_id: id, installment_id: installments[0] }),
    });
    const link = z.object({ url: z.string() }).parse(await answer.json());
    expect(answer.status).toBe(201);
    return link.url;
  }

  type Do = (page: Page) => Promise<unknown>;
  const press =
    (name: string): Do =>
    (page) =>
      page.getByRole("button", { name }).first().click();
  const open =
    (name: string): Do =>
    (page) =>
      page.getByRole("link", { name }).first().click();
  const unfold: Do = async (page) => {
    const folded = page.locator("details:not([open]) > summary");
    while ((await folded.count()) > 0) await folded.first().click();
  };
  const invitation = async () => {
    const [open] = await operate(core, tenantId, listInvitations, {});
    return `/invitations/${invitationToken(core, open?.id ?? "")}`;
  };
  const consent = async () =>
    authorizationUrl(service.url, await register(service.url, { client_name: "Claude" }), pkce().challenge);

  /** Who sees it, what it is called, where it is, and what they do there before it is looked at. */
  type Sight = readonly [who: keyof typeof people, name: string, path: string | (() => Promise<string>), first?: Do];
  const SIGHTS: readonly Sight[] = [
    ...LISTED.map(({ path }): Sight => ["ada", path.slice(1) || "home", path]),
    ["nobody", "welcome", "/"],
    ["nobody", "set-up", "/mcp"],
    ["nobody", "sign-in", "/signin"],
    ["nobody", "organisation", "/organisation"],
    [
      "nobody",
      "sign-in-refused",
      "/signin",
      async (page) => {
        await page.getByLabel("Email").fill("nobody@example.com");
        await page.getByLabel("Password").fill("wrong");
        await press("Sign in")(page);
        await page.getByRole("alert").waitFor();
      },
    ],
    ["nobody", "invitation", invitation],
    ["nobody", "invitation-gone", `/invitations/${"x".repeat(43)}`],
    ["nobody", "not-found", "/nowhere"],
    ["nobody", "oauth-error", "/oauth/authorize?client_id=nobody"],
    ["nobody", "consent-sign-in", consent],
    ["nobody", "pay", payLink],
    ["nobody", "paid", payLink, press("Pay")],
    ["ada", "connections-revoked", "/connections", press("Revoke")],
    ["ada", "connection-permissions", "/connections", open("Change permissions")],
    ["ada", "members-remove", "/members", open("Remove")],
    [
      "ada",
      "members-refused",
      "/members",
      async (page) => {
        await page.getByLabel("Email").last().fill(ada.email);
        await page.getByRole("button", { name: "Invite" }).last().click();
        await page.getByText("is a member already").waitFor();
      },
    ],
    ["ada", "erp-connections-forms", "/erp-connections", unfold],
    ["ada", "erp-disconnect", "/erp-connections", open("Disconnect")],
    ["ada", "integrations-forms", "/integrations", unfold],
    [
      "ada",
      "integrations-refused",
      "/integrations",
      async (page) => {
        const form = page.getByRole("form", { name: "Connect Stripe" }).first();
        await form.getByLabel("Secret key").fill("sk_test_wrong");
        await form.getByLabel("Webhook secret").fill("whsec_wrong");
        await form.getByLabel("Currencies").fill("DOLLARS");
        await form.getByRole("button").click();
        await page.getByRole("alert").waitFor();
      },
    ],
    ["ada", "integrations-disconnect", "/integrations", open("Disconnect")],
    [
      "ada",
      "api-key-made",
      "/api-keys",
      async (page) => {
        await page.getByLabel("Name").first().fill("Reporting");
        await press("Create key")(page);
        await page.getByRole("status").waitFor();
      },
    ],
    ["ada", "mails-preview", "/mails", open("Preview the mails")],
    ["ada", "second-factor", "/security/factor"],
    ["nobody", "password-forgotten", "/password/forgotten"],
    ["ada", "consent", consent],
    ["ada", "signout", "/signout"],
    ["max", "member-home", "/"],
    ["max", "admins-only", "/members"],
    ["max", "consent-member", consent],
    ["zoe", "nowhere", consent],
  ];

  it.each(SIGHTS.map(([who, name]) => ({ who, name })))(
    "$who sees $name [facts.pages.accessible]",
    async ({ who, name }) => {
      const [, , path = "", first] = SIGHTS.find((sight) => sight[1] === name) ?? [];
      const page = people[who];
      await page.goto(new URL(typeof path === "string" ? path : await path(), service.url).href);
      await first?.(page);
      expect(await look(page, name)).toEqual([]);
    },
  );
});
