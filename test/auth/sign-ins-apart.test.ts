import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addMember } from "../../auth/members/add-member.ts";
import { setSignIn } from "../../auth/upstream-sign-in/set-sign-in.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { follow, type Issuer, startIssuer } from "../support/issuer.ts";
import { A_STORE } from "../support/thorough.ts";

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());

describe.each(A_STORE)("sign-ins of a person in two workspaces on $name", ({ open }) => {
  const site = useAuthApp(open);

  it("are counted by each provider apart: one workspace's keeps nobody out of another [completions.11.sign-in-bound]", async () => {
    const { app } = site;
    const [own, other] = [await app.addWorkspace(), await app.addWorkspace()];
    const domain = `d${randomUUID().slice(0, 8)}.example`;
    const email = `ana@${domain}`;
    await app.addPerson(own.id, { email });
    await operate(app.core, other.id, addMember, { email, role: "member" });
    const client = { clientId: `client-${other.id}`, clientSecret: "a secret of the client" };
    await issuer.client({
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uris: [`${app.origin}/organisation/${other.id}/callback`],
      token_endpoint_auth_method: "client_secret_basic",
    });
    const trusted = { issuer: issuer.url, domains: [domain], trustEmail: true };
    await operate(app.core, other.id, setSignIn, { ...client, ...trusted });
    issuer.person({ sub: randomUUID(), email, email_verified: true });
    const byProvider = async (): Promise<number> => {
      const browser = new Browser(app.origin);
      const { left } = await browser.submit(await browser.open("/organisation"), "Continue", { email });
      if (left === null) throw new Error("the issuer was not asked");
      return (await browser.open((await follow(left.href, app.origin)).href)).status;
    };
    for (let count = 0; count < 60; count += 1) expect(await byProvider()).toBe(200);
    expect(await byProvider()).toBe(429);
    const browser = new Browser(app.origin);
    const page = await browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
    expect(page.status).toBe(200);
  });
});
