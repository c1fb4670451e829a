import { type ErrorRequestHandler, type Request, type RequestHandler, Router } from "express";
import type { Interactions } from "../../auth/authorization-server/interactions.ts";
import type { WebSession } from "../../auth/sessions.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { ServiceError } from "../core/kernel/error.ts";
import { pathOf } from "../http/request-id.ts";
import { ACCOUNT_PAGES, CODE_PAGE } from "./account/account-pages.ts";
import { setUpPage } from "./account/connect-assistant-page.ts";
import { NEWS_PAGE } from "./account/news-page.ts";
import { PASSWORD_PAGE, RESET_PAGES } from "./account/password-pages.ts";
import { API_KEYS } from "./api-keys/api-key-pages.ts";
import { AUDIT_PAGES } from "./audit/audit-pages.ts";
import { ATTENTION_PAGE } from "./collecting/attention-page.ts";
import { EDIT_INVOICE_PAGE, NEW_INVOICE_PAGE } from "./collecting/edit-invoice-page.ts";
import { HELD_PAGES } from "./collecting/held-pages.ts";
import { NEW_LINKS_PAGE } from "./collecting/link-form.ts";
import { LINK_PAGE } from "./collecting/link-page.ts";
import { PAYMENT_PAGE } from "./collecting/payment-page.ts";
import { TASK_PAGE } from "./collecting/task-page.ts";
import { CONNECTION_PAGES } from "./consent/connection-pages.ts";
import { consentPages } from "./consent/consent-pages.ts";
import { ERP_CONNECTIONS } from "./erp/erp-pages.ts";
import { SYNC_RUN_LIST, SYNC_RUN_PAGE } from "./erp/sync-run-pages.ts";
import { INTEGRATIONS } from "./integrations/integration-pages.ts";
import { ASSETS } from "./kit/assets.ts";
import { messagePage, sendFailure } from "./kit/error-page.ts";
import { isBrowser, pageHeaders } from "./kit/headers.ts";
import { type Listing, Navigation } from "./kit/navigation.ts";
import { NO_ADDRESSES, type PublicAddresses } from "./kit/public-addresses.ts";
import { type PageRoutes, serving } from "./kit/routes.ts";
import { ForgedForm, Site } from "./kit/site.ts";
import { inPageTurn } from "./kit/turns.ts";
import { MAIL_PAGES } from "./mails/mail-pages.ts";
import { INVITATION_PAGES } from "./members/invitation-pages.ts";
import { MEMBERS } from "./members/member-pages.ts";
import { organisationPages } from "./members/organisation-pages.ts";
import { HOME_PAGE, SETTINGS_PAGE } from "./overview/home-page.ts";
import { CUSTOMER_LIST, DEBT_LIST } from "./receivables/aging-lists.ts";
import { BRIDGE_PAGES } from "./receivables/bridge-page.ts";
import { CUSTOMER_PAGE } from "./receivables/customer-page.ts";
import { INVOICE_LIST } from "./receivables/invoice-list.ts";
import { INVOICE_PAGE } from "./receivables/invoice-page.ts";
import { PAYMENT_LIST } from "./receivables/payment-list.ts";
import { STATEMENT_PAGES } from "./receivables/statement-page.ts";
import { LINK_LIST, TASK_LIST } from "./receivables/work-lists.ts";
import { SEARCH_PAGE } from "./search/search-page.ts";
import { SIGN_IN_RULES } from "./security/rule-pages.ts";
import { SECURITY_PAGES } from "./security/security-pages.ts";
import { WORKFLOW_HISTORY } from "./workflows/history-list.ts";
import { WORKFLOW_PAGES } from "./workflows/workflow-pages.ts";

/** A page of the settings that is served by another part of the service. */
const elsewhere = (listing: Listing): PageRoutes => ({ listing, routes: [] });

const ASSISTANTS = "Assistants and systems";

