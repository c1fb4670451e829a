import express from "express";
import { expect, it, vi } from "vitest";
import { noteKnownCaller } from "../../auth/caller.ts";
import { boundedLog } from "../../src/core/gate/bounded-log.ts";
import { lastResort } from "../../src/http/errors.ts";
import { requestIds } from "../../src/http/request-id.ts";
import { requestLog } from "../../src/http/request-log.ts";
import { sendFailure } from "../../src/web/kit/error-page.ts";
import { listen, sendRaw } from "../support/http.ts";

it("the log of requests holds nothing that opens a page to whoever reads it [contract.pages.invitations]", async () => {
  const lines: object[] = [];
  const log = { info: (fields: object) => void lines.push(fields), warn: () => undefined, error: () => undefined };
  const app = express().use(
    requestIds(() => "request-1"),
    requestLog(log),
  );
  const { url, close } = await listen(app);
  for (const path of ["/invitations/secret", "/pay/secret/decline?x=secret", "/members/abc", "/signin?next=secret"])
    await (await fetch(url + path)).text();
  await close();
  expect(lines).toMatchObject([
    { path: "/invitations/…" },
    { path: "/pay/…/decline" },
    { path: "/members/abc" },
    { path: "/signin" },
  ]);
});

it("names the key and the workspace, which users call as they like, safely [contract.http.log-names]", async () => {
  const lines: object[] = [];
  const log = { info: (fields: object) => void lines.push(fields), warn: () => undefined, error: () => undefined };
  const app = express().use(requestLog(log));
  app.get("/known", (_request, response) => {
    noteKnownCaller(response, { workspace: "Acme\r\n{\u202e\u200b\u0007", key: "k".repeat(5_000) });
    response.end();
  });
  const { url, close } = await listen(app);
  for (const path of ["/known", "/unknown"]) await (await fetch(url + path)).text();
  await close();
  expect(lines[0]).toMatchObject({ workspace: "Acme {", key: "k".repeat(80) });
  expect(lines[1]).not.toHaveProperty("workspace");
});

it("names the workspace in the line of an error that nobody expected [contract.http.log-names]", async () => {
  const lines: object[] = [];
  const log = { info: () => undefined, warn: () => undefined, error: (fields: object) => void lines.push(fields) };
  const app = express().use((_request, response, next) => {
    noteKnownCaller(response, { workspace: "Acme" });
    next();
  });
  const thrown = new Error("broken");
  app.get("/page", (_request, response) => sendFailure(response, thrown, { log, event: "page.failed", title: "Page" }));
  app.get("/call", () => {
    throw thrown;
  });
  const { url, close } = await listen(app.use(lastResort(log)));
  for (const path of ["/page", "/call"]) await (await fetch(url + path)).text();
  await close();
  expect(lines).toMatchObject(Array(2).fill({ workspace: "Acme", err: thrown }));
});

it("[contract.edges.log.bounded] lines of strangers are so many a minute, then counted; those of known callers are all written", async () => {
  const lines: object[] = [];
  const write = (fields: object, message: string) => void lines.push({ message, ...fields });
  const log = { info: write, warn: write, error: write };
  const app = express().use(requestLog(log, boundedLog(log, 3)));
  app.get("/known", (_request, response) => {
    noteKnownCaller(response);
    response.end();
  });
  app.get("/failed", (_request, response) => void response.status(500).end());
  app.get("/away", (_request, response) => void response.status(503).end());
  const { url, close } = await listen(app);
  for (let index = 0; index < 10; index += 1) await (await fetch(`${url}/garbage${index}`)).text();
  for (let index = 0; index < 5; index += 1) await (await fetch(`${url}/known`)).text();
  for (const path of ["/failed", "/away"]) await (await fetch(url + path)).text();
  await close();
  const paths = lines.map((line) => ("path" in line ? line.path : null));
  expect(paths).toEqual(["/garbage0", "/garbage1", "/garbage2", ...Array(5).fill("/known"), "/failed"]);
});

it.each(['"', "\\", "a", "/", '"'.repeat(39).concat("/")])(
  "[contract.edges.log.short] a line of a stranger's longest request is short, if its path is made of %s",
  async (letters) => {
    const lines: object[] = [];
    const log = { info: (fields: object) => void lines.push(fields), warn: () => undefined, error: () => undefined };
    const { url, close } = await listen(express().use(requestIds(String), requestLog(log)));
    const path = `/${letters.repeat(15_000 / letters.length)}`;
    const headers = `Host: ${new URL(url).host}\r\nX-Request-Id: ${"i".repeat(128)}\r\nConnection: close`;
    expect(await sendRaw(url, `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404/);
    await close();
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines[0]).length).toBeLessThan(1_000);
  },
);

it("[contract.edges.log.short] what a stranger says in another line is shortened", () => {
  const lines: object[] = [];
  const write = (fields: object) => void lines.push(fields);
  const bounded = boundedLog({ info: write, warn: write, error: write });
  const told = { client_id: `https://a.example/${'\u0001"'.repeat(8_000)}`, status: 400, detail: undefined };
  for (const level of ["info", "warn", "error"] as const) bounded[level](told, "oauth.refused");
  const client_id = `https://a.example/${'"'.repeat(232)}`;
  expect(lines).toEqual(Array(3).fill({ client_id, status: 400, detail: undefined }));
});

it("[contract.edges.log.bounded] what was left out is told once a minute, by event", () => {
  vi.useFakeTimers();
  try {
    const lines: object[] = [];
    const write = (fields: object, message: string) => void lines.push({ message, ...fields });
    const bounded = boundedLog({ info: write, warn: write, error: write }, 1);
    for (let index = 0; index < 4; index += 1) bounded.info({}, "request");
    bounded.warn({}, "other");
    vi.advanceTimersByTime(60_000);
    bounded.info({}, "request");
    expect(lines).toEqual([
      { message: "request" },
      { message: "log.lines_left_out", left_out: { request: 3, other: 1 }, limit: 1 },
      { message: "request" },
    ]);
  } finally {
    vi.useRealTimers();
  }
});
