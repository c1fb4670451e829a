import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkMember } from "../../auth/identities/link-member.ts";
import { listLinks } from "../../auth/identities/member-link.ts";
import { unlinkMember } from "../../auth/identities/unlink-member.ts";
import { addMember } from "../../auth/members/add-member.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import { removeSignIn } from "../../auth/upstream-sign-in/remove-sign-in.ts";
import { setSignIn } from "../../auth/upstream-sign-in/set-sign-in.ts";
import type { Role } from "../../src/core/gate/actor.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { follow, type Issuer, startIssuer } from "../support/issuer.ts";
import { meanwhile } from "../support/meanwhile.ts";
import {
  authorizationUrl,
  callerOf,
  callMcp,
  pkce,
  redeem,
  refresh,
  register,
  signInAndApprove,
} from "../support/oauth-client.ts";
import { rowOf, rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const BUTTON = "Continue";
/** The one puts emails into the ID token; the other, as the specification has it, tells them when asked. */
let issuer: Issuer;
let other: Issuer;

beforeAll(async () => {
  [issuer, other] = await Promise.all([startIssuer(), startIssuer({ claimsInIdToken: true })]);
});
afterAll(() => Promise.all([issuer.stop(), other.stop()]));

describe.each(A_STORE)("sign-in at a workspace's OpenID provider on $name", ({ open }) => {
  const site = useAuthApp(open);

  /** A workspace whose members sign in at an issuer, and one member. */
  async function workspace({ at = issuer, trustEmail = false, role = "member" as Role } = {}) {
    const { id, name } = await site.app.addWorkspace();
    const domain = `d${randomUUID().slice(0, 8)}.example`;
    const email = `ana@${domain}`;
    await operate(site.app.core, id, addMember, { email, role });
    const clientId = `client-${id}`;
    await at.client({
      client_id: clientId,
      client_secret: "secret of the client",
      redirect_uris: [`${site.app.origin}/organisation/${id}/callback`],
      token_endpoint_auth_method: "client_secret_basic",
    });
    const provider = { issuer: at.url, clientId, clientSecret: "secret of the client", domains: [domain], trustEmail };
    await operate(site.app.core, id, setSignIn, provider);
    return { id, name, domain, email, provider, subject: randomUUID(), at };
  }
  type Workspace = Awaited<ReturnType<typeof workspace>>;

  /** To the provider and back, as who sits at the browser; the page it ends on, and where it came back to. */
  async function signIn(here: Workspace, { browser = new Browser(site.app.origin), next = "/connections" } = {}) {
    const away = await leave(here, { browser, next });
    const back = await follow(away.href, site.app.origin);
    return { browser, back, page: await browser.open(back.href) };
  }

  /** As far as the provider's door. */
  async function leave(here: Workspace, { browser = new Browser(site.app.origin), next = "/connections" } = {}) {
    const form = await browser.open(`/organisation?next=${encodeURIComponent(next)}`);
    const { left } = await browser.submit(form, BUTTON, { email: here.email });
    if (left === null) throw new Error("the browser stayed");
    return left;
  }

  const person = (here: Workspace, claims: object = {}) =>
    here.at.person({ sub: here.subject, email: here.email, email_verified: true, ...claims });
  const isSignedIn = async (browser: Browser) =>
    !(await browser.open("/connections")).html.includes("Sign in</button>");

  it("begins on the sign-in page and ends signed in, with PKCE, state and nonce [completions.1.upstream-sign-in]", async () => {
    const here = await workspace();
    const browser = new Browser(site.app.origin);
    expect((await browser.open("/signin?next=%2Fmcp")).html).toContain('href="/organisation?next=%2Fmcp"');
    await person(here);
    const away = await leave(here, { browser });
    expect(away.origin).toBe(issuer.url);
    const query = Object.fromEntries(away.searchParams);
    expect(query).toMatchObject({ response_type: "code", code_challenge_method: "S256", scope: "openid email" });
    expect(query).toMatchObject({ redirect_uri: `${site.app.origin}/organisation/${here.id}/callback` });
    for (const name of ["state", "nonce", "code_challenge"]) expect(query[name]).toMatch(/^[\w-]{43}$/);
    expect(browser.cookie("organisation_sign_in")).not.toContain(query.state);
    const page = await browser.open((await follow(away.href, site.app.origin)).href);
    expect(page.url.pathname).toBe("/connections");
    expect(page.text).toContain(here.name);
    const known = [{ email: here.email, subject: here.subject }];
    expect(await operate(site.app.core, here.id, listLinks, {})).toMatchObject(known);
  });

  it("knows the person afterwards by issuer and subject, whatever their email becomes [facts.oauth.upstream-link]", async () => {
    const here = await workspace({ at: other });
    await person(here);
    await signIn(here);
    await person(here, { email: "renamed@elsewhere.example", email_verified: false });
    expect(await isSignedIn((await signIn(here)).browser)).toBe(true);
    // The old email in another's hands, whom the provider calls by another name.
    await person(here, { sub: randomUUID() });
    const { browser, page } = await signIn(here);
    expect(page.status).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it.each([
    ["an email that is not verified", { email_verified: false }],
    ["an email of which nothing is said", { email_verified: undefined }],
    ["a word for a yes", { email_verified: "true" }],
    ["nobody's email", { email: "nobody@nowhere.example" }],
    ["no email", { email: undefined }],
  ])("lets nobody in for %s [facts.oauth.upstream-link]", async (_name, claims) => {
    for (const at of [issuer, other]) {
      const here = await workspace({ at });
      await person(here, claims);
      const { browser, page } = await signIn(here);
      expect(page.status).toBe(403);
      expect(page.text).toContain("no member of its workspace");
      expect(await isSignedIn(browser)).toBe(false);
    }
  });

  it("lets in whom an operator linked, or whose provider an operator trusts with emails [facts.oauth.upstream-link]", async () => {
    const linked = await workspace();
    const { email, subject } = linked;
    await operate(site.app.core, linked.id, linkMember, { email, subject, issuer: issuer.url });
    await person(linked, { email: undefined });
    const { browser } = await signIn(linked);
    expect(await isSignedIn(browser)).toBe(true);
    await operate(site.app.core, linked.id, unlinkMember, { subject, issuer: issuer.url });
    expect(await isSignedIn(browser)).toBe(false);
    await person(linked);
    expect((await signIn(linked)).page.status).toBe(403);

    const trusting = await workspace({ trustEmail: true });
    await person(trusting, { email_verified: undefined });
    expect(await isSignedIn((await signIn(trusting)).browser)).toBe(true);
    const denied = await workspace({ trustEmail: true });
    await person(denied, { email_verified: false });
    expect((await signIn(denied)).page.status).toBe(403);
  });

  it("ends with its link, as do the assistants that were approved after it, under way or not [facts.oauth.upstream-unlink]", async () => {
    const [here, colleague] = [await workspace(), "b@b.example"];
    const { origin, core } = site.app;
    await operate(core, here.id, addMember, { email: colleague, role: "member" });
    await person(here);
    const link = { issuer: issuer.url, subject: here.subject };
    // Passed on to another, then taken back.
    for (const end of [
      () => operate(core, here.id, linkMember, { ...link, email: colleague }),
      () => operate(core, here.id, unlinkMember, link),
    ]) {
      const { browser } = await signIn(here);
      const approved = await signInAndApprove(origin, { email: "", password: "", browser });
      const late = new Browser(origin);
      const back = await follow((await leave(here, { browser: late })).href, origin);
      meanwhile(core.store, "identity_id", end);
      const refused = await late.open(back.href);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("no member of its workspace")]);
      for (const one of [browser, late]) expect(await isSignedIn(one)).toBe(false);
      expect((await callMcp(origin, approved.accessToken)).status).toBe(401);
      expect((await refresh(origin, approved.client, approved.refreshToken)).status).toBe(400);
    }
  });

  it("allows nothing any more that was under way as its link ended [facts.oauth.upstream-unlink]", async () => {
    const here = await workspace();
    const { origin, core } = site.app;
    await person(here);
    const { browser } = await signIn(here);
    const consent = await browser.open(authorizationUrl(origin, await register(origin), pkce().challenge));
    const link = { issuer: issuer.url, subject: here.subject };
    meanwhile(core.store, "administers", () => operate(core, here.id, unlinkMember, link));
    const after = await browser.submit(consent, "Allow");
    expect([after.left, after.heading]).toEqual([null, "This was not sent"]);
    const made = await rowsOf(core.store, null, "assistant_connections", { tenant_id: here.id });
    expect(made).toEqual([]);
  });

  it("counts for its own workspace alone, on pages and for assistants [facts.oauth.upstream-workspace]", async () => {
    const here = await workspace({ role: "admin" });
    const there = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(there.id, { email: here.email, role: "admin" });
    const byPassword = new Browser(site.app.origin);
    const form = await byPassword.open("/signin?next=%2Faudit");
    await byPassword.submit(form, "Sign in", { email, password: PASSWORD });
    expect((await byPassword.open("/connections")).text).toContain(there.name);

    await person(here);
    const { browser } = await signIn(here, { browser: byPassword });
    for (const path of ["/", "/connections", "/members", "/api-keys", "/integrations", "/erp-connections"]) {
      const page = await browser.open(path);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain(there.name);
      expect(page.html).not.toContain(there.id);
    }
    expect((await browser.open(`/audit?workspace=${there.id}`)).text).not.toContain(there.name);

    const client = await register(site.app.origin);
    const { verifier, challenge } = pkce();
    const url = authorizationUrl(site.app.origin, client, challenge);
    const consent = await browser.open(url);
    expect(consent.text).not.toContain(there.name);
    const refused = await browser.submit(consent, "Allow", { workspace: there.id });
    expect(refused.left).toBeNull();
    const allowed = await browser.submit(await browser.open(url), "Allow", { workspace: here.id });
    const code = allowed.left?.searchParams.get("code") ?? "";
    const tokens = await redeem(site.app.origin, client, { code, verifier });
    const caller = await callerOf(await callMcp(site.app.origin, tokens.access_token));
    expect(caller.actor.tenantId).toBe(here.id);
    await operate(site.app.core, here.id, removeMember, { member: { email } });
    expect((await browser.open("/connections")).url.pathname).toBe("/signin");
  });

  it("of one workspace's provider says nothing of another's members [facts.oauth.upstream-workspace]", async () => {
    const here = await workspace();
    const there = await site.app.addWorkspace();
    const victim = await site.app.addPerson(there.id);
    await person(here, { email: victim.email });
    const { browser, page } = await signIn(here);
    expect(page.status).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
    // The same issuer and subject linked there: a link is of its workspace alone.
    await operate(site.app.core, there.id, linkMember, {
      email: victim.email,
      issuer: issuer.url,
      subject: here.subject,
    });
    expect((await signIn(here)).page.status).toBe(403);
  });

  it("within a connection request leads back to the question [completions.1.upstream-sign-in]", async () => {
    const here = await workspace();
    const client = await register(site.app.origin);
    const browser = new Browser(site.app.origin);
    const asked = await browser.open(authorizationUrl(site.app.origin, client, pkce().challenge));
    const link = /href="(\/organisation\?[^"]+)"/.exec(asked.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const form = await browser.open(link);
    expect(form.headers.get("content-security-policy")).not.toContain("form-action");
    await person(here);
    const { left } = await browser.submit(form, BUTTON, { email: here.email });
    const page = await browser.open((await follow(left?.href ?? "", site.app.origin)).href);
    expect(page.html).toContain(">Allow</button>");
  });

  it("is good in the browser and for the workspace it began with, once, in time [facts.oauth.upstream-binding]", async () => {
    const here = await workspace();
    const neighbour = await workspace();
    await person(here);
    const refuses = async (browser: Browser, address: string): Promise<void> => {
      const page: BrowserPage = await browser.open(address);
      expect(page.status).toBe(400);
      expect(await isSignedIn(browser)).toBe(false);
    };
    const come = async (browser: Browser) => follow((await leave(here, { browser })).href, site.app.origin);

    await refuses(new Browser(site.app.origin), (await come(new Browser(site.app.origin))).href);

    let browser = new Browser(site.app.origin);
    let back = await come(browser);
    await refuses(browser, back.href.replace(here.id, neighbour.id));

    for (const [name, value] of [
      ["state", "x".repeat(43)],
      ["iss", other.url],
      ["code", "x"],
    ] as const) {
      browser = new Browser(site.app.origin);
      back = await come(browser);
      back.searchParams.set(name, value);
      await refuses(browser, back.href);
    }

    browser = new Browser(site.app.origin);
    back = await come(browser);
    site.clock.advance(601_000);
    await refuses(browser, back.href);

    const done = await signIn(here);
    const again = await done.browser.open(done.back.href);
    expect(again.status).toBe(400);
  });

  it("tells what went wrong, and nothing of who is a member [facts.oauth.upstream-failures]", async () => {
    const here = await workspace();
    const browser = new Browser(site.app.origin);
    const form = await browser.open("/organisation");
    const unknown = await browser.submit(form, BUTTON, { email: "ana@unknown.example" });
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain("No organisation's sign-in is set up");
    const stranger = await browser.submit(form, BUTTON, { email: `never-a-member@${here.domain}` });
    expect(stranger.left?.origin).toBe(issuer.url);

    await issuer.nobody();
    const declined = await signIn(here);
    expect(declined.page.status).toBe(403);
    expect(declined.page.text).toContain("did not sign you in");

    await person(here);
    const told: unknown[] = [];
    Object.assign(site.app.core.log, { warn: (fields: object) => told.push(fields) });
    await issuer.mode("/token", "500");
    const failed = await signIn(here);
    expect(failed.page.status).toBe(400);
    await issuer.mode("/token", "ok");
    expect(told).toMatchObject([{ issuer: issuer.url, tenant_id: here.id, error: expect.any(String) }]);
    expect(inspect(told, { depth: 9 })).not.toContain(failed.back.searchParams.get("code"));
    expect(inspect(told, { depth: 9 })).not.toContain(here.provider.clientSecret);

    const forged = await browser.post("/organisation", new URLSearchParams({ email: here.email }));
    expect(forged.status).toBe(403);
  });

  it("goes by the address an admin gives out too, never off our own pages [completions.1.upstream-sign-in]", async () => {
    const here = await workspace();
    await person(here);
    const browser = new Browser(site.app.origin);
    const form = await browser.open(`/organisation?workspace=${here.id}&next=https://evil.example/`);
    expect(form.html).not.toContain('type="email"');
    const { left } = await browser.submit(form, BUTTON);
    const page = await browser.open((await follow(left?.href ?? "", site.app.origin)).href);
    expect(page.url.href).toBe(`${site.app.origin}/`);
  });

  it("ends when the provider is taken away or replaced, and keeps its secret encrypted [facts.oauth.upstream-provider]", async () => {
    const here = await workspace();
    await person(here);
    const { browser } = await signIn(here);
    const row = await rowOf(site.app.core.store, null, "sign_in_providers", { tenant_id: here.id });
    expect(JSON.stringify(row)).not.toContain(here.provider.clientSecret);
    const begun = await leave(here);
    await operate(site.app.core, here.id, removeSignIn, {});
    expect(await isSignedIn(browser)).toBe(false);
    const back = await follow(begun.href, site.app.origin);
    expect((await browser.open(back.href)).status).toBe(400);
    await operate(site.app.core, here.id, setSignIn, here.provider);
    const taken = operate(site.app.core, (await site.app.addWorkspace()).id, setSignIn, here.provider);
    await expect(taken).rejects.toMatchObject({ code: "conflict" });
    const again = await signIn(here);
    await operate(site.app.core, here.id, setSignIn, here.provider);
    expect(await isSignedIn(again.browser)).toBe(false);
  });
});
