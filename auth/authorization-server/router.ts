import type { IncomingMessage, ServerResponse } from "node:http";
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { asServiceError, isOutage } from "../../src/core/kernel/error.ts";
import { readPlainBody } from "../../src/request-body.ts";
import { limitFailures, limitRequests, type TurnAway } from "../address-limits.ts";
import type { AttemptLimit } from "../attempt-limits.ts";
import { endWithError } from "../refuse.ts";
import { registrationOf } from "./client-metadata.ts";
import type { CurrentProvider } from "./current-provider.ts";
import { refreshScopes } from "./grant-scopes.ts";
import { type Problem, problemOf } from "./policy.ts";
import { amendedRequest, authorizationParams, holdsNul, tokenParams } from "./request-params.ts";
import { OAUTH_ROUTES } from "./routes.ts";

const REGISTRATION_BYTES = 16 * 1024;
const TOKEN_BYTES = 32 * 1024;
/** Of a request for or about a token. */
const MOST_FIELDS = 64;
/** Hosted assistants register for many people from few addresses, sometimes twice per attempt. */
const REGISTRATIONS: AttemptLimit = { name: "client-registration", max: 60, windowSeconds: 600 };
/** Each keeps an interaction for 15 minutes, and a company's people share an address. */
const AUTHORIZATIONS: AttemptLimit = { name: "oauth-authorize", max: 300, windowSeconds: 300 };
/** Rejected token requests, and revocations of unknown tokens: hosted assistants send many from few addresses. */
const TOKEN_FAILURES: AttemptLimit = { name: "oauth-token-failures", max: 300, windowSeconds: 300 };
const REVOCATIONS: AttemptLimit = { name: "oauth-revocations", max: 300, windowSeconds: 300 };
const FORM = "application/x-www-form-urlencoded";

interface RouterOptions {
  core: Core;
  provider: CurrentProvider;
  /** Whether one of the values is a stored code or refresh token. */
  isGenuine: (values: readonly string[]) => Promise<boolean>;
  publicOrigin: string;
  resource: string;
  errorPage: (request: IncomingMessage, response: ServerResponse, problem: Problem) => string;
}

/** The page for a person whose address sent too many requests. */
const TOO_MANY: Problem = {
  title: "Too many requests",
  message: "Your network sent too many requests to connect. Wait a few minutes, then start again in your assistant.",
  code: "temporarily_unavailable",
};

/** The protocol endpoints: corrects common mistakes of real clients, then passes requests to the provider. */
export function oauthRouter({ core, provider, isGenuine, publicOrigin, resource, errorPage }: RouterOptions): Router {
  const router = Router();
  const provide = async (request: Request, response: Response, amended: { url: string; body?: Buffer }) => {
    const { answer } = await provider();
    return answer(amendedRequest(request, publicOrigin, amended), response);
  };
  const unchanged: RequestHandler = (request, response) => provide(request, response, { url: request.originalUrl });

  const limits = limitsOf({ core, isGenuine, errorPage });

  router.get(OAUTH_ROUTES.authorization, limits.authorizations, (request, response) => {
    const params = authorizationParams(new URL(request.originalUrl, publicOrigin).searchParams, resource);
    if (holdsNul(params)) return sendPage(errorPage, response, 400, problemOf("invalid_request"));
    return provide(request, response, { url: `${OAUTH_ROUTES.authorization}?${params}` });
  });
  router.get(`${OAUTH_ROUTES.authorization}/:uid`, unchanged);
  router.post(OAUTH_ROUTES.token, rawBody(TOKEN_BYTES, MOST_FIELDS), limits.tokens, async (request, response) => {
    const body = bodyOf(request);
    if (request.is(FORM) === false) return provide(request, response, { url: OAUTH_ROUTES.token, body });
    const params = tokenParams(new URLSearchParams(body.toString()), resource);
    const amended = await refreshScopes(core, (await provider()).provider, params);
    return provide(request, response, { url: OAUTH_ROUTES.token, body: Buffer.from(String(amended)) });
  });
  router.post(OAUTH_ROUTES.revocation, rawBody(TOKEN_BYTES, MOST_FIELDS), limits.revocations, (request, response) =>
    provide(request, response, { url: OAUTH_ROUTES.revocation, body: bodyOf(request) }),
  );
  router.options([OAUTH_ROUTES.token, OAUTH_ROUTES.revocation, OAUTH_ROUTES.jwks], unchanged);
  router.get(OAUTH_ROUTES.jwks, unchanged);
  router.use(OAUTH_ROUTES.registration, anyOrigin);
  router.post(OAUTH_ROUTES.registration, limits.registrations, rawBody(REGISTRATION_BYTES), (request, response) =>
    provide(request, response, { url: OAUTH_ROUTES.registration, body: registrationBody(bodyOf(request)) }),
  );
  router.use("/oauth", refuseUnserved);
  return router;
}

