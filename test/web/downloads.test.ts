import { type ErrorRequestHandler, Router } from "express";
import { describe, expect, it } from "vitest";
import { sendFailure } from "../../src/web/kit/error-page.ts";
import { Site } from "../../src/web/kit/site.ts";
import { WorkspaceRoutes } from "../../src/web/kit/workspace-pages.ts";
import { sendCsv } from "../../src/web/lists/download.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { A_STORE } from "../support/thorough.ts";

const ENDLESS = "/test/endless.csv";
const MOST = 20;

describe.each(A_STORE)("files that nobody takes to their end, $name", ({ open }) => {
  const site = useAuthApp(open, {
    beside(core, publicOrigin) {
      const routes = new WorkspaceRoutes(new Site(core, publicOrigin));
      const rows = Array.from({ length: 100 }, () => ({ text: "x".repeat(10_000) }));
      routes.get(ENDLESS, (visit) =>
        sendCsv(visit, {
          name: "endless",
          columns: [{ name: "text", path: ["text"] }],
          read: async () => ({ rows, next: "more" }),
        }),
      );
      const failed: ErrorRequestHandler = (error, _request, response, _next) =>
        sendFailure(response, error, { log: core.log, event: "test.failed", title: "Failed" });
      return Router().use(routes.router, failed);
    },
  });

  it("and pages: one browser that asks for many delays no other [pages.look.turns]", async () => {
    const person = async () => {
      const { email } = await site.app.addPerson((await site.app.addWorkspace()).id);
      const browser = new Browser(site.app.origin);
      await browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
      return browser;
    };
    const [greedy, other] = [await person(), await person()];
    const done: number[] = [];
    const flood = Array.from({ length: 150 }, async () => done.push((await greedy.open("/customers")).status));
    await expect.poll(() => done.length, { interval: 1 }).toBeGreaterThan(0);
    expect((await other.open("/customers")).status).toBe(200);
    expect(done.filter((status) => status === 200).length).toBeLessThan(75);
    await Promise.all(flood);
    expect(done.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect((await greedy.open("/customers")).status).toBe(200);
  });

  it("are limited for one workspace, and hold up no other's [pages.look.downloads]", async () => {
    const person = async () => {
      const { email } = await site.app.addPerson((await site.app.addWorkspace()).id);
      const browser = new Browser(site.app.origin);
      await browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
      return browser.cookie("session") ?? "";
    };
    const ends = new AbortController();
    const begin = (session: string) =>
      fetch(site.app.origin + ENDLESS, { headers: { cookie: `session=${session}` }, signal: ends.signal });
    const [greedy, other] = [await person(), await person()];
    const begun = await Promise.all(Array.from({ length: MOST }, () => begin(greedy)));
    expect(begun.map(({ status }) => status)).toEqual(Array(MOST).fill(200));
    const more = await begin(greedy);
    expect([more.status, more.headers.get("retry-after")]).toEqual([429, "60"]);
    expect((await begin(other)).status).toBe(200);
    ends.abort();
    await expect.poll(async () => (await fetchOne(greedy)).status, { timeout: 10_000 }).toBe(200);
  });

  async function fetchOne(session: string): Promise<Response> {
    const end = new AbortController();
    const answer = await fetch(site.app.origin + ENDLESS, {
      headers: { cookie: `session=${session}` },
      signal: end.signal,
    });
    end.abort();
    return answer;
  }
});
