import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "../../auth/passwords.ts";
import { terminalOn } from "../admin/support.ts";
import { connectAssistant } from "../support/assistant.ts";
import { PASSWORD } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { follow, type Issuer, startIssuer } from "../support/issuer.ts";
import { REDIRECT_URI } from "../support/oauth-client.ts";
import { type RunningService, startService } from "../support/service.ts";
import { setRows } from "../support/stored.ts";
import { A_KIND } from "../support/stores.ts";

describe("the service with OAUTH_ISSUER", () => {
  let issuer: Issuer;
  let service: RunningService;
  const subject = randomUUID();
  const email = "ana@acme.example";

  beforeAll(async () => {
    issuer = await startIssuer();
    service = await startService(A_KIND, { environment: { OAUTH_ISSUER: issuer.url } });
  });
  afterAll(async () => {
    await service.close();
    await issuer.stop();
  });

  const admin = (line: string, stdin?: string) => terminalOn(service.core).json(line, stdin);

  it("names the issuer, and is no authorization server itself [facts.oauth.external-metadata]", async () => {
    for (const place of ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"])
      expect(await (await fetch(service.url + place)).json()).toMatchObject({
        resource: service.mcpUrl,
        authorization_servers: [issuer.url],
      });
    for (const place of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration",
      "/oauth/jwks",
      "/oauth/authorize",
      "/oauth/interaction/x",
    ])
      expect((await fetch(service.url + place)).status).toBe(404);
    for (const place of ["/oauth/token", "/oauth/register", "/oauth/revoke"])
      expect((await fetch(service.url + place, { method: "POST", body: "{}" })).status).toBe(404);
  });

  it("serves the official client from the address alone, until it is revoked, and again when allowed [facts.oauth.external-flow]", async () => {
    await admin("workspace create --name Acme --timezone Europe/Zurich");
    await admin(`member add --workspace Acme --email ${email} --role admin`);
    const link = `--workspace Acme --issuer ${issuer.url} --subject ${subject}`;
    expect(await admin(`member link ${link} --email ${email}`)).toMatchObject({ email, subject });
    expect(await admin("member links --workspace Acme")).toMatchObject([{ email, issuer: issuer.url, subject }]);

    await issuer.person({ sub: subject });
    const approve = async (url: URL) => {
      expect(url.searchParams.get("scope")).toMatch(/^receivables:read( offline_access)?$/);
      return (await follow(url.href, REDIRECT_URI)).searchParams.get("code") ?? "";
    };
    const { client, close } = await connectAssistant(service.mcpUrl, approve);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("summarize_aging");
    expect(tools.map(({ name }) => name)).not.toContain("dismiss_task");
    expect(await client.callTool({ name: "get_context", arguments: {} })).not.toHaveProperty("isError", true);

    const hash = await hashPassword(PASSWORD);
    await setRows(service.core.store, null, "people", { password_hash: hash }, { email });
    const browser = new Browser(service.url);
    await browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
    const revoked = await browser.submit(await browser.open("/connections"), "Revoke");
    await expect(client.listTools()).rejects.toThrow();
    const allowed = await browser.submit(revoked, "Allow again");
    expect(allowed.text).toContain("may connect again");
    expect((await client.listTools()).tools).toHaveLength(tools.length);
    await browser.submit(await browser.open("/connections"), "Revoke");
    await expect(client.listTools()).rejects.toThrow();
    await close();
  });

  it("blocks and allows from the terminal [facts.oauth.sticky-block]", async () => {
    const [blocked] = await admin("assistant blocked --workspace Acme");
    expect(blocked).toMatchObject({ email });
    expect(await admin(`assistant allow --workspace Acme --id ${blocked.id}`)).toMatchObject({ id: blocked.id });
    expect(await admin("assistant blocked --workspace Acme")).toEqual([]);
    const link = `--workspace Acme --issuer ${issuer.url} --subject ${subject}`;
    expect(await admin(`member unlink ${link}`)).toMatchObject({ subject });
    expect(await admin("member links --workspace Acme")).toEqual([]);
    const again = await terminalOn(service.core)(`member unlink ${link}`);
    expect(again).toEqual({ code: 1, out: "", err: "error: No such link.\n" });
  });

  it("has a workspace's provider set, shown without its secret, and removed [facts.oauth.upstream-provider]", async () => {
    const settings = "--issuer https://login.acme.example --client-id us --domain Acme.example --domain acme.test";
    const set = await admin(`workspace set-sign-in --workspace Acme ${settings} --client-secret-stdin`, "s3cret\n");
    expect(set).toMatchObject({ domains: ["acme.example", "acme.test"], trust_email: false });
    expect(JSON.stringify(set)).not.toContain("s3cret");
    expect(await admin("workspace show-sign-in --workspace Acme")).toEqual(set);
    await admin("workspace remove-sign-in --workspace Acme");
    const bad = await terminalOn(service.core)(
      "workspace set-sign-in --workspace Acme --issuer http://login.acme.example --client-id us --client-secret-stdin",
      "s3cret",
    );
    expect(bad).toMatchObject({ code: 2, err: expect.stringMatching(/^error: --issuer must be an https address/) });
  });
});
