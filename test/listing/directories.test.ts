import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../../src/core/kernel/json-schema.ts";
import { prompts } from "../../src/mcp/prompts/index.ts";
import { tools } from "../../tools/index.ts";
import { PAGE_BYTES } from "../../tools/page-budget.ts";
import { openBook } from "../support/book.ts";
import { Browser } from "../support/browser.ts";
import { authorizationUrl, openConsent, pkce, register } from "../support/oauth-client.ts";
import { PASSWORD, peopleOf } from "../support/people.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";

const LIST = readFileSync(join(import.meta.dirname, "../../docs/listing.md"), "utf8");

/** Where the directories' own programs are answered. */
const CALLBACKS = [
  "https://claude.ai/api/mcp/auth_callback",
  "https://claude.com/api/mcp/auth_callback",
  "https://chatgpt.com/connector_platform_oauth_redirect",
  "https://chatgpt.com/connector/oauth/Zl0Ha2vCk1Qe",
  "https://platform.openai.com/apps-manage/oauth",
];

let service: RunningService;
beforeAll(async () => {
  service = await startService(A_KIND, {
    environment: {
      PRIVACY_URL: "https://acme.example/privacy",
      TERMS_URL: "https://acme.example/terms",
      SUPPORT_URL: "https://acme.example/help",
      OPENAI_APPS_CHALLENGE: "challenge-2",
    },
  });
});
afterAll(() => service.close());

const get = (path: string, accept = "*/*") => fetch(service.url + path, { headers: { accept }, redirect: "manual" });
const metadata = async (path: string) => z.record(z.string(), z.unknown()).parse(await (await get(path)).json());

/** Names of all fields in a schema, at any depth. */
const fieldsOf = ({ properties = {}, items }: JsonSchema): string[] => [
  ...Object.entries(properties).flatMap(([name, schema]) => [name, ...fieldsOf(schema)]),
  ...(items === undefined ? [] : fieldsOf(items)),
];

