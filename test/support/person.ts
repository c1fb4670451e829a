import { Browser } from "./browser.ts";
import { openConsent } from "./oauth-client.ts";

/** Somebody who signs in, ticks whatever there is and presses `Allow`, without JavaScript; where their browser is then sent to. */
export async function approveInBrowser(
  authorizationUrl: string,
  person: { email: string; password: string },
): Promise<URL> {
  const { origin } = new URL(authorizationUrl);
  const browser = new Browser(origin);
  const consent = await openConsent(origin, { ...person, browser }, authorizationUrl);
  const answer = await browser.submit(consent, "Allow", consent.ticking());
  if (answer.left === null) throw new Error(`no way back to the client: ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer.left;
}
