import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { pages } from "../../../src/web/pages.ts";
import { payPages } from "../../../src/web/pay/pay-page.ts";
import { useAuthApp } from "../../support/auth-app.ts";
import { readCsv } from "../../support/csv.ts";
import { A_STORE } from "../../support/thorough.ts";
import { readWorkbook } from "../../support/workbook.ts";
import { COLLECTING_DOORS } from "./collecting-doors.ts";
import { DOORS, WITHOUT_TOKEN } from "./doors.ts";
import { besidePages, type Knock, knock, tokenFor } from "./knock.ts";
import { registeredRoutes } from "./registered-routes.ts";
import { RUNNING_DOORS } from "./running-doors.ts";
import { CALLERS, type Caller, rowsOf, type WalledGarden, walledGarden } from "./walled-garden.ts";

const ROUTES = Object.keys(DOORS);
/** A list whose every value is the service's own. */
const OF_NO_NAMES = "GET /sync-runs.csv";
/** The headers of every answer of a page or form. */
const PAGE_HEADERS: readonly (readonly [name: string, value: RegExp])[] = [
  ["content-security-policy", /^default-src 'none';.*frame-ancestors '(none|self)'/],
  ["x-frame-options", /^(DENY|SAMEORIGIN)$/],
  ["x-content-type-options", /^nosniff$/],
  ["referrer-policy", /^same-origin$/],
  ["cache-control", /^no-store$/],
];
const pathOf = (route: string): string => route.split(" ")[1] ?? "";

