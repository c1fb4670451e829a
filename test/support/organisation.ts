import { randomUUID } from "node:crypto";
import { setSignIn } from "../../auth/upstream-sign-in/set-sign-in.ts";
import { operate } from "../../src/core/gate/operator.ts";
import type { AuthApp } from "./auth-app.ts";
import { Browser, type BrowserPage } from "./browser.ts";
import { follow, type Issuer } from "./issuer.ts";

/** A workspace with an OpenID provider of its own, which emails of its domain lead to. */
export interface Organisation {
  id: string;
  name: string;
  domain: string;
}

/** Makes one whose provider is `issuer`. */
export async function addOrganisation(app: AuthApp, issuer: Issuer): Promise<Organisation> {
  const workspace = await app.addWorkspace();
  const domain = `d${randomUUID().slice(0, 8)}.example`;
  const [clientId, clientSecret] = [`client-${workspace.id}`, "secret of the client"];
  await issuer.client({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [`${app.origin}/organisation/${workspace.id}/callback`],
    token_endpoint_auth_method: "client_secret_basic",
  });
  const settings = { issuer: issuer.url, clientId, clientSecret, domains: [domain], trustEmail: false };
  await operate(app.core, workspace.id, setSignIn, settings);
  return { ...workspace, domain };
}

/** Signs the person with this email in at the provider and comes back; `start` is the page that leads there. */
export async function signInAtProvider(
  { origin }: AuthApp,
  issuer: Issuer,
  {
    email,
    sub = email,
    browser = new Browser(origin),
    start,
  }: { email: string; sub?: string | undefined; browser?: Browser; start?: BrowserPage },
): Promise<{ browser: Browser; page: BrowserPage }> {
  await issuer.person({ sub, email, email_verified: true });
  const form = start ?? (await browser.open("/organisation?next=%2Fconnections"));
  const { left } = await browser.submit(form, "Continue", start === undefined ? { email } : {});
  return { browser, page: await browser.open((await follow(left?.href ?? "", origin)).href) };
}
