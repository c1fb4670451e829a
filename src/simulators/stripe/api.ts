import { type StripeAnswer, StripeFault } from "./answers.ts";
import { type Checkouts, type Happening, sessionBody } from "./checkout.ts";
import { type FormValue, parseForm } from "./form.ts";
import { checkAmount, readCreate, readEventList, readList, readSessionList, readUpdate } from "./link-parameters.ts";
import { type Links, linkBody, type SimulatedLink } from "./links.ts";
import type { Webhooks } from "./webhooks.ts";

/** The simulated accounts. */
export interface Accounts {
  readonly secretKey: string;
  /** Of the key itself. */
  readonly own: string;
  /** Others it may act for with `Stripe-Account`. */
  readonly connected: readonly string[];
  readonly country: string;
  /** ISO codes in lower case. */
  readonly currencies: ReadonlySet<string>;
  readonly chargesEnabled: boolean;
  /** The least that can be charged, by currency, in Stripe's smallest unit. */
  readonly least: Readonly<Record<string, number>>;
}

/** A request to the API, its body read. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly params: FormValue;
  /** The connected account it is for. */
  readonly account: string | undefined;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Checks who asks and in which form; Stripe does it before anything else. Throws a fault. */
export function readRequest(method: string, url: URL, headers: Headers, body: string, accounts: Accounts): ApiRequest {
  if (headers.authorization !== `Bearer ${accounts.secretKey}`)
    throw new StripeFault("Invalid API Key provided: sk_test_****", { status: 401 });
  const account = headers["stripe-account"];
  if (account !== undefined && !accounts.connected.includes(String(account)))
    throw new StripeFault(`The provided key does not have access to account '${String(account)}'.`, {
      status: 403,
      code: "account_invalid",
    });
  if (!/^\d{4}-\d{2}-\d{2}\.[a-z]+$/.test(String(headers["stripe-version"])))
    throw new StripeFault(`Invalid Stripe API version: ${String(headers["stripe-version"])}`);
  if (method === "POST" && headers["content-type"] !== "application/x-www-form-urlencoded")
    throw new StripeFault("Invalid request: the body has to be application/x-www-form-urlencoded.");
  const params = parseForm(method === "POST" ? body : url.search.slice(1));
  return { method, path: url.pathname, params, account: account === undefined ? undefined : String(account) };
}

/** What the API shows and changes. */
interface Objects {
  readonly links: Links;
  readonly checkouts: Checkouts;
  readonly webhooks: Webhooks;
}

/** Answers a request; `tell` hears what happened. Throws a fault. */
export function apiRoutes(
  accounts: Accounts,
  { links, checkouts, webhooks }: Objects,
  origin: () => string,
  tell: (what: Happening) => void,
) {
  const shown = (link: SimulatedLink) => linkBody(link, origin());

  function create({ params, account }: ApiRequest): StripeAnswer {
    const parameters = readCreate(params);
    const { unit_amount, currency } = parameters.line_items[0].price_data;
    checkAmount(unit_amount, currency, accounts.currencies, accounts.least[currency] ?? 1);
    return ok(shown(links.create(account, parameters)));
  }

  function update({ params, account }: ApiRequest, id: string): StripeAnswer {
    const link = links.get(account, id);
    const { active = link.active, metadata } = readUpdate(params);
    const changed = active !== link.active || metadata !== undefined;
    link.active = active;
    link.metadata = { ...link.metadata, ...metadata };
    if (changed) tell({ type: "payment_link.updated", object: shown(link), account });
    return ok(shown(link));
  }

  function list({ params, account }: ApiRequest): StripeAnswer {
    const { links: page, hasMore } = links.page(account, readList(params));
    return listed("/v1/payment_links", hasMore, page.map(shown));
  }

  function listSessions({ params, account }: ApiRequest): StripeAnswer {
    const { page, hasMore } = checkouts.page(account, readSessionList(params));
    return listed("/v1/checkout/sessions", hasMore, page.map(sessionBody));
  }

  function expireSession({ account }: ApiRequest, id: string): StripeAnswer {
    tell(checkouts.expire(account, id));
    return ok(sessionBody(checkouts.ofAccount(account, id)));
  }

  return (request: ApiRequest): StripeAnswer => {
    const { method, path, account } = request;
    const linkId = /^\/v1\/payment_links\/(\w+)$/.exec(path)?.[1];
    if (path === "/v1/payment_links" && method === "POST") return create(request);
    if (path === "/v1/payment_links" && method === "GET") return list(request);
    if (linkId !== undefined && method === "POST") return update(request, linkId);
    if (linkId !== undefined && method === "GET") return ok(shown(links.get(account, linkId)));
    const [, sessionId, act] = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(path) ?? [];
    if (path === "/v1/checkout/sessions" && method === "GET") return listSessions(request);
    if (sessionId !== undefined && act !== undefined && method === "POST") return expireSession(request, sessionId);
    if (sessionId !== undefined && act === undefined && method === "GET")
      return ok(sessionBody(checkouts.ofAccount(account, sessionId)));
    if (path === "/v1/events" && method === "GET") return listEvents(webhooks, request);
    if (path === "/v1/account" && method === "GET") return ok(accountBody(accounts, account));
    if (path === `/v1/country_specs/${accounts.country}` && method === "GET") return ok(countryBody(accounts));
    throw new StripeFault(`Unrecognized request URL (${method}: ${path}).`, { status: 404 });
  };
}

const ok = (body: unknown): StripeAnswer => ({ status: 200, body });

const listed = (url: string, hasMore: boolean, data: readonly unknown[]): StripeAnswer =>
  ok({ object: "list", url, has_more: hasMore, data });

function listEvents(webhooks: Webhooks, { params, account }: ApiRequest): StripeAnswer {
  const { page, hasMore } = webhooks.page(account, readEventList(params));
  const bodies = page.map((event): unknown => JSON.parse(event.payload));
  return listed("/v1/events", hasMore, bodies);
}

function accountBody({ own, country, chargesEnabled }: Accounts, account: string | undefined) {
  return {
    id: account ?? own,
    object: "account",
    charges_enabled: chargesEnabled,
    country,
    default_currency: "usd",
    details_submitted: true,
    type: "standard",
  };
}

function countryBody({ country, currencies }: Accounts) {
  return {
    id: country,
    object: "country_spec",
    default_currency: "usd",
    supported_payment_currencies: [...currencies],
  };
}
