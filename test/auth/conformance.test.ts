import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuthApp, PASSWORD, startAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { testCore } from "../support/core.ts";
import { openConsent, register } from "../support/oauth-client.ts";
import { freePort } from "../support/server.ts";
import { STORES, type TestStore } from "../support/stores.ts";

const SUITE = fileURLToPath(new URL("../../node_modules/conformance-next/dist/index.js", import.meta.url));
const [EMBEDDED] = STORES;

describe("the official conformance suite for authorization servers", () => {
  let opened: TestStore;
  let app: AuthApp;

  beforeAll(async () => {
    if (EMBEDDED === undefined) throw new Error("no store");
    opened = await EMBEDDED.open();
    app = await startAuthApp(testCore(opened.store, { now: () => new Date() }));
  });
  afterAll(async () => {
    await app?.close();
    await opened?.remove();
  });

  /** Runs the suite and plays the person whenever it asks for one; what it printed. */
  async function authorization(clientId: string, port: number): Promise<{ printed: string; code: number | null }> {
    const { id } = await app.addWorkspace();
    const { email } = await app.addPerson(id);
    const options = [
      "--url",
      app.origin,
      "--client-id",
      clientId,
      "--port",
      String(port),
      "--spec-version",
      "2025-06-18",
    ];
    const child = spawn(process.execPath, [SUITE, "authorization", ...options, "--resource", `${app.origin}/mcp`], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    const approved = new Set<string>();
    const approve = async (url: string): Promise<void> => {
      const browser = new Browser(app.origin);
      const consent = await openConsent(app.origin, { email, password: PASSWORD, browser }, url);
      const { left } = await browser.submit(consent, "Allow");
      if (left !== null) await fetch(left);
    };
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (!printed.includes("Callback server started")) return;
      for (const [url] of printed.matchAll(/http:\/\/\S+\/oauth\/authorize\?\S+/g)) {
        if (approved.has(url)) continue;
        approved.add(url);
        void approve(url);
      }
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
    return { printed, code };
  }

  it("passes [facts.mcp.authorization-conformance]", async () => {
    const port = await freePort();
    const { clientId } = await register(app.origin, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
    const { printed, code } = await authorization(clientId, port);
    expect(printed).toContain("Total: 2 passed, 0 failed");
    expect(code).toBe(0);
  });
});
