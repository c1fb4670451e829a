import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import express, { type ErrorRequestHandler, Router } from "express";
import { describe, expect, it } from "vitest";
import { members } from "../../src/web/kit/doors.ts";
import { sendFailure } from "../../src/web/kit/error-page.ts";
import { Door, serving } from "../../src/web/kit/routes.ts";
import { type PageRequest, Site } from "../../src/web/kit/site.ts";
import { type RowsPage, sendFile } from "../../src/web/lists/download.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { listen } from "../support/http.ts";
import { A_STORE } from "../support/thorough.ts";

const ENDLESS = "/test/endless";
const SLOW = "/test/slow";
const QUICK = "/test/quick";
const MOST = 20;
const KINDS = [".csv", ".xlsx"];
const NAMED = "/test/named.csv";
/** How the named files are read. */
const FILES = new Map<string, () => Promise<RowsPage>>();
/** Pages that wait until the gate opens. */
const slow = { running: 0, gate: Promise.withResolvers<void>() };

describe.each(A_STORE)("files that nobody takes to their end, $name", ({ open }) => {
  const site = useAuthApp(open, {
    beside(core, publicOrigin) {
      // What no writer makes smaller.
      const rows = Array.from({ length: 100 }, () => ({ text: randomBytes(7_500).toString("base64") }));
      const endless = members.files(ENDLESS, (visit) =>
        sendFile(visit, {
          name: "endless",
          columns: [{ name: "text", path: ["text"] }],
          read: async () => ({ data: rows, pagination: { next_cursor: "more" } }),
        }),
      );
      const named = members.get(NAMED, (visit) => {
        const read = FILES.get(visit.parameter("file") ?? "");
        if (read === undefined) throw new Error("no such file");
        return sendFile(visit, { name: "named", columns: [], isLong: visit.parameter("long") !== null, read });
      });
      const quick = members.get(QUICK, (visit) => visit.show({ title: "Quick", body: "quick" }));
      const slowly = members.get(SLOW, async (visit) => {
        slow.running += 1;
        await slow.gate.promise;
        visit.show({ title: "Slow", body: "slow" });
      });
      const failed: ErrorRequestHandler = (error, _request, response, _next) =>
        sendFailure(response, error, { log: core.log, event: "test.failed", title: "Failed" });
      return Router().use(
        serving(new Site(core, publicOrigin), [{ routes: [...endless, named, quick, slowly] }]),
        failed,
      );
    },
  });

  it("and pages: a few of one browser are made at a time, and more than that waits or is refused [pages.look.turns]", async () => {
    Object.assign(slow, { running: 0, gate: Promise.withResolvers<void>() });
    const began = performance.now();
    const { browser: greedy } = await site.app.newcomer();
    // Until a page has found whose session it is, pages take turns by address.
    await greedy.open(QUICK);
    // Turns rest for as long as their pages took.
    await sleep(performance.now() - began);
    const statuses: number[] = [];
    const flood = Array.from({ length: 60 }, async () => statuses.push((await greedy.open(SLOW)).status));
    await expect.poll(() => statuses.length, { timeout: 10_000 }).toBe(18);
    expect([statuses, slow.running]).toEqual([Array(18).fill(429), 2]);
    slow.gate.resolve();
    await Promise.all(flood);
    expect([statuses.filter((status) => status === 200).length, slow.running]).toEqual([42, 42]);
  });

  it.each(KINDS)("are limited for one workspace, and hold up no other's: %s [pages.look.downloads]", async (kind) => {
    const person = async () => (await site.app.newcomer()).browser.cookie("session") ?? "";
    const ends = new AbortController();
    const begin = (session: string) =>
      fetch(addressOf(kind), { headers: { cookie: `session=${session}` }, signal: ends.signal });
    const [greedy, other] = [await person(), await person()];
    const begun = await Promise.all(Array.from({ length: MOST }, () => begin(greedy)));
    expect(begun.map(({ status }) => status)).toEqual(Array(MOST).fill(200));
    const more = await begin(greedy);
    expect([more.status, more.headers.get("retry-after")]).toEqual([429, "60"]);
    expect((await begin(other)).status).toBe(200);
    ends.abort();
    await expect.poll(async () => (await fetchOne(greedy, kind)).status, { timeout: 10_000 }).toBe(200);
  });

  it.each(KINDS)("end with their session: %s [pages.look.downloads]", async (kind) => {
    const { browser } = await site.app.newcomer();
    const session = browser.cookie("session") ?? "";
    const { body } = await fetch(addressOf(kind), { headers: { cookie: `session=${session}` } });
    if (body === null) throw new Error("the file has no rows");
    const reader = body.getReader();
    for (let taken = 0; taken < 10_000_000; ) taken += (await reader.read()).value?.byteLength ?? 0;
    await browser.submit(await browser.open("/signout"), "Sign out");
    const rest = async () => {
      for (let taken = 0; taken < 50_000_000; ) taken += (await reader.read()).value?.byteLength ?? Number.NaN;
    };
    await expect(rest()).rejects.toThrow();
  });

  it("of one workspace are read a page at a time, however long that takes [pages.look.downloads]", async () => {
    const held = Promise.withResolvers<void>();
    const files = { slow: 0, quick: 0 };
    const read = (name: keyof typeof files) => async () => {
      files[name] += 1;
      if (name === "slow") await held.promise;
      return { data: [], pagination: { next_cursor: null } };
    };
    const [{ browser: greedy }, { browser: other }] = [await site.app.newcomer(), await site.app.newcomer()];
    FILES.set("slow", read("slow")).set("quick", read("quick"));
    const slowly = Array.from({ length: 4 }, () => greedy.open(`${NAMED}?file=slow`));
    await expect.poll(() => files.slow).toBe(1);
    expect((await other.open(`${NAMED}?file=quick`)).status).toBe(200);
    expect(files).toEqual({ slow: 1, quick: 1 });
    held.resolve();
    expect((await Promise.all(slowly)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it("whose pages take long keep nobody else's waiting for their rest [pages.look.downloads]", async () => {
    const page = { data: [], pagination: { next_cursor: null } };
    FILES.set("slow", () => new Promise((resolve) => setTimeout(resolve, 1_500, page)));
    FILES.set("quick", async () => page);
    const greedy = [(await site.app.newcomer()).browser, (await site.app.newcomer()).browser];
    const { browser: other } = await site.app.newcomer();
    await Promise.all(greedy.map((one) => one.open(`${NAMED}?file=slow`)));
    const ended = performance.now();
    expect((await other.open(`${NAMED}?file=quick`)).status).toBe(200);
    expect(performance.now() - ended).toBeLessThan(3_000);
    const again = greedy.map((one) => one.open(`${NAMED}?file=quick`));
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual([200, 200]);
    expect(performance.now() - ended).toBeGreaterThan(4_000);
  });

  it("of the whole book a page hold up one another alone [pages.look.downloads]", async () => {
    const [held, files] = [Promise.withResolvers<void>(), { slow: 0, quick: 0 }];
    const answer = { data: [], pagination: { next_cursor: null } };
    FILES.set("slow", () => {
      files.slow += 1;
      return held.promise.then(() => answer);
    }).set("quick", async () => answer);
    const people = await Promise.all(Array.from({ length: 4 }, () => site.app.newcomer()));
    const slowly = people.map(({ browser }) => browser.open(`${NAMED}?file=slow&long=yes`));
    await expect.poll(() => files.slow).toBe(1);
    const other = (await site.app.newcomer()).browser;
    expect((await other.open(`${NAMED}?file=quick`)).status).toBe(200);
    expect(files.slow).toBe(1);
    held.resolve();
    expect((await Promise.all(slowly)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  const addressOf = (kind: string): string => `${site.app.origin}${ENDLESS}${kind}`;

  async function fetchOne(session: string, kind: string): Promise<Response> {
    const end = new AbortController();
    const answer = await fetch(addressOf(kind), {
      headers: { cookie: `session=${session}` },
      signal: end.signal,
    });
    end.abort();
    return answer;
  }

  it("who asks for files enters by the same turns [pages.security.turns]", async () => {
    const pages = new Site(site.app.core, site.app.origin);
    let entered = 0;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const enter = async ({ response }: PageRequest) => {
      entered += 1;
      await held;
      response.end();
      return null;
    };
    const file = new Door({ name: "held", enter }).get("/list.csv", async () => undefined);
    const served = await listen(
      express().get("/", (request, response) => file.answer({ site: pages, request, response })),
    );
    const answers = Array.from({ length: 6 }, () => fetch(served.url));
    await expect.poll(() => entered).toBe(2);
    await sleep(100);
    expect(entered).toBe(2);
    release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(6).fill(200));
    await served.close();
  });
});
