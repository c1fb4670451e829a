import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.ts";
import { listen } from "../support/http.ts";
import { authorizationUrl, pkce, redeem, register } from "../support/oauth-client.ts";
import { peopleOf } from "../support/people.ts";
import { signedInPage } from "../support/signed-in-page.ts";
import { useBrowser } from "./sights.ts";

describe.skipIf(!HAS_CHROMIUM)("an answer to a connection request", () => {
  const seen = useBrowser();

  it("is given once by a double click, and the assistant gets its code [contract.pages.consent-once]", async () => {
    const { service, browser } = seen();
    const codes: string[] = [];
    const client = await listen((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://client");
      if (pathname === "/callback") codes.push(searchParams.get("code") ?? "");
      setTimeout(() => response.end("connected"), 400);
    });
    const people = peopleOf(service.core);
    const { email } = await people.addPerson((await people.addWorkspace()).id);
    const page = await signedInPage(browser, service.url, email);
    const redirectUri = `${client.url}/callback`;
    const assistant = await register(service.url, { redirect_uris: [redirectUri] });
    for (const gapMs of [20, 80, 150, 300]) {
      codes.length = 0;
      const { verifier, challenge } = pkce();
      await page.goto(authorizationUrl(service.url, assistant, challenge, { redirect_uri: redirectUri }));
      const allow = page.getByRole("button", { name: "Allow", exact: true });
      await allow.scrollIntoViewIfNeeded();
      const { x = 0, y = 0 } = (await allow.boundingBox()) ?? {};
      await page.mouse.click(x + 5, y + 5);
      await sleep(gapMs);
      await page.mouse.click(x + 5, y + 5);
      await page.getByText("connected", { exact: true }).waitFor();
      expect(codes, `${gapMs} ms`).toHaveLength(1);
      await redeem(service.url, assistant, { code: codes[0] ?? "", verifier, redirectUri });
    }
    await client.close();
  });
});
