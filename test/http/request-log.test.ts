import express from "express";
import { expect, it } from "vitest";
import { requestIds } from "../../src/http/request-id.ts";
import { requestLog } from "../../src/http/request-log.ts";
import { listen } from "../support/http.ts";

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
