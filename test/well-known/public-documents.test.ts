import { generateKeyPairSync } from "node:crypto";
import { OAuthMetadataSchema, OAuthProtectedResourceMetadataSchema } from "@modelcontextprotocol/sdk/shared/auth.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readConfig } from "../../src/config.ts";
import { newRegistryKey, REGISTRY_KEY_TYPES } from "../../src/registry-proof.ts";
import { tools } from "../../tools/index.ts";
import { openBook } from "../support/book.ts";
import { authorizationUrl, openConsent, pkce, register, signInAndApprove } from "../support/oauth-client.ts";
import { PASSWORD, peopleOf } from "../support/people.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";

const { proof } = newRegistryKey("ed25519");
const PRIVACY = "https://acme.example/privacy?a=1&b=2";
const TERMS = "https://acme.example/terms";

let listed: RunningService;
let plain: RunningService;
let email: string;
beforeAll(async () => {
  listed = await startService(A_KIND, {
    environment: {
      MCP_REGISTRY_AUTH: `${proof}\n`,
      OPENAI_APPS_CHALLENGE: "challenge-1",
      PRIVACY_URL: PRIVACY,
      TERMS_URL: TERMS,
      SUPPORT_URL: "help@acme.example",
      SERVER_NAME: "example.acme/ar",
    },
  });
  plain = await startService(A_KIND);
  const { tenantId } = await openBook(listed.core.store);
  ({ email } = await peopleOf(listed.core).addPerson(tenantId));
});
afterAll(async () => {
  await listed.close();
  await plain.close();
});

const get = (service: RunningService, path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { headers, redirect: "manual" });
const text = async (service: RunningService, path: string) => (await get(service, path)).text();
const json = async (service: RunningService, path: string) =>
  z.record(z.string(), z.unknown()).parse(await (await get(service, path)).json());
const BROWSER = { accept: "text/html" };

describe("proofs of the host", () => {
  it("are plain text where they are configured, and 404 where not [listing.proof] [listing.directories]", async () => {
    for (const [path, expected] of [
      ["/.well-known/mcp-registry-auth", proof],
      ["/.well-known/openai-apps-challenge", "challenge-1"],
    ] as const) {
      const asked = { accept: "text/plain", "user-agent": "mcp-registry/1.0" };
      const response = await get(listed, path, asked);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
      expect(await response.text()).toBe(expected);
      expect((await get(plain, path, asked)).status).toBe(404);
    }
  });

  it.each(REGISTRY_KEY_TYPES)("are of a key of type %s [listing.proof]", (type) => {
    const made = newRegistryKey(type).proof;
    expect(readConfig({ MCP_REGISTRY_AUTH: made.replaceAll("; ", ";") }).listing.registryProof).toBe(made);
  });

  it("that the registry could not use end the start with one line [listing.proof]", () => {
    const wrong = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey.export({ format: "jwk" }).x ?? "";
    const offTheCurve = Buffer.concat([Buffer.from([2]), Buffer.alloc(48, 0xff)]).toString("base64");
    for (const record of [
      proof.replace("MCPv1", "MCPv2"),
      proof.replace("ed25519", "ecdsap384"),
      proof.replace("ed25519", "rsa"),
      `${proof}=`,
      `${proof}A`,
      `v=MCPv1; k=ed25519; p=${wrong}`,
      `v=MCPv1; k=ecdsap384; p=${offTheCurve}`,
      "v=MCPv1; k=ed25519; p=",
      newRegistryKey("ed25519").privateKey,
    ])
      expect(() => readConfig({ MCP_REGISTRY_AUTH: record }), record).toThrow(/^MCP_REGISTRY_AUTH: must be a line/);
  });
});

