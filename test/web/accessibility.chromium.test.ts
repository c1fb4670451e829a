import type { Page } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
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
import type { ErpConnectionRow } from "../../src/store/tables/erp.ts";
import { PAGES } from "../../src/web/pages.ts";
import { actAs } from "../support/acting.ts";
import { HAS_CHROMIUM } from "../support/chromium.ts";
import { keepAnswers } from "../support/markup.ts";
import { authorizationUrl, pkce, register, signInAndApprove } from "../support/oauth-client.ts";
import { PASSWORD, peopleOf } from "../support/people.ts";
import { signedInPage } from "../support/signed-in-page.ts";
import { setRows } from "../support/stored.ts";
import { type Do, press, type Sight, seeEach, unfold, useBrowser } from "./sights.ts";

/** The pages that a navigation leads to. */
const LISTED = PAGES.flatMap(({ listing = [] }) => listing).filter(({ path }) => path !== "/docs");

/** One service, one browser, every page but the reference. */
describe.skipIf(!HAS_CHROMIUM)("every page, for everybody", () => {
  const seen = useBrowser();
  let core: Core;
  let tenantId: string;
  let ada: Member;
  let people: Record<"nobody" | "ada" | "max" | "zoe", Page>;

  beforeAll(async () => {
    const { service, browser } = seen();
    core = service.core;
    const workspaces = peopleOf(core);
    ({ id: tenantId } = await workspaces.addWorkspace({ name: "Northwind Trading" }));
    const small = await workspaces.addWorkspace({ name: "Small Plan Inc", assistantAccess: false });
    const second = await workspaces.addWorkspace({ name: "Alpenglow Foods AG" });
    const person = (email: string, name: string | undefined, role: "admin" | "member") =>
      operate(core, tenantId, addMember, { email, name, role, password: PASSWORD });
    ada = await person("ada.lovelace@northwind.example", "Ada Lovelace", "admin");
    const max = await person(
      "max.a.rather.long.address.of.a.member@receivables.northwind.example",
      undefined,
      "member",
    );
    await operate(core, second.id, addMember, { email: ada.email, role: "admin" });
    const zoe = { email: "zoe@small.example", name: "Zoe Small", role: "member", password: PASSWORD } as const;
    await operate(core, small.id, addMember, zoe);
    await furnish();
    const signedIn = ({ email }: { email: string }) => signedInPage(browser, service.url, email);
    people = {
      nobody: keepAnswers(await (await browser.newContext()).newPage()),
      ada: await signedIn(ada),
      max: await signedIn(max),
      zoe: await signedIn(zoe),
    };
  });

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
      await setRows(core.store, tenantId, "erp_connections", state, { connection_id: id });
    }
  }

  async function approve(name: string): Promise<void> {
    const client = await register(seen().service.url, {
      client_name: name,
      client_uri: "https://assistant.example.com",
    });
    await signInAndApprove(seen().service.url, { email: ada.email, password: PASSWORD, client, workspace: tenantId });
  }

  async function payLink(): Promise<string> {
    const { key } = await operate(core, tenantId, createApiKey, { name: "Links", permission: "admin" });
    const { id, installment_ids: installments } = await operate(core, tenantId, createLocalInvoice, {
      ...{ number: crypto.randomUUID(), currency: "USD", amount: "1250.50" },
      ...{ customerName: "Globex <GmbH> & Co", customerEmail: "ap@globex.example" },
      installments: [{ dueDate: "2026-02-10", amount: "1250.50" }],
    });
    const answer = await fetch(`${seen().service.url}/v1/payment-links`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": id },
      body: JSON.stringify({ invoice_id: id, installment_id: installments[0] }),
    });
    const link = z.object({ url: z.string() }).parse(await answer.json());
    expect(answer.status).toBe(201);
    return link.url;
  }

  const open =
    (name: string): Do =>
    (page) =>
      page.getByRole("link", { name }).first().click();
  const invitation = async () => {
    const [open] = await operate(core, tenantId, listInvitations, {});
    return `/invitations/${invitationToken(core, open?.id ?? "")}`;
  };
  const consent = async () =>
    authorizationUrl(
      seen().service.url,
      await register(seen().service.url, { client_name: "Claude" }),
      pkce().challenge,
    );

  const SIGHTS: readonly Sight<keyof typeof people>[] = [
    ...LISTED.map(({ path }): Sight<"ada"> => ["ada", path.slice(1) || "home", path]),
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
        await press("Sign in", "alert")(page);
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
        await press("Create key", "status")(page);
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

  seeEach(seen, () => people, SIGHTS);
});