describe.each(A_STORE)("every page and form on $name", ({ open }) => {
  const site = useAuthApp(open, { beside: besidePages });
  const held: { garden?: WalledGarden } = {};
  beforeAll(async () => {
    held.garden = await walledGarden(site.app);
  });
  const garden = (): WalledGarden => {
    if (held.garden === undefined) throw new Error("there is no workspace yet");
    return held.garden;
  };
  const rows = (): Promise<unknown> => rowsOf(site.app, garden().tenantId);

  /** How a door answered: its status, or `signin` for the way to sign in first. */
  async function answerAt(route: string, caller: Caller, query = "", fields = {}): Promise<string> {
    const address = garden().address(pathOf(route), caller) + query;
    const response = await knock(site.app.origin, route, { address, session: await garden().session(caller), fields });
    const text = await response.text();
    const lacking = PAGE_HEADERS.filter(([name, value]) => !value.test(response.headers.get(name) ?? ""));
    if (lacking.length > 0) return `lacks ${lacking.map(([name]) => name)}`;
    const told = caller === "admin" || caller === "member" ? [] : garden().secrets.filter((one) => text.includes(one));
    if (told.length > 0) return `tells ${caller} ${told}`;
    return /^\/signin\b/.test(response.headers.get("location") ?? "") ? "signin" : String(response.status);
  }

  it("has its row in the table, read off the routes [pages.security.table]", () => {
    const { core, origin: publicOrigin, authorization } = site.app;
    const { interactions } = authorization;
    const routers = [pages({ core, publicOrigin, interactions }), payPages({ core, publicOrigin })];
    const registered = routers.flatMap(registeredRoutes).filter((route) => !route.startsWith("GET /assets/"));
    expect(registered.sort()).toEqual(ROUTES.toSorted());
  });

  it("takes a form from its own page only, in the same session and browser [pages.security.csrf]", async () => {
    const [session, another] = [await garden().session("admin"), await garden().session("admin")];
    const before = await rows();
    const taken: string[] = [];
    for (const route of ROUTES.filter((one) => one.startsWith("POST"))) {
      const address = garden().address(pathOf(route));
      const forged: Record<string, Omit<Knock, "address" | "session">> = {
        "without a token": { token: "" },
        "with another form's token": { token: (await tokenFor(site.app.origin, `${address}/x`, session)).token },
        "with another session's token": { token: (await tokenFor(site.app.origin, address, another)).token },
        "from another origin": { headers: { origin: "https://evil.example" } },
        "from a page without an origin": { headers: { origin: "null" } },
        "from a sibling site": { headers: { "sec-fetch-site": "same-site" } },
      };
      for (const [how, given] of Object.entries(forged)) {
        const { status } = await knock(site.app.origin, route, { address, session, ...given });
        const isRefused = WITHOUT_TOKEN.has(route) ? status >= 400 : status === 403;
        if (!isRefused) taken.push(`${route} ${how}: ${status}`);
      }
    }
    expect(taken).toEqual([]);
    expect(await rows()).toEqual(before);
  });

  it("reads no form of many parts or fields [pages.security.many-parts]", async () => {
    const session = await garden().session("admin");
    const part = (n: number): string => `--b\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\nx\r\n`;
    const forms: Readonly<Record<string, string>> = {
      "multipart/form-data; boundary=b": `${Array.from({ length: 33_000 }, (_, n) => part(n)).join("")}--b--\r\n`,
      "application/x-www-form-urlencoded": "f&".repeat(8_000),
    };
    const taken: string[] = [];
    for (const route of ROUTES.filter((one) => one.startsWith("POST")))
      for (const [type, body] of Object.entries(forms)) {
        const begun = performance.now();
        const headers = { "content-type": type };
        const { status } = await knock(site.app.origin, route, {
          address: garden().address(pathOf(route)),
          session,
          headers,
          body,
        });
        const ms = performance.now() - begun;
        if (status < 300 || ms > 3_000) taken.push(`${route}: ${status} after ${Math.round(ms)} ms`);
      }
    expect(taken).toEqual([]);
  });

  it("reads a form of thousands of names in a few times the work of one field as long [pages.security.many-parts]", async () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const pairs = letters.flatMap((one) => letters.map((other) => one + other));
    const names = [...pairs, ...pairs.flatMap((pair) => letters.map((other) => pair + other))];
    const bodies = [`a=${"x".repeat(16_000)}`, names.join("&").slice(0, 16_000)];
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const costs: number[] = [];
    for (const body of [...bodies, ...bodies]) {
      const before = process.cpuUsage();
      for (let count = 0; count < 10; count += 1)
        await fetch(`${site.app.origin}/signin`, { method: "POST", headers, body, redirect: "manual" });
      const { user, system } = process.cpuUsage(before);
      costs.push(user + system);
    }
    const [, , one = 0, many = 0] = costs;
    expect(many / one).toBeLessThan(15);
  });

  it("refuses strangers with the workspace's ids in its address and its query, and changes nothing [pages.security.strangers]", async () => {
    const before = await rows();
    const answers: Record<string, string> = {};
    for (const route of ROUTES.filter((one) => one.startsWith("GET")))
      for (const query of garden().queries) answers[`${route} ${query}`] = await answerAt(route, "stranger", query);
    expect(Object.entries(answers).filter(([, answer]) => !/^(signin|[2-4]\d\d)$/.test(answer))).toEqual([]);
    expect(await rows()).toEqual(before);
  });

  /** Where people collect, and say what runs by itself. */
  const HERE = [...Object.keys({ ...COLLECTING_DOORS, ...RUNNING_DOORS }), "GET /customers/:key"];
  it("knows nothing of another workspace by any workspace that an address names [pages.run.forms] [pages.run.foreign]", async () => {
    const { tenantId, elsewhere } = garden();
    const before = await rows();
    const found: string[] = [];
    for (const route of HERE)
      for (const workspace of /:(?!type)/.test(route) ? [tenantId, elsewhere] : [tenantId]) {
        const answer = await answerAt(route, "stranger", `?workspace=${workspace}`, { once: randomUUID() });
        if (answer !== "404") found.push(`${route} ${workspace === elsewhere ? "own" : "named"}: ${answer}`);
      }
    expect(found).toEqual([]);
    expect(await rows()).toEqual(before);
  });

  it("shows members what is there, without what only an admin can do [pages.run.forms]", async () => {
    const session = await garden().session("member");
    const before = await rows();
    for (const route of HERE) {
      const address = `${garden().address(pathOf(route), "member")}?workspace=${garden().tenantId}`;
      const response = await knock(site.app.origin, route, { address, session });
      const text = await response.text();
      if (DOORS[route]?.[1] === "200") {
        expect([response.status, text.includes('method="post"')], route).toEqual([200, false]);
        expect(text, route).not.toMatch(/\/(withdraw|dismiss|links|new|preview|disable)"/);
      } else {
        expect([response.status, text], route).toEqual([
          403,
          expect.stringMatching(/Only an admin of (a|the) workspace /),
        ]);
      }
    }
    expect(await rows()).toEqual(before);
  });

  it("fails for no word in an address [pages.security.words]", async () => {
    const answers: Record<string, string> = {};
    for (const route of ROUTES.filter((one) => one.startsWith("GET")))
      for (const word of ["__proto__", "constructor", "toString"]) {
        const names = ["done", "type", "message", "installment", "sort", "search", "mode", "connected", "next"];
        const query = `?${new URLSearchParams(names.map((name): [string, string] => [name, word]))}`;
        answers[`${route} ${word}`] = await answerAt(route, "admin", query);
      }
    expect(Object.entries(answers).filter(([, answer]) => !/^(signin|[2-4]\d\d)$/.test(answer))).toEqual([]);
  });

  it.each(["nobody", "stranger", "admin", "member"] as const)(
    "answers %s as the table says; under a page's headers; who is refused changes nothing [pages.security.roles] [pages.security.headers]",
    async (caller) => {
      const before = await rows();
      const column = CALLERS.indexOf(caller);
      const answers: Record<string, string> = {};
      for (const route of ROUTES) answers[route] = await answerAt(route, caller);
      expect(answers).toEqual(Object.fromEntries(ROUTES.map((route) => [route, DOORS[route]?.[column]])));
      if (caller === "nobody" || caller === "stranger") expect(await rows()).toEqual(before);
    },
  );

  it("writes no formula into a file, for names that are formulas; amounts and days as such [pages.security.formulas]", async () => {
    const hurt = await walledGarden(site.app, { hurt: '=HYPERLINK("http://evil.example")&' });
    const session = await hurt.session("admin");
    const files = ROUTES.filter((route) => route.endsWith(".csv"));
    for (const route of files) {
      const response = await knock(site.app.origin, route, { address: hurt.address(pathOf(route)), session });
      const { names, rows: cells } = readCsv((await response.text()).replace(/^\uFEFF/, ""));
      expect(cells.length, route).toBeGreaterThan(0);
      const all = [...names, ...cells.flatMap((row) => Object.values(row))];
      expect(
        all.filter((cell) => /^[=+\-@\t\r]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell)),
        route,
      ).toEqual([]);
      if (route !== OF_NO_NAMES) expect(all.join().includes("'=HYPERLINK"), route).toBe(true);
      const workbook = await knock(site.app.origin, route, {
        address: hurt.address(pathOf(route)).replace(".csv", ".xlsx"),
        session,
      });
      const { rows: kept, xml } = readWorkbook(new Uint8Array(await workbook.arrayBuffer()));
      expect([kept.length, xml.includes("<f")], route).toEqual([cells.length, false]);
      const texts = kept.flatMap((row) => Object.values(row)).filter(({ type }) => type === "inlineStr");
      const mistyped = texts.filter((cell) => /^(-?\d+\.\d+|\d{4}-\d\d-\d\d( \d\d:\d\d)?)$/.test(cell.text));
      expect(mistyped, route).toEqual([]);
      if (route !== OF_NO_NAMES)
        expect(
          texts.some((cell) => cell.text.includes("=HYPERLINK")),
          route,
        ).toBe(true);
    }
    expect(files.length).toBeGreaterThan(6);
  });
});