/** The limits per address of each endpoint; requests with genuine codes and tokens are always served. */
function limitsOf({ core, isGenuine, errorPage }: Pick<RouterOptions, "core" | "isGenuine" | "errorPage">) {
  const presented = (request: Request) => {
    const params = new URLSearchParams(bodyOf(request).toString());
    return isGenuine(["refresh_token", "code", "token"].map((name) => params.get(name) ?? ""));
  };
  const turnAway =
    (what: string) =>
    (response: Response, { resetSeconds }: { resetSeconds: number }) => {
      response.setHeader("Retry-After", String(resetSeconds));
      // Programs in a browser may read the reason, as in the provider's own answers.
      response.setHeader("Access-Control-Allow-Origin", response.req.get("Origin") ?? "*");
      response.vary("Origin");
      refuse(response, 429, "temporarily_unavailable", `Too many ${what} from this address. Try again later.`);
    };
  const turnAwayPerson: TurnAway = (response, attempts) => {
    if (response.req.accepts(["json", "html"]) !== "html")
      return turnAway("authorization requests")(response, attempts);
    response.setHeader("Retry-After", String(attempts.resetSeconds));
    sendPage(errorPage, response, 429, TOO_MANY);
  };
  const countRevocation = limitRequests(core, REVOCATIONS, turnAway("revocations"));
  const revocations: RequestHandler = async (request, response, next) =>
    (await presented(request)) ? next() : countRevocation(request, response, next);
  return {
    authorizations: limitRequests(core, AUTHORIZATIONS, turnAwayPerson),
    tokens: limitFailures(core, TOKEN_FAILURES, {
      isGenuine: presented,
      turnAway: turnAway("failed token requests"),
    }),
    registrations: limitRequests(core, REGISTRATIONS, turnAway("registrations")),
    revocations,
  };
}

function sendPage(page: RouterOptions["errorPage"], response: Response, status: number, problem: Problem) {
  response.setHeader("Cache-Control", "no-store");
  response
    .status(status)
    .type("html")
    .send(page(response.req, response, problem));
}

/** Reads a body of any type; rejects compressed ones. */
function rawBody(limit: number, mostFields?: number): RequestHandler {
  return async (request, _response, next) => {
    request.body = await readPlainBody(request, limit, mostFields);
    next();
  };
}

function bodyOf(request: Request) {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** Corrected if it can be parsed; otherwise unchanged, for the provider to reject. */
function registrationBody(body: Buffer) {
  const registration = registrationOf(body.toString());
  return registration === null ? body : Buffer.from(JSON.stringify(registration));
}

/** Registration takes no cookie and reveals nothing, so clients in a browser may do it from any origin. */
const anyOrigin: RequestHandler = (request, response, next) => {
  response.setHeader("Access-Control-Allow-Origin", "*");
  if (request.method !== "OPTIONS") return next();
  response.setHeader("Access-Control-Allow-Methods", "POST");
  response.setHeader("Access-Control-Allow-Headers", "Content-Type, Accept, MCP-Protocol-Version");
  response.setHeader("Access-Control-Max-Age", "3600");
  response.status(204).end();
};

/** Answers bodies that cannot be read, and requests while the store is unavailable. */
const refuseUnserved: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const status: unknown = error instanceof Error && "status" in error ? error.status : undefined;
  if (status === 413) return refuse(response, 413, "invalid_request", "The body is too large.");
  if (status === 415) return refuse(response, 415, "invalid_request", "The body must not be compressed.");
  if (status === 400) return refuse(response, 400, "invalid_request", "The body could not be read.");
  const failure = asServiceError(error);
  if (!isOutage(failure)) return next(error);
  response.setHeader("Retry-After", String(failure.retryAfterSeconds));
  refuse(response, 503, "temporarily_unavailable", failure.message);
};

/** An OAuth error object (RFC 6749 §5.2). */
function refuse(response: Response, status: number, error: string, description: string) {
  response.setHeader("Cache-Control", "no-store");
  endWithError(response, status, { error, error_description: description });
}
