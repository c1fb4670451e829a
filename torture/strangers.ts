import { z } from "zod";
import type { Random } from "../src/simulators/fusion/random.ts";
import { Browser, type BrowserPage } from "../test/support/browser.ts";
import { PASSWORD } from "./tenant.ts";
import type { World } from "./world.ts";

/** The n-th request of an unknown caller; resolves to the status of its answer, or {@link UNREADABLE}. */
type Visit = (address: string, headers: Record<string, string>, n: number) => Promise<string>;

/** A client's keys or document, which never answer, are to be asked for again; not for the service's own sake. */
export const UNREADABLE = "503 unreadable";

export const DOORS = ["register", "authorize", "token", "webhook", "signIn", "credential", "page", "upload"] as const;

const Registered = z.looseObject({ client_id: z.string() });

interface Surroundings {
  readonly origin: string;
  readonly world: World;
  readonly random: Random;
}

type Post = (path: string, body: URLSearchParams | string, headers: Record<string, string>) => Promise<Response>;

/** Requests to the authorization server; clients that one visit registers are used by later ones. */
function oauthVisits({ origin, random }: Surroundings, post: Post) {
  const clients = ["unknown"] as [string, ...string[]];
  return {
    async register(_address, headers, n) {
      const client = {
        client_name: `Stranger ${n}`,
        redirect_uris: ["http://127.0.0.1:9/callback"],
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_signing_alg: "RS256",
        jwks_uri: `https://keys-${n}.never-answers.net/jwks`,
      };
      const json = { ...headers, "Content-Type": "application/json" };
      const response = await post("/oauth/register", JSON.stringify(client), json);
      const body: unknown = await response.json();
      if (response.status === 201) clients.push(Registered.parse(body).client_id);
      return String(response.status);
    },
    async authorize(_address, headers, n) {
      const isDocument = random.chance(20);
      const client_id = isDocument ? `https://app-${n}.never-answers.net/client` : random.pick(clients);
      const asked = { response_type: "code", client_id, redirect_uri: "http://127.0.0.1:9/callback" };
      const proof = { code_challenge: "x".repeat(43), code_challenge_method: "S256", state: String(n) };
      const query = new URLSearchParams({ ...asked, ...proof, resource: `${origin}/mcp` });
      const response = await fetch(`${origin}/oauth/authorize?${query}`, { headers, redirect: "manual" });
      await response.body?.cancel();
      return isDocument && response.status === 503 ? UNREADABLE : String(response.status);
    },
    async token(_address, headers, n) {
      const client_id = random.pick(clients);
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
      const claims = {
        iss: client_id,
        sub: client_id,
        aud: origin,
        jti: String(n),
        exp: 4_000_000_000,
        iat: 1,
      };
      const assertion = `${part({ alg: "RS256", kid: "k" })}.${part(claims)}.${"A".repeat(342)}`;
      const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
      const proof = random.chance(50) ? { client_assertion: assertion, client_assertion_type: type } : {};
      const grant = { grant_type: "refresh_token", refresh_token: `garbage ${n}`, client_id };
      const response = await post("/oauth/token", new URLSearchParams({ ...grant, ...proof }), headers);
      const isUnreadable = /What the assistant publishes .* cannot be read/.test(await response.text());
      return response.status === 503 && isUnreadable ? UNREADABLE : String(response.status);
    },
  } satisfies Record<string, Visit>;
}

/** Requests to the webhook, the sign-in page and the APIs, with wrong signatures, passwords and tokens. */
function otherVisits({ origin, world, random }: Surroundings, post: Post) {
  const forms = new Map<string, { browser: Browser; page: BrowserPage }>();
  return {
    async webhook(_address, headers, n) {
      const { integrationId } = random.pick(world.tenants);
      const signed = {
        ...headers,
        "Stripe-Signature": `t=${Math.trunc(Date.now() / 1000)},v1=${"0".repeat(64)}`,
      };
      const response = await post(`/webhooks/stripe/${integrationId}`, `{"id":"evt_${n}"}`, signed);
      await response.body?.cancel();
      return String(response.status);
    },
    async signIn(address, headers, n) {
      let form = forms.get(address);
      if (form === undefined) {
        const browser = new Browser(origin);
        Object.assign(browser.headers, headers);
        form = { browser, page: await browser.open("/signin") };
        forms.set(address, form);
      }
      const email = random.chance(50) ? random.pick(world.tenants).email : `nobody-${n}@nowhere.example`;
      const page = await form.browser.submit(form.page, "Sign in", { email, password: `guess ${n}` });
      return String(page.status);
    },
    async credential(_address, headers, n) {
      const wrong = { ...headers, Authorization: `Bearer garbage-${n}` };
      const path = random.pick(["/v1/me", "/mcp"]);
      const method = path === "/mcp" ? "POST" : "GET";
      const response = await fetch(`${origin}${path}`, { method, headers: wrong });
      await response.body?.cancel();
      return String(response.status);
    },
  } satisfies Record<string, Visit>;
}

/** A form of 2 MB with as many parts as fit. */
const MANY_PARTS = Array.from(
  { length: 33_000 },
  (_, part) => `--b\r\nContent-Disposition: form-data; name="f${part}"\r\n\r\nx\r\n`,
).join("");

/** Requests to the pages, with cookies that were made up, and uploads of very many parts, also by members. */
function pageVisits({ origin, world, random }: Surroundings, post: Post) {
  const sessions = new Map<string, string>();
  const sessionOf = async (email: string): Promise<string> => {
    const browser = new Browser(origin);
    await browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
    return browser.cookie("session") ?? "";
  };
  return {
    async page(_address, headers, n) {
      const path = random.pick(["/", "/customers", "/invoices", "/settings"]);
      const made = { ...headers, Cookie: `session=${"A".repeat(38)}${n}` };
      const response = await fetch(`${origin}${path}`, { headers: made, redirect: "manual" });
      await response.body?.cancel();
      return String(response.status);
    },
    async upload(_address, headers, n) {
      const { email, id } = random.pick(world.tenants);
      const session = random.chance(50) ? (sessions.get(email) ?? (await sessionOf(email))) : `made-up-${n}`;
      if (!session.startsWith("made-up")) sessions.set(email, session);
      const type = { "Content-Type": "multipart/form-data; boundary=b" };
      const body = `${MANY_PARTS}--b--\r\n`;
      const response = await post(`/mails/${id}/logo`, body, {
        ...headers,
        ...type,
        Cookie: `session=${session}`,
      });
      await response.body?.cancel();
      return String(response.status);
    },
  } satisfies Record<string, Visit>;
}

/** What unknown callers try at every endpoint that is open to them. */
export function strangersAt(surroundings: Surroundings): Readonly<Record<(typeof DOORS)[number], Visit>> {
  const post: Post = (path, body, headers) =>
    fetch(`${surroundings.origin}${path}`, { method: "POST", body, headers, redirect: "manual" });
  return { ...oauthVisits(surroundings, post), ...otherVisits(surroundings, post), ...pageVisits(surroundings, post) };
}
