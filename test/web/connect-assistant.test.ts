import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FIRST_QUESTIONS, startSummary } from "../../src/summary.ts";
import { setUps } from "../../src/web/account/connect-assistant.ts";
import { MAY, NEVER } from "../../src/web/kit/words.ts";
import { Browser } from "../support/browser.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";

const CHROME = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

describe("the assistants' address, opened in a browser", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService(A_KIND);
  });
  afterAll(() => service.close());

  const get = (accept: string, headers: Record<string, string> = {}) =>
    fetch(service.mcpUrl, { headers: { accept, ...headers } });

  it("is a page that says how to connect, and what an assistant may and can never do [service.1.connecting-made-easy]", async () => {
    const browser = new Browser(service.url);
    browser.headers.accept = CHROME;
    const page = await browser.open("/mcp");
    expect([page.status, page.headers.get("vary")]).toEqual([200, "Accept"]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.html).not.toMatch(/<script(?! src="\/assets\/copy-)/);
    for (const words of [
      service.mcpUrl,
      ...Object.values(MAY),
      ...NEVER,
      ...setUps(service.mcpUrl).map(({ name }) => name),
    ])
      expect(page.text).toContain(words);
    for (const { command } of setUps(service.mcpUrl)) if (command !== undefined) expect(page.text).toContain(command);
  });

  it.each([
    "text/event-stream",
    "application/json, text/event-stream",
    "*/*",
    "application/json",
    "application/json, text/html;q=0.9",
  ])("is the transport for who accepts %s: 401 without a token [facts.mcp.get]", async (accept) => {
    const response = await get(accept);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining("Bearer"),
    ]);
  });

  it("is the transport for who sends a token, and for every other method [facts.mcp.get]", async () => {
    expect((await get(CHROME, { authorization: "Bearer nonsense" })).status).toBe(401);
    const post = await fetch(service.mcpUrl, { method: "POST", headers: { accept: CHROME } });
    expect(post.status).toBe(401);
  });

  it("links open the assistants as their makers document it [service.1.connecting-made-easy]", () => {
    const link = (name: string) =>
      new URL(setUps("https://r.example/mcp").find((one) => one.name === name)?.link ?? "");
    const code = link("VS Code");
    expect([code.protocol, code.pathname]).toEqual(["vscode:", "mcp/install"]);
    expect(JSON.parse(decodeURIComponent(code.search.slice(1)))).toEqual({
      name: "receivables",
      type: "http",
      url: "https://r.example/mcp",
    });
    const cursor = link("Cursor");
    expect(cursor.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=receivables&config=/);
    expect(JSON.parse(atob(cursor.searchParams.get("config") ?? ""))).toEqual({ url: "https://r.example/mcp" });
  });

  it("the README and the start say the same [service.1.connecting-made-easy]", () => {
    const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
    const start = startSummary({ publicUrl: "http://localhost:3000", dataDir: "/data", demo: false });
    const login = { email: "dana@northwind.example", password: "p", workspace: "Northwind", role: "admin" };
    const first = startSummary({ publicUrl: "http://localhost:3000", dataDir: "/data", demo: true, login });
    expect(first).toContain(`Then ask it:\n  ${FIRST_QUESTIONS[0]}\n`);
    expect(start).not.toContain("Then ask it:");
    expect(readme).not.toMatch(/\]\((vscode|cursor):/);
    for (const question of FIRST_QUESTIONS) expect(readme).toContain(question);
    for (const { name, webLink, command, settings } of setUps("http://localhost:3000/mcp")) {
      expect(readme).toContain(`| ${name} |`);
      for (const form of [webLink, command, settings]) if (form !== undefined) expect(readme).toContain(form);
      if (command !== undefined) expect(start).toContain(command);
    }
  });
});
