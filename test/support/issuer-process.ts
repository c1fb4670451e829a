/**
 * An OpenID provider of somebody else's, as a process of its own: `node issuer-process.ts OPTIONS`. Says its address in
 * one line of JSON, and does what it is told at `/control/*`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import { type Adapter, type AdapterPayload, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { z } from "zod";

const KID = "issuer-key";
const SCOPES = ["receivables:read", "payment_links:write", "tasks:write", "receipts:push"];

const Options = z.strictObject({ claimsInIdToken: z.boolean().default(false) });
const Person = z.looseObject({ sub: z.string() });
const Claims = z.record(z.string(), z.unknown());
const Orders = {
  person: Person,
  client: z.looseObject({ client_id: z.string() }),
  sign: z.strictObject({ header: Claims, payload: Claims }),
  opaque: z.strictObject({
    sub: z.string(),
    client_id: z.string(),
    aud: z.string(),
    scope: z.string(),
    /** The key a DPoP-bound token is good with alone. */
    jkt: z.string().optional(),
  }),
  end: z.strictObject({ token: z.string() }),
  mode: z.strictObject({ path: z.string(), answer: z.enum(["ok", "500"]) }),
  counts: z.strictObject({}),
} as const;

const options = Options.parse(JSON.parse(process.argv[2] ?? "{}"));
const people = new Map<string, z.infer<typeof Person>>();
const stored = new Map<string, AdapterPayload>();
const failing = new Set<string>();
const counts = new Map<string, number>();
/** Who sits at the browser. */
let atBrowser: string | null = null;

class MapAdapter implements Adapter {
  readonly #model: string;
  constructor(model: string) {
    this.#model = model;
  }
  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    stored.set(`${this.#model}:${id}`, payload);
  }
  async find(id: string): Promise<AdapterPayload | undefined> {
    return stored.get(`${this.#model}:${id}`);
  }
  async consume(id: string): Promise<void> {
    const payload = stored.get(`${this.#model}:${id}`);
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000);
  }
  async destroy(id: string): Promise<void> {
    stored.delete(`${this.#model}:${id}`);
  }
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...stored].find(([key, one]) => key.startsWith(`${this.#model}:`) && one.uid === uid)?.[1];
  }
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }
  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.statusCode = 500;
    response.end(String(error));
  });
});
// A busy machine must not lose a connection that it keeps.
server.keepAliveTimeout = 60_000;
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
const { privateKey } = await generateKeyPair("ES256", { extractable: true });
const jwk = { ...(await exportJWK(privateKey)), kid: KID, alg: "ES256", use: "sig" };
const provider = makeProvider();
const serve = provider.callback();
process.stdout.write(`${JSON.stringify({ issuer })}\n`);

function makeProvider(): Provider {
  return new Provider(issuer, {
    adapter: MapAdapter,
    jwks: { keys: [jwk] },
    scopes: ["openid", "email", "offline_access", ...SCOPES],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: !options.claimsInIdToken,
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      introspection: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf ?? [],
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: SCOPES.join(" "),
          audience: resource,
          accessTokenFormat: "jwt",
          accessTokenTTL: 600,
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ ...people.get(sub), sub }),
    }),
    loadExistingGrant,
    ttl: { AccessToken: 600, IdToken: 600, Grant: 3_600, Session: 3_600, Interaction: 600, AuthorizationCode: 60 },
    cookies: { keys: ["issuer of the tests"] },
  });
}

/** Whoever signs in allows everything. */
async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const { client, session, params } = ctx.oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grant = new ctx.oidc.provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  const scope = String(params?.scope ?? "");
  grant.addOIDCScope(scope);
  for (const resource of [params?.resource ?? []].flat()) grant.addResourceScope(String(resource), scope);
  await grant.save();
  return grant;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", issuer);
  if (pathname.startsWith("/control/")) {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(await control(pathname.slice("/control/".length), await json(request))));
    return;
  }
  counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
  if (failing.has(pathname)) {
    response.statusCode = 500;
    response.end();
    return;
  }
  if (!pathname.startsWith("/interaction/")) return serve(request, response);
  const result =
    atBrowser === null
      ? { error: "access_denied", error_description: "nobody signs in" }
      : { login: { accountId: atBrowser } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

async function control(order: string, given: unknown): Promise<unknown> {
  switch (order) {
    case "person": {
      const person = Orders.person.parse(given);
      people.set(person.sub, person);
      atBrowser = person.sub;
      return {};
    }
    case "nobody":
      atBrowser = null;
      return {};
    case "client": {
      const client = Orders.client.parse(given);
      stored.set(`Client:${client.client_id}`, client);
      return {};
    }
    case "sign": {
      const { header, payload } = Orders.sign.parse(given);
      const protectedHeader = { alg: "ES256", kid: KID, ...header };
      return { token: await new SignJWT(payload).setProtectedHeader(protectedHeader).sign(await importJWK(jwk)) };
    }
    case "opaque": {
      const { client_id, sub: accountId, jkt, ...token } = Orders.opaque.parse(given);
      const client = await provider.Client.find(client_id);
      if (client === undefined) throw new Error("no such client");
      const grant = new provider.Grant({ accountId, clientId: client_id });
      const grantId = await grant.save();
      const bound = jkt === undefined ? {} : { jkt };
      const made = new provider.AccessToken({ client, accountId, ...token, ...bound, grantId, gty: "test" });
      return { token: await made.save() };
    }
    case "end": {
      const token = await provider.AccessToken.find(Orders.end.parse(given).token);
      await token?.destroy();
      return {};
    }
    case "mode": {
      const { path, answer: mode } = Orders.mode.parse(given);
      if (mode === "ok") failing.delete(path);
      else failing.add(path);
      return {};
    }
    case "counts":
      return Object.fromEntries(counts);
    default:
      throw new Error(`no such order: ${order}`);
  }
}
