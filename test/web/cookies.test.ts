import express from "express";
import { describe, expect, it } from "vitest";
import { cookie } from "../../src/web/kit/cookies.ts";
import { listen } from "../support/http.ts";

async function setCookieOf(publicOrigin: string): Promise<string[]> {
  const session = cookie("session", publicOrigin);
  const app = express().get("/", (_request, response) => {
    session.set(response, "value", 60);
    response.end();
  });
  const { url, close } = await listen(app);
  const lines = (await fetch(url)).headers.getSetCookie();
  await close();
  return lines;
}

describe("cookies", () => {
  it("on https are tied to the host and never sent in the clear [facts.oauth.cookies]", async () => {
    const [line = ""] = await setCookieOf("https://receivables.example.com");
    expect(line).toMatch(/^__Host-session=value; Max-Age=60; Path=\/; Expires=.*; HttpOnly; Secure; SameSite=Lax$/);
  });

  it("on http, as at home, do without", async () => {
    const [line = ""] = await setCookieOf("http://localhost:3000");
    expect(line).toMatch(/^session=value; Max-Age=60; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/);
  });
});
