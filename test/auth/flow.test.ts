import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuthApp, PASSWORD, startAuthApp } from "../support/auth-app.ts";
import { TestClock, testCore } from "../support/core.ts";
import { callMcp, signInAndApprove } from "../support/oauth-client.ts";
import { STORES, type TestStore } from "../support/stores.ts";

describe.each(STORES)("an assistant is connected on $name", ({ open }) => {
  let opened: TestStore;
  let app: AuthApp;

  beforeAll(async () => {
    opened = await open();
    const core = testCore(opened.store, new TestClock(new Date().toISOString()));
    app = await startAuthApp(core);
  });
  afterAll(async () => {
    await app.close();
    await opened.remove();
  });

  it("from registration to a call", async () => {
    const { id } = await app.addWorkspace();
    const person = await app.addPerson(id);
    const { tokens } = await signInAndApprove(app.origin, { email: person.email, password: PASSWORD });
    const answer = await callMcp(app.origin, tokens.access_token);
    expect(answer.status).toBe(200);
  });
});