describe("addresses for people", () => {
  it("are in the metadata of the resource and of its authorization server [listing.addresses] [listing.directories]", async () => {
    const resource = OAuthProtectedResourceMetadataSchema.parse(
      await json(listed, "/.well-known/oauth-protected-resource"),
    );
    expect(resource).toMatchObject({
      resource_policy_uri: PRIVACY,
      resource_tos_uri: TERMS,
      resource_documentation: `${listed.url}/mcp`,
    });
    const server = await json(listed, "/.well-known/oauth-authorization-server");
    OAuthMetadataSchema.parse(server);
    expect(server).toMatchObject({
      op_policy_uri: PRIVACY,
      op_tos_uri: TERMS,
      service_documentation: `${listed.url}/mcp`,
    });
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"])
      expect(await text(plain, path)).not.toMatch(/policy|tos_uri/);
  });

  it("are on the page that tells how to connect, escaped, and are missing when not configured [listing.addresses]", async () => {
    const page = await (await get(listed, "/mcp", BROWSER)).text();
    expect(page).toContain(`href="https://acme.example/privacy?a=1&amp;b=2"`);
    expect(page).toContain(`href="${TERMS}"`);
    expect(page).toContain(`href="mailto:help@acme.example"`);
    expect(await (await get(plain, "/mcp", BROWSER)).text()).not.toMatch(/Privacy policy|Support<\/a>/);
  });

  it("are on the page that asks for consent, which is left open [listing.addresses]", async () => {
    const client = await register(listed.url);
    const asked = authorizationUrl(listed.url, client, pkce().challenge);
    const { html } = await openConsent(listed.url, { email, password: PASSWORD }, asked);
    expect(html).toContain("Allow</button>");
    for (const address of [`https://acme.example/privacy?a=1&amp;b=2`, TERMS, "mailto:help@acme.example"])
      expect(html).toContain(`href="${address}" target="_blank" rel="noopener noreferrer"`);
  });

  it.each([
    ["PRIVACY_URL", "http://acme.example/privacy"],
    ["PRIVACY_URL", "privacy@acme.example"],
    ["TERMS_URL", "javascript:alert(1)"],
    ["TERMS_URL", "https://user:secret@acme.example/terms"],
    ["SUPPORT_URL", "javascript:alert(1)"],
    ["SUPPORT_URL", "mailto:"],
    ["SUPPORT_URL", "http://acme.example"],
    ["OPENAI_APPS_CHALLENGE", "two words"],
  ])("%s is refused when it is %s [listing.addresses]", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: must be`));
  });
});

describe("/llms.txt", () => {
  it("links to documents that there are, and names every tool [listing.llms]", async () => {
    const response = await get(listed, "/llms.txt");
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    const body = await response.text();
    expect(body).toMatch(/^# Receivables\n\n> .+\n/);
    const links = [...body.matchAll(/^- \[[^\]]+\]\(([^)\s]+)\): /gm)].map(([, url = ""]) => url);
    expect(links).toContain(PRIVACY);
    const own = links.filter((url) => url.startsWith(listed.url));
    expect(own.length).toBeGreaterThanOrEqual(4);
    for (const url of own) expect((await fetch(url, { headers: BROWSER })).status, url).toBe(200);
    for (const { name } of tools) expect(body).toContain(`\`${name}\``);
    expect(await text(plain, "/llms.txt")).not.toContain("## People");
  });
});

describe("icons", () => {
  it("are images where browsers and the manifest look for them [listing.icons] [listing.directories]", async () => {
    const [ico, png, svg] = await Promise.all(
      ["/favicon.ico", "/icon.png", "/icon.svg"].map(async (path) => {
        const response = await get(plain, path);
        expect([response.status, response.headers.get("access-control-allow-origin")], path).toEqual([200, "*"]);
        return { type: response.headers.get("content-type"), body: Buffer.from(await response.arrayBuffer()) };
      }),
    );
    expect([ico?.type, png?.type, svg?.type]).toEqual(["image/x-icon", "image/png", "image/svg+xml"]);
    expect(png?.body.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
    // One entry of 48 by 48 pixels, which says where in the file its PNG is.
    expect([...(ico?.body.subarray(0, 8) ?? [])]).toEqual([0, 0, 1, 0, 1, 0, 48, 48]);
    const [length, offset] = [ico?.body.readUInt32LE(14) ?? 0, ico?.body.readUInt32LE(18) ?? 0];
    expect(ico?.body.subarray(offset, offset + length)).toEqual(png?.body);
    expect(svg?.body.toString()).toMatch(/^<svg /);
  });
});

describe("the name", () => {
  it("is the same in server.json and in what assistants are told [listing.name]", async () => {
    expect((await json(listed, "/mcp/server.json")).name).toBe("example.acme/ar");
    const { accessToken } = await signInAndApprove(listed.url, { email, password: PASSWORD });
    const response = await fetch(listed.mcpUrl, {
      method: "POST",
      headers: {
        authorization: `Bearer ${accessToken}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
      }),
    });
    expect(await response.json()).toMatchObject({
      result: { serverInfo: { name: "example.acme/ar", title: "Receivables" } },
    });
  });
});
