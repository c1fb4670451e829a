import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";
import { describe, expect, it } from "vitest";
import { signInSource, type WebSession } from "../../auth/sessions.ts";
import { setSignIn } from "../../auth/upstream-sign-in/set-sign-in.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { Site } from "../../src/web/kit/site.ts";
import { inPageTurn } from "../../src/web/kit/turns.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { flood, listen } from "../support/http.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("turns of pages", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true, core: { localErps: true } });

  const admin = async (): Promise<Browser> => (await site.app.newcomer()).browser;

  async function signOutOthers(email: string): Promise<void> {
    const browser = await site.app.signedIn(email);
    await browser.submit(await browser.open("/security"), "Sign out all others");
  }

  /** Begins to send a form; what is answered once `rest` of it was sent. */
  function begin(browser: Browser, path: string, sent: string, type: string, length: number) {
    const cookie = ["session", "browser"].map((name) => `${name}=${browser.cookie(name)}`).join("; ");
    const headers = { cookie, "content-type": type, "content-length": length };
    const form = request(new URL(path, site.app.origin), { method: "POST", headers, agent: false });
    const answer = new Promise<number>((resolve) => {
      form.on("response", (response) => resolve(response.resume().statusCode ?? 0)).on("error", () => resolve(0));
    });
    form.write(sent);
    return { answer, form };
  }

  it("a form whose rest comes after its session ended does nothing [pages.security.held-forms]", async () => {
    const workspace = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(workspace.id, { role: "admin" });
    const [lost, own] = [await site.app.signedIn(email), await site.app.signedIn(email)];
    const held = async (invited: string, end: () => Promise<unknown>): Promise<number> => {
      const { action, fields } = (await lost.open("/members")).formWith("Invite");
      const body = new URLSearchParams({ ...fields, email: invited, role: "admin" }).toString();
      const { answer, form } = begin(lost, action, body.slice(0, 9), "application/x-www-form-urlencoded", body.length);
      await sleep(300);
      await end();
      form.end(body.slice(9));
      return answer;
    };
    expect(await held("in-time@acme.example", () => own.open("/members"))).toBe(303);
    const signOut = async () => own.submit(await own.open("/security"), "Sign out all others");
    expect(await held("late@acme.example", signOut)).toBe(403);
    const { text } = await own.open("/members");
    expect(text).toContain("in-time@acme.example");
    expect(text).not.toContain("late@acme.example");
  });

  it("of a person's forms with a file two are read at once, and others are refused unread [pages.security.held-forms]", async () => {
    const [busy, other] = [await admin(), await admin()];
    const open = async (by: Browser) => {
      const action = (await by.open("/mails")).html.match(/action="(\/mails\/[\w-]+\/logo)"/)?.[1] ?? "none";
      return begin(by, action, "--x\r\n", "multipart/form-data; boundary=x", 10_000);
    };
    const held = [];
    for (let n = 0; n < 5; n += 1) held.push(await open(busy));
    const theirs = await open(other);
    const answers: number[] = [];
    for (const { answer } of [...held, theirs]) void answer.then((status) => answers.push(status));
    await expect.poll(() => answers).toEqual([429, 429, 429]);
    await sleep(300);
    expect(answers).toHaveLength(3);
    for (const { form } of [...held, theirs]) form.destroy();
    await Promise.all([...held, theirs].map(({ answer }) => answer));
    await sleep(100);
    const after = await open(busy);
    after.form.end("x".repeat(10_000 - 5));
    expect(await after.answer).toBe(400);
  });

  it("two pages of one are made at once, and two are left for others [pages.security.turns]", async () => {
    const pages = new Site(site.app.core, site.app.origin);
    const begun: string[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const app = express().set("trust proxy", true);
    app.get("/", (asked, answer) =>
      inPageTurn(pages, asked, async () => {
        begun.push(asked.ip ?? "");
        await held;
        answer.end();
      }),
    );
    const served = await listen(app);
    const ask = (from: string) => fetch(served.url, { headers: { "x-forwarded-for": from } });
    const answers = Array.from({ length: 6 }, () => ask("192.0.2.71"));
    await expect.poll(() => begun).toHaveLength(2);
    answers.push(ask("192.0.2.72"));
    await expect.poll(() => begun).toEqual(["192.0.2.71", "192.0.2.71", "192.0.2.72"]);
    release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(7).fill(200));
    await served.close();
  });

  it("a person's turn rests for as long as their page took [pages.security.turns]", async () => {
    const pages = new Site(site.app.core, site.app.origin);
    const [begun, ended]: [number[], number[]] = [[], []];
    const served = await listen(
      express().get("/", async (asked, answer) => {
        await pages.person(asked);
        await inPageTurn(pages, asked, async () => {
          begun.push(performance.now());
          await sleep(400);
          ended.push(performance.now());
        });
        answer.end();
      }),
    );
    const headers = { cookie: `session=${(await admin()).cookie("session")}` };
    await Promise.all([1, 2, 3].map(() => fetch(served.url, { headers })));
    expect((begun[2] ?? 0) - (ended[0] ?? 0)).toBeGreaterThan(390);
    await served.close();
  });

  it("four pages of a workspace are made at once, for all of its people, and most turns are left to others [pages.security.turns]", async () => {
    const { core, origin } = site.app;
    const pages = new Site(core, origin);
    const begun: string[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const served = await listen(
      express().get("/:workspace", async (asked, answer) => {
        const { workspace } = asked.params;
        await pages.person(asked);
        pages.entered(asked, { tenantId: workspace, name: "Acme" });
        await inPageTurn(pages, asked, async () => {
          begun.push(workspace);
          await held;
        });
        answer.end();
      }),
    );
    const { id } = await site.app.addWorkspace();
    const ask = async (workspace: string) => {
      const browser = await site.app.signedIn((await site.app.addPerson(id)).email);
      const headers = { cookie: `session=${browser.cookie("session")}` };
      return [1, 2].map(() => fetch(`${served.url}/${workspace}`, { headers }));
    };
    const answers = (await Promise.all(["slow", "slow", "slow", "slow"].map(ask))).flat();
    await expect.poll(() => begun).toEqual(Array(4).fill("slow"));
    answers.push(...(await ask("other")));
    await expect.poll(() => begun.slice(4)).toEqual(["other", "other"]);
    release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    await served.close();
  });

  it("who waits for a workspace's sign-in provider holds no turn of pages [pages.security.turns]", async () => {
    const { core, origin, addWorkspace } = site.app;
    const [{ id }, silent] = [await addWorkspace(), await listen(express().use(() => undefined))];
    const client = { clientId: "client", clientSecret: "secret", domains: ["silent.example"], trustEmail: false };
    await operate(core, id, setSignIn, { issuer: silent.url, ...client });
    let [opened, answered] = [0, 0];
    const departures = Array.from({ length: 16 }, async (_, n) => {
      const browser = new Browser(origin);
      browser.headers["x-forwarded-for"] = `203.0.113.${n}`;
      const form = await browser.open(`/organisation?workspace=${id}`);
      opened += 1;
      const page = await browser.submit(form, "Continue");
      answered += 1;
      return page.status;
    });
    await expect.poll(() => opened).toBe(16);
    await sleep(300);
    for (let n = 0; n < 3; n += 1) expect((await new Browser(origin).open("/signin")).status).toBe(200);
    expect(answered).toBe(0);
    await silent.close();
    expect(new Set(await Promise.all(departures))).toEqual(new Set([503]));
  });

  it("a page that does not exist takes a turn, too [pages.security.turns]", async () => {
    const head = `GET /nothing HTTP/1.1\r\nHost: ${new URL(site.app.origin).host}\r\nAccept: text/html\r\nCookie: session=1\r\n`;
    const answers = await flood(site.app.origin, Array<string>(600).fill(head));
    expect(answers.match(/^HTTP\/1\.1 404/gm)?.length).toBeGreaterThan(400);
    expect(answers.match(/^HTTP\/1\.1 429/gm)?.length).toBeGreaterThan(30);
  });

  it("all sessions of a person share one turn [pages.security.turns]", async () => {
    const { email } = await site.app.addPerson((await site.app.addWorkspace()).id, { role: "admin" });
    const { host } = new URL(site.app.origin);
    const signIn = async (): Promise<string> => {
      const browser = await site.app.signedIn(email);
      expect((await browser.open("/")).status).toBe(200);
      return `GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: session=${browser.cookie("session")}\r\n`;
    };
    // As many as one session may have waiting.
    const sessions = [await signIn(), await signIn()];
    const answers = await flood(
      site.app.origin,
      sessions.flatMap((head) => Array<string>(40).fill(head)),
    );
    expect(answers.match(/^HTTP\/1\.1 200/gm)?.length).toBeGreaterThan(30);
    expect(answers.match(/^HTTP\/1\.1 429/gm)?.length).toBeGreaterThan(10);
  });

  it("a session that has ended takes no turn of its person's [pages.security.turns]", async () => {
    const { email } = await site.app.addPerson((await site.app.addWorkspace()).id, { role: "admin" });
    const pages = new Site(site.app.core, site.app.origin);
    const served = await listen(
      express()
        .get("/source", (asked, answer) => void answer.send(pages.sourceOf(asked).person))
        .get("/person", async (asked, answer) => void answer.json(await pages.person(asked)))
        .get("/out", async (asked, answer) => void answer.json(await pages.signOut(asked, answer))),
    );
    const [left, ended] = [await site.app.signedIn(email), await site.app.signedIn(email)];
    const ask = async (browser: Browser, path: string): Promise<string> => {
      const headers = { cookie: `session=${browser.cookie("session")}` };
      return (await fetch(`${served.url}${path}`, { headers })).text();
    };
    for (const [browser, end] of [
      [left, () => ask(left, "/out")],
      [ended, () => signOutOthers(email)],
    ] as const) {
      const session: WebSession = JSON.parse(await ask(browser, "/person"));
      expect(await ask(browser, "/source")).toBe(signInSource(session));
      await end();
      // Ended by another process, it is found to be over by the next page.
      if (browser === ended) await ask(browser, "/person");
      expect(await ask(browser, "/source")).toBe("address:127.0.0.1");
    }
    await served.close();
  });
});
