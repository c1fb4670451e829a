import { Browser, type BrowserPage } from "../browser.ts";
import { authorizationUrl, openConsent, pkce, postToken, REDIRECT_URI, register } from "../oauth-client.ts";
import { PASSWORD } from "../people.ts";
import type { ThreatSite } from "./site.ts";

type Params = Record<string, string | null>;

/** A person, and a client's authorization request that is ready to be opened. */
export async function preparedRequest(site: ThreatSite, params: Params = {}, metadata: object = {}) {
  const workspace = await site.addWorkspace();
  const person = await site.addPerson(workspace.id);
  const client = await register(site.origin, metadata);
  const { verifier, challenge } = pkce();
  const url = authorizationUrl(site.origin, client, challenge, params);
  return { workspace, person, client, verifier, url, browser: new Browser(site.origin) };
}

/** The page with the question. */
export async function askedConsent(site: ThreatSite, params: Params = {}, metadata: object = {}) {
  const prepared = await preparedRequest(site, params, metadata);
  const { person, browser, url } = prepared;
  const page = await openConsent(site.origin, { email: person.email, password: PASSWORD, browser }, url);
  return { ...prepared, page };
}

/** A code that nobody has redeemed yet. */
export async function unredeemedCode(site: ThreatSite, params: Params = {}, metadata: object = {}) {
  const asked = await askedConsent(site, params, metadata);
  const { left } = await asked.browser.submit(asked.page, "Allow");
  const code = left?.searchParams.get("code") ?? "";
  const redemption = {
    grant_type: "authorization_code",
    code,
    code_verifier: asked.verifier,
    redirect_uri: REDIRECT_URI,
  };
  const redeem = (change: Record<string, string> = {}, client = asked.client): Promise<Response> =>
    postToken(site.origin, client, { ...redemption, ...change });
  return { ...asked, code, redeem };
}

/** The error code of a refused token request; `null` for one that was granted. */
export async function refusalOf(answer: Response): Promise<string | null> {
  if (answer.status === 200) return null;
  const body: { error?: unknown } = JSON.parse(await answer.text());
  return answer.headers.get("cache-control")?.includes("no-store") ? String(body.error) : "it may be cached";
}

/** Signs in on the page of that name. */
export async function signedIn(browser: Browser, email: string, password = PASSWORD): Promise<BrowserPage> {
  return browser.submit(await browser.open("/signin"), "Sign in", { email, password });
}