/** Every page, in the order of the navigation; of two paths that match the first counts. */
export const PAGES: readonly PageRoutes[] = [
  ...[HOME_PAGE, SEARCH_PAGE],
  ...[CUSTOMER_LIST, STATEMENT_PAGES, CUSTOMER_PAGE],
  ...[INVOICE_LIST, DEBT_LIST, BRIDGE_PAGES, LINK_LIST, TASK_LIST],
  ...[NEW_INVOICE_PAGE, EDIT_INVOICE_PAGE, NEW_LINKS_PAGE, INVOICE_PAGE, LINK_PAGE, TASK_PAGE],
  ...[PAYMENT_LIST, HELD_PAGES, ATTENTION_PAGE, PAYMENT_PAGE],
  SETTINGS_PAGE,
  ...[WORKFLOW_PAGES, WORKFLOW_HISTORY, MAIL_PAGES, INTEGRATIONS],
  ...[ERP_CONNECTIONS, SYNC_RUN_LIST, SYNC_RUN_PAGE],
  elsewhere({
    ...{ path: "/mcp", name: "Connect an assistant" },
    settings: {
      group: ASSISTANTS,
      words: "The address, what an assistant may and can never do, and how each is set up.",
    },
  }),
  ...[CONNECTION_PAGES, API_KEYS],
  elsewhere({
    ...{ path: "/docs", name: "API reference" },
    settings: {
      group: ASSISTANTS,
      words: "Guides, and every operation of the API with its fields and errors.",
      forAdmins: true,
    },
  }),
  ...[MEMBERS, SIGN_IN_RULES, AUDIT_PAGES],
  ...[NEWS_PAGE, PASSWORD_PAGE, SECURITY_PAGES],
  ...[ACCOUNT_PAGES, CODE_PAGE, RESET_PAGES, INVITATION_PAGES],
];

export interface PagesOptions {
  core: Core;
  publicOrigin: string;
  /** The authorization requests that people decide on; null with an external authorization server. */
  interactions: Interactions | null;
  /** Shown where people decide about an assistant; none by default. */
  addresses?: PublicAddresses;
}

const siteOf = ({ core, publicOrigin }: Pick<PagesOptions, "core" | "publicOrigin">): Site =>
  new Site(core, publicOrigin, new Navigation(PAGES.flatMap(({ listing = [] }) => listing)));

/** The page at the address of the assistant route, for browsers. */
export function connectPage(options: Pick<PagesOptions, "core" | "publicOrigin" | "addresses">): RequestHandler {
  return setUpPage(siteOf(options), options.addresses ?? NO_ADDRESSES);
}

/** Every page of the service; each works without JavaScript. */
export function pages({ core, publicOrigin, interactions, addresses = NO_ADDRESSES }: PagesOptions): Router {
  const site = siteOf({ core, publicOrigin });
  const router = Router();
  for (const { path, type, content } of ASSETS)
    router.get(path, (_request, response) => {
      response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.type(type).send(content);
    });
  const consent = interactions === null ? [] : [consentPages({ interactions, addresses })];
  return router.use(serving(site, [...PAGES, organisationPages(site), ...consent]), nothingHere(site), failed(site));
}

/** A 404 page for browsers; other clients get the JSON error. */
function nothingHere(site: Site): RequestHandler {
  const setHeaders = pageHeaders(site);
  return async (request, response, next) => {
    if (!isBrowser(request)) return next();
    setHeaders(request, response);
    response.vary("Accept");
    await inPageTurn(site, request, async () => {
      response.status(404).send(messagePage("Not found", "There is no such page.", await reader(site, request)));
    });
  };
}

function failed(site: Site): ErrorRequestHandler {
  const { log } = site.core;
  const setHeaders = pageHeaders(site);
  return async (thrown: unknown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    // A page of an OAuth request keeps its own.
    if (!response.hasHeader("Content-Security-Policy")) setHeaders(request, response);
    // One who asks for too much is not looked up for the answer.
    const isTooMuch = thrown instanceof ServiceError && thrown.code === "rate_limit_exceeded";
    const shown = isTooMuch ? {} : await reader(site, request);
    if (thrown instanceof ForgedForm)
      return void response.status(403).send(messagePage("This was not sent", thrown.message, shown));
    if (isUnreadable(thrown))
      return void response.status(400).send(messagePage("This was not sent", "The form could not be read.", shown));
    const title = "Something went wrong";
    sendFailure(response, thrown, { log, event: "page.failed", title, path: pathOf(request), reader: shown });
  };
}

/** Who is signed in; nobody while that cannot be told, for an error page is shown all the same. */
async function reader(site: Site, request: Request) {
  const person: WebSession | null = await site.person(request).catch(() => null);
  return { person, navigation: site.navigation };
}

/** An Express error about a body that cannot be decoded or is too large, or whose encoding is not known. */
function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof Error && "status" in thrown && [400, 413, 415].some((status) => status === thrown.status);
}
