import { type RequestHandler, Router } from "express";
import { Site } from "../../../src/web/kit/site.ts";
import { payPages } from "../../../src/web/pay/pay-page.ts";
import { SIGNED_OUT_FORMS } from "./doors.ts";

const TOKEN_PATH = "/test/form-token";

/** The pay pages, and the token that a page of the service would put into a form of any action. */
export function besidePages(...[core, publicOrigin]: ConstructorParameters<typeof Site>): RequestHandler {
  const site = new Site(core, publicOrigin);
  const router = Router();
  router.get(TOKEN_PATH, async (request, response) => {
    const at = { request, response, session: await site.person(request) };
    const form = site.form(at, String(request.query.action), null);
    response.type("text").send(/value="([^"]+)"/.exec(form.text)?.[1] ?? "");
  });
  return router.use(payPages({ core, publicOrigin }));
}

/** The token of a form with this action in a session, and the browser it is for: a new one, unless given. */
export async function tokenFor(
  origin: string,
  action: string,
  session: string | null,
): Promise<{ token: string; browser: string }> {
  const headers = session === null ? {} : { cookie: `session=${session}` };
  const response = await fetch(`${origin}${TOKEN_PATH}?action=${encodeURIComponent(action)}`, { headers });
  const browser = /browser=([^;]+)/.exec(response.headers.getSetCookie().join())?.[1] ?? "";
  return { token: await response.text(), browser };
}

/** One request at a door. */
export interface Knock {
  address: string;
  session: string | null;
  /** In the place of what a browser sends with a form of our own page. */
  headers?: Record<string, string>;
  /** In the place of the token of our own page. */
  token?: string;
  /** What the form has besides its token. */
  fields?: Record<string, string>;
  /** In the place of the form. */
  body?: string;
}

/** Opens a page, or sends a form that has its token. */
export async function knock(
  origin: string,
  route: string,
  { address, session, headers = {}, token, fields = {}, body }: Knock,
): Promise<Response> {
  const signedIn = session === null ? [] : [`session=${session}`];
  const browsing = { "sec-fetch-site": "same-origin", accept: "text/html" };
  const send = (init: RequestInit, cookies: readonly string[]): Promise<Response> =>
    fetch(origin + address, {
      ...init,
      headers: { ...browsing, cookie: cookies.join("; "), ...init.headers, ...headers },
      redirect: "manual",
    });
  if (route.startsWith("GET")) return send({}, signedIn);
  const [path = ""] = address.split("?");
  const ours = await tokenFor(origin, path, SIGNED_OUT_FORMS.has(route) ? null : session);
  const form = body ?? new URLSearchParams({ form_token: token ?? ours.token, ...fields });
  return send({ method: "POST", body: form, headers: { origin } }, [...signedIn, `browser=${ours.browser}`]);
}
