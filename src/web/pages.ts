import { type ErrorRequestHandler, type Request, type RequestHandler, Router } from "express";
import type { Interactions } from "../../auth/authorization-server/interactions.ts";
import type { WebSession } from "../../auth/sessions.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { ServiceError } from "../core/kernel/error.ts";
import { pathOf } from "../http/request-id.ts";
import { accountPages } from "./account/account-pages.ts";
import { passwordPages } from "./account/password-pages.ts";
import { apiKeyPages } from "./api-keys/api-key-pages.ts";
import { auditPages } from "./audit/audit-pages.ts";
import { collectingPages } from "./collecting/pages.ts";
import { connectionPages } from "./consent/connection-pages.ts";
import { consentPages } from "./consent/consent-pages.ts";
import { permissionPages } from "./consent/permission-pages.ts";
import { erpPages } from "./erp/erp-pages.ts";
import { syncRunPages } from "./erp/sync-run-pages.ts";
import { integrationPages } from "./integrations/integration-pages.ts";
import { COPY_SCRIPT, ICON, LIVE_SCRIPT, STYLE_SHEET } from "./kit/assets.ts";
import { messagePage, sendFailure } from "./kit/error-page.ts";
import { isBrowser, pageHeaders } from "./kit/headers.ts";
import { PageRoutes } from "./kit/page-routes.ts";
import { NO_ADDRESSES, type PublicAddresses } from "./kit/public-addresses.ts";
import { ForgedForm, Site } from "./kit/site.ts";
import { inPageTurn } from "./kit/turns.ts";
import { mailPages } from "./mails/mail-pages.ts";
import { invitationPages } from "./members/invitation-pages.ts";
import { memberPages } from "./members/member-pages.ts";
import { organisationPages } from "./members/organisation-pages.ts";
import { homePage } from "./overview/home-page.ts";
import { receivablesPages } from "./receivables/pages.ts";
import { codePages } from "./security/code-pages.ts";
import { resetPages } from "./security/reset-pages.ts";
import { rulePages } from "./security/rule-pages.ts";
import { securityPages } from "./security/security-pages.ts";
import { workflowPages } from "./workflows/workflow-pages.ts";

export interface PagesOptions {
  core: Core;
  publicOrigin: string;
  /** The authorization requests that people decide on; null with an external authorization server. */
  interactions: Interactions | null;
  /** Shown where people decide about an assistant; none by default. */
  addresses?: PublicAddresses;
}

/** Actions of forms: opened with GET (as by reloading a refused form) they redirect to the page of the form. */
const FORM_PATHS = [
  "/members/:tenantId",
  "/api-keys/:tenantId",
  "/erp-connections/:tenantId{/:connectionId/:act}",
  "/integrations/:tenantId/:provider",
  "/mails/:tenantId{/logo}",
  "/sign-in-rules/:tenantId",
  "/security/sessions/:act",
  "/security/factor/:act",
  "/workflows/:type/enable",
  "/customers/:key/email",
  "/customers/:key/mailing",
];

/** Every page of the service; each works without JavaScript. */
export function pages({ core, publicOrigin, interactions, addresses = NO_ADDRESSES }: PagesOptions): Router {
  const site = new Site(core, publicOrigin);
  const router = Router();
  for (const { path, type, content } of [STYLE_SHEET, ICON, COPY_SCRIPT, LIVE_SCRIPT])
    router.get(path, (_request, response) => {
      response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.type(type).send(content);
    });
  router.use(
    homePage(site),
    accountPages(site),
    codePages(site),
    resetPages(site),
    passwordPages(site),
    securityPages(site),
    connectionPages(site),
    permissionPages(site),
    apiKeyPages(site),
    integrationPages(site),
    auditPages(site),
    mailPages(site),
    rulePages(site),
  );
  router.use(memberPages(site), invitationPages(site), erpPages(site), syncRunPages(site), workflowPages(site));
  router.use(collectingPages(site), receivablesPages(site));
  router.use(organisationPages(site));
  if (interactions !== null) router.use(consentPages(site, interactions, addresses));
  const formPaths = new PageRoutes(site);
  formPaths.get(FORM_PATHS, (request, response) => response.redirect(303, `/${request.path.split("/")[1] ?? ""}`));
  return router.use(formPaths.router, nothingHere(site), failed(site));
}

/** A 404 page for browsers; other clients get the JSON error. */
function nothingHere(site: Site): RequestHandler {
  const setHeaders = pageHeaders(site);
  return async (request, response, next) => {
    if (!isBrowser(request)) return next();
    setHeaders(request, response);
    response.vary("Accept");
    await inPageTurn(site, request, async () => {
      const person = await known(site, request);
      response.status(404).send(messagePage("Not found", "There is no such page.", { person }));
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
    const person = isTooMuch ? null : await known(site, request);
    if (thrown instanceof ForgedForm)
      return void response.status(403).send(messagePage("This was not sent", thrown.message, { person }));
    if (isUnreadable(thrown))
      return void response
        .status(400)
        .send(messagePage("This was not sent", "The form could not be read.", { person }));
    const title = "Something went wrong";
    sendFailure(response, thrown, { log, event: "page.failed", title, path: pathOf(request), person });
  };
}

/** Who is signed in; nobody while that cannot be told, for an error page is shown all the same. */
async function known(site: Site, request: Request): Promise<WebSession | null> {
  return site.person(request).catch(() => null);
}

/** An Express error about a body that cannot be decoded or is too large, or whose encoding is not known. */
function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof Error && "status" in thrown && [400, 413, 415].some((status) => status === thrown.status);
}
