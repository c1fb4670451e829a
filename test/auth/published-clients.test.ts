import { generateKeyPairSync } from "node:crypto";
import { exportJWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuthorizationServerOptions } from "../../auth/authorization-server/index.ts";
import { type AuthApp, everyRow, PASSWORD, startAuthApp, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { testCore } from "../support/core.ts";
import {
  authorizationUrl,
  openConsent,
  pkce,
  postToken,
  REDIRECT_URI,
  readTokens,
  refresh,
} from "../support/oauth-client.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";
import { A_STORE } from "../support/thorough.ts";
import { assertedBy } from "./client-assertions.ts";

type Internet = NonNullable<AuthorizationServerOptions["internet"]>;

const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwk = { ...(await exportJWK(keys.publicKey)), kid: "key-1", alg: "ES256", use: "sig" };

const refuseConnection = (): Promise<Response> => Promise.reject(new Error("connect ECONNREFUSED"));
/** What hosts answer that have nothing to say for a moment. */
const AWAY: Record<string, () => Promise<Response>> = {
  "no answer": refuseConnection,
  "an error": async () => new Response("down", { status: 500 }),
  "no such page": async () => new Response("", { status: 404 }),
  "a way elsewhere": async () =>
    new Response(null, { status: 302, headers: { location: "https://elsewhere.example.com" } }),
  "a page for people": async () => new Response("<h1>Back soon</h1>"),
  "an object that says it is being repaired": async () => Response.json({ error: "maintenance" }),
  "another's document": async () => Response.json(plain("https://another.example.com/client")),
  "no end": async () => new Response("x".repeat(100_000)),
};

/** Vendors' hosts, which answer with these documents. */
function hostOf(documents: Record<string, object>): Internet {
  return {
    fetch: async (url) => Response.json(documents[String(url)] ?? null),
    lookup: async () => [{ address: "93.184.216.34", family: 4 }],
  };
}

/** A client that proves itself by its key. */
const keyed = (clientId: string) => ({
  ...plain(clientId),
  token_endpoint_auth_method: "private_key_jwt",
  token_endpoint_auth_signing_alg: "ES256",
  jwks_uri: `${clientId}/keys`,
});
const plain = (clientId: string) => ({
  client_id: clientId,
  client_name: "Published",
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: "none",
});

describe.each(A_STORE)("clients whose document cannot be read for a moment, $name", ({ open }) => {
  const documents: Record<string, object> = {};
  const site = useAuthApp(open, { internet: hostOf(documents), limited: false });
  const closing: AuthApp[] = [];
  afterAll(async () => {
    for (const app of closing) await app.close();
  });

  /** Another process of the same service, which has read nothing yet. */
  async function beside(internet: Internet): Promise<AuthApp> {
    const core = testCore(site.app.core.store, site.clock);
    const app = await startAuthApp(core, { internet, limited: false, publicOrigin: site.app.origin });
    closing.push(app);
    return app;
  }
  const away = (fetch = refuseConnection): Promise<AuthApp> => beside({ ...hostOf({}), fetch });

  let vendors = 0;
  const publish = (document: (clientId: string) => object): string => {
    vendors += 1;
    const clientId = `https://vendor${vendors}.example.com/client`;
    documents[clientId] = document(clientId);
    documents[`${clientId}/keys`] = { keys: [jwk] };
    return clientId;
  };
  const connect = () => connectPerson(site.app, { client: { clientId: publish(plain) } });

  /** What a client with a key of its own sends to be known by it. */
  const proofOf = (clientId: string) =>
    assertedBy({ privateKey: keys.privateKey, alg: "ES256", kid: "key-1" }, clientId, site.app.origin);

  /** Connects such a client: its refresh token. */
  async function connectKeyed(clientId: string): Promise<string> {
    const { email } = await site.app.addPerson((await site.app.addWorkspace()).id);
    const [{ verifier, challenge }, browser] = [pkce(), new Browser(site.app.origin)];
    const url = authorizationUrl(site.app.origin, { clientId }, challenge);
    const consent = await openConsent(site.app.origin, { email, password: PASSWORD, browser }, url);
    const { left } = await browser.submit(consent, "Allow");
    const answer = await postToken(
      site.app.origin,
      { clientId },
      {
        grant_type: "authorization_code",
        code: left?.searchParams.get("code") ?? "",
        code_verifier: verifier,
        redirect_uri: REDIRECT_URI,
        ...(await proofOf(clientId)),
      },
    );
    return (await readTokens(answer)).refresh_token ?? "";
  }

  async function expectRetry(answer: Response): Promise<void> {
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("30");
    expect(await answer.json()).toMatchObject({ error: "temporarily_unavailable" });
  }
  const kept = () =>
    everyRow(site.app.core.store, (tx) =>
      tx.selectFrom("oidc_artifacts").select("model").where("model", "in", ["ClientDocument", "ClientKeys"]).execute(),
    );

  it.each(Object.entries(AWAY))(
    "go on where its host has %s, by the last good one [completions.11.last-document]",
    async (_what, answer) => {
      const { client, refreshToken } = await connect();
      const other = await away(answer);
      const renewed = await readTokens(await refresh(other.origin, client, refreshToken));
      expect((await refresh((await away()).origin, client, renewed.refresh_token ?? "")).status).toBe(200);
      const url = authorizationUrl(other.origin, client, pkce().challenge, { resource: null });
      expect((await new Browser(other.origin).open(url)).html).toContain("Sign in</button>");
    },
  );

  it("go on where their keys are an object of another form for a while [completions.11.last-document]", async () => {
    const clientId = publish(keyed);
    let refreshToken = await connectKeyed(clientId);
    for (const answer of [{ error: "maintenance" }, { keys: "none" }, { keys: [null] }]) {
      const other = await beside(hostOf({ [clientId]: keyed(clientId), [`${clientId}/keys`]: answer }));
      const renewed = await refresh(other.origin, { clientId }, refreshToken, await proofOf(clientId));
      refreshToken = (await readTokens(renewed)).refresh_token ?? "";
    }
  });

  it("go on by the last good keys, too [completions.11.last-document]", async () => {
    const clientId = publish(keyed);
    const refreshToken = await connectKeyed(clientId);
    const other = await away();
    const proof = await proofOf(clientId);
    const renewed = await readTokens(await refresh(other.origin, { clientId }, refreshToken, proof));
    // Keys that the vendor has changed since count once they can be read.
    documents[`${clientId}/keys`] = { keys: [] };
    const again = await beside(hostOf(documents));
    const stale = await refresh(again.origin, { clientId }, renewed.refresh_token ?? "", await proofOf(clientId));
    expect([stale.status, await stale.json()]).toMatchObject([401, { error: "invalid_client" }]);
    const after = await refresh(
      (await away()).origin,
      { clientId },
      renewed.refresh_token ?? "",
      await proofOf(clientId),
    );
    expect(after.status).toBe(401);
  });

  it("go on by a document as it was read last, not as it was approved [completions.11.last-document]", async () => {
    const { client } = await connect();
    const redirectUri = "https://moved.example.com/callback";
    documents[client.clientId] = { ...plain(client.clientId), redirect_uris: [redirectUri] };
    const params = { redirect_uri: redirectUri, resource: null };
    for (const other of [await beside(hostOf(documents)), await away()]) {
      const page = await new Browser(other.origin).open(
        authorizationUrl(other.origin, client, pkce().challenge, params),
      );
      expect(page.html).toContain("Sign in</button>");
    }
  });

  it("without one, and once the connection has ended, they are asked to come back [completions.11.last-document]", async () => {
    const other = await away();
    const stranger = { clientId: publish(plain) };
    await expectRetry(await refresh(other.origin, stranger, "unheard-of"));
    const repaired = await away(async () => Response.json({}));
    await expectRetry(await refresh(repaired.origin, stranger, "unheard-of"));
    await expectRetry(await postToken(other.origin, stranger, { grant_type: "authorization_code", code: "x" }));
    const revocation = new URLSearchParams({ client_id: stranger.clientId, token: "x" });
    await expectRetry(await fetch(`${other.origin}/oauth/revoke`, { method: "POST", body: revocation }));

    const page = await fetch(authorizationUrl(other.origin, stranger, pkce().challenge), { redirect: "manual" });
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await page.text()).toContain("Error code: temporarily_unavailable");

    const { client, refreshToken, browser } = await connect();
    await browser.submit(await browser.open("/connections"), "Revoke");
    await expectRetry(await refresh(other.origin, client, refreshToken));
  });

  it("nothing is kept of what nobody approved, and of others two rows [completions.11.last-document]", async () => {
    const before = (await kept()).length;
    const strangers = [publish(plain), publish(keyed)];
    for (const clientId of strangers) {
      await fetch(authorizationUrl(site.app.origin, { clientId }, pkce().challenge), { redirect: "manual" });
      await refresh(site.app.origin, { clientId }, "unheard-of", await proofOf(clientId));
    }
    expect(await kept()).toHaveLength(before);
    const clientId = publish(keyed);
    await connectKeyed(clientId);
    const second = await connectKeyed(clientId);
    const { origin } = await beside(hostOf(documents));
    expect((await refresh(origin, { clientId }, second, await proofOf(clientId))).status).toBe(200);
    expect(await kept()).toHaveLength(before + 2);
  });
});

describe("the service with CLIENT_METADATA_DOCUMENTS=off", () => {
  const asked: string[] = [];
  let service: RunningService;
  beforeAll(async () => {
    const internet = hostOf({});
    const lookup: Internet["lookup"] = (name) => {
      asked.push(name);
      return internet.lookup(name);
    };
    const environment = { CLIENT_METADATA_DOCUMENTS: "off" };
    service = await startService(A_KIND, { environment, internet: { ...internet, lookup } });
  });
  afterAll(() => service?.close());

  it("does not offer them in its metadata, takes no such client and asks nobody [completions.11.no-documents]", async () => {
    const metadata: unknown = await (await fetch(`${service.url}/.well-known/oauth-authorization-server`)).json();
    expect(metadata).not.toHaveProperty("client_id_metadata_document_supported");
    expect(metadata).toHaveProperty("registration_endpoint");
    const client = { clientId: "https://vendor.example.com/client" };
    const page = await new Browser(service.url).open(authorizationUrl(service.url, client, pkce().challenge));
    expect([page.status, page.left]).toEqual([400, null]);
    const answer = await refresh(service.url, client, "unheard-of");
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: "invalid_client" }]);
    expect(asked).toEqual([]);
  });
});
