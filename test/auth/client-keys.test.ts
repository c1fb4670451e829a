import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useAuthApp } from "../support/auth-app.ts";
import { postToken, type RegisteredClient, register } from "../support/oauth-client.ts";
import { A_STORE } from "../support/thorough.ts";
import { assertedBy } from "./client-assertions.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwk = { ...publicKey.export({ format: "jwk" }), kid: "a" };

describe.each(A_STORE)("keys that clients publish", ({ open }) => {
  const looked: string[] = [];
  const fetched: string[] = [];
  const site = useAuthApp(open, {
    internet: {
      async fetch(url) {
        fetched.push(String(url));
        if (String(url).includes("keys.")) return Response.json({ keys: [{ ...jwk, x5c: ["A".repeat(20_000)] }] });
        if (String(url).includes("long")) return new Response(" ".repeat(70_000));
        return new Response("", { status: 503 });
      },
      lookup(hostname) {
        looked.push(hostname);
        if (hostname.endsWith("dead.example.com")) return new Promise(() => {});
        return Promise.resolve([{ address: "93.184.216.34", family: 4 }]);
      },
    },
    trustProxy: true,
  });

  const withKeysAt = (jwksUri: string): Promise<RegisteredClient> =>
    register(site.app.origin, {
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "ES256",
      jwks_uri: jwksUri,
    });

  async function askForToken(client: RegisteredClient): Promise<number> {
    const proof = await assertedBy({ privateKey, alg: "ES256", kid: "a" }, client.clientId, site.app.origin);
    return (await postToken(site.app.origin, client, { grant_type: "refresh_token", refresh_token: "x", ...proof }))
      .status;
  }

  it("[contract.edges.clients.failed-fetches] 25 that hang hold up no other, and failures are not fetched again", async () => {
    const dead = await Promise.all(
      Array.from({ length: 25 }, (_, index) => withKeysAt(`https://n${index}.dead.example.com/jwks`)),
    );
    const honest = await withKeysAt("https://honest.example.com/jwks");
    const hanging = dead.map(askForToken);
    let ended = 0;
    for (const status of hanging) void status.then(() => (ended += 1));
    expect(await askForToken(honest)).toBe(503);
    expect(fetched).toEqual(["https://honest.example.com/jwks"]);
    expect(ended).toBe(0);
    expect(new Set(await Promise.all(hanging))).toEqual(new Set([503]));
    const before = looked.length;
    for (const client of dead) await askForToken(client);
    for (let again = 0; again < 40; again += 1) await askForToken(honest);
    expect(looked).toHaveLength(before);
    expect(fetched).toHaveLength(1);
    // Nor is a body that is too long.
    const long = await withKeysAt("https://long.example.com/jwks");
    for (let again = 0; again < 3; again += 1) expect(await askForToken(long)).toBe(503);
    expect(fetched).toHaveLength(2);
    // A stranger who takes honest keys for a document, which they are too long for, does not have them refused.
    const keyed = await withKeysAt("https://keys.example.com/jwks");
    const asDocument = new URLSearchParams({ client_id: "https://keys.example.com/jwks", response_type: "code" });
    await fetch(`${site.app.origin}/oauth/authorize?${asDocument}`, { redirect: "manual" });
    expect(await askForToken(keyed)).toBe(400);
    fetched.length = 2;
    // One address's share is used up by now; what it asks for beyond is not fetched, whatever the URL.
    const more = await Promise.all(
      Array.from({ length: 10 }, (_, index) => withKeysAt(`https://more${index}.example.com/jwks`)),
    );
    for (const client of more) await askForToken(client);
    expect(fetched.length).toBeLessThanOrEqual(5);
  });
});