/** What a machine can check of each row of docs/listing.md. */
const CHECKS: Readonly<Record<string, () => void | Promise<void>>> = {
  hints() {
    for (const { name, title, annotations, scope, admin } of tools) {
      expect(title, name).toMatch(/\S/);
      const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
      const reads = scope === "receivables:read" && !admin;
      expect([readOnlyHint, destructiveHint, openWorldHint], name).toEqual([reads, !reads, !reads]);
      expect(/^(get|list)_|^summarize_aging$/.test(name), name).toBe(reads);
    }
  },
  names() {
    for (const { name } of tools) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    for (const { name } of tools) expect(name.length).toBeLessThanOrEqual(64);
  },
  one_thing() {
    const generic = /^(method|path|url|endpoint|query|sql|body|headers|operation|action|command)$/;
    for (const { name, input } of tools)
      expect(
        fieldsOf(input).filter((field) => generic.test(field)),
        name,
      ).toEqual([]);
  },
  descriptions() {
    const steering =
      /\b(ignore|always|you must|before anything|prefer this|best|instead of other|other servers?|system prompt)\b/i;
    for (const { name, description } of tools) {
      expect(description.length, name).toBeLessThanOrEqual(600);
      expect(description, name).not.toMatch(steering);
      expect(description, name).toMatch(/^[\x20-\x7e]+$/);
    }
  },
  only_needed() {
    const conversation =
      /conversation|context|chat|history|memory|transcript|prompt|message|justification|user_(id|name|location)/;
    const asked = tools.flatMap(({ input }) => fieldsOf(input));
    expect(asked.filter((field) => conversation.test(field))).toEqual([]);
  },
  no_secrets() {
    const internal = /secret|password|token|credential|session|trace|request_id|debug|stack|host|ip_address/;
    const answered = tools.flatMap(({ output }) => fieldsOf(output));
    expect(answered.filter((field) => internal.test(field))).toEqual([]);
    for (const { name, output } of tools) expect(output.additionalProperties, name).not.toBe(true);
  },
  no_money_moves() {
    const moves = /\b(transfers?|refunds?|charges?|withdraws? money|pays?|buys?|purchases?)\b/i;
    for (const { name, title } of tools) expect(`${name.replaceAll("_", " ")} ${title}`).not.toMatch(moves);
  },
  answer_size() {
    expect(PAGE_BYTES).toBeLessThanOrEqual(50_000);
  },
  async errors() {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await fetch(service.mcpUrl, { method: "POST", headers, body });
    const { error } = z.object({ error: z.object({ message: z.string() }) }).parse(await response.json());
    expect(error.message).toMatch(/^[A-Z].{10,}\.$/);
  },
  async oauth() {
    const challenge = (await fetch(service.mcpUrl, { method: "POST" })).headers.get("www-authenticate") ?? "";
    const [, address = ""] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    const resource = z
      .looseObject({ authorization_servers: z.array(z.string()) })
      .parse(await (await fetch(address)).json());
    expect(resource.authorization_servers.join()).toBe(service.url);
    expect(await metadata("/.well-known/oauth-authorization-server")).toMatchObject({
      registration_endpoint: `${service.url}/oauth/register`,
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
    });
  },
  async callbacks() {
    const people = peopleOf(service.core);
    const { tenantId } = await openBook(service.core.store);
    const { email } = await people.addPerson(tenantId);
    const browser = new Browser(service.url);
    for (const address of CALLBACKS) {
      const client = await register(service.url, { client_name: "Directory", redirect_uris: [address] });
      const state = "s".repeat(1_000);
      const asked = authorizationUrl(service.url, client, pkce().challenge, { redirect_uri: address, state });
      const consent = await openConsent(service.url, { email, password: PASSWORD, browser }, asked);
      const { left } = await browser.submit(consent, "Deny", {});
      expect([left?.origin, left?.pathname, left?.searchParams.get("state")], address).toEqual([
        new URL(address).origin,
        new URL(address).pathname,
        state,
      ]);
    }
  },
  async policies() {
    const page = await (await get("/mcp", "text/html")).text();
    for (const path of ["privacy", "terms", "help"]) expect(page).toContain(`href="https://acme.example/${path}"`);
    expect(await metadata("/.well-known/oauth-protected-resource")).toMatchObject({
      resource_policy_uri: "https://acme.example/privacy",
      resource_tos_uri: "https://acme.example/terms",
    });
  },
  async icon() {
    for (const path of ["/favicon.ico", "/icon.svg", "/icon.png"]) {
      const response = await get(path);
      expect([response.status, response.headers.get("content-type")?.split("/")[0]], path).toEqual([200, "image"]);
    }
  },
  async challenge() {
    expect(await (await get("/.well-known/openai-apps-challenge")).text()).toBe("challenge-2");
  },
  examples() {
    expect(prompts.length).toBeGreaterThanOrEqual(3);
    const [, section = ""] = LIST.split("### Prompts to test with");
    const examples = section.split("\n## ")[0]?.match(/^- \*.*$/gm) ?? [];
    expect(examples.length).toBeGreaterThanOrEqual(5);
    for (const example of examples)
      for (const [, named = ""] of example.matchAll(/`(\w+)`/g)) expect(tools.map(({ name }) => name)).toContain(named);
  },
};

describe("what directories ask", () => {
  const rows = [...LIST.matchAll(/^\| `([a-z_]+)` \| ((?:Claude|ChatGPT)(?:, ChatGPT)?) \|/gm)].map(
    ([, name = ""]) => name,
  );

  it("is in docs/listing.md with a check for each row that has a name [listing.directories]", () => {
    expect(rows).toEqual(Object.keys(CHECKS));
  });

  it.each(Object.entries(CHECKS))("%s [listing.directories]", async (_name, check) => {
    await check();
  });
});
