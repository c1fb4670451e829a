import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import type { Core } from "../../src/core/core.ts";
import { type AttemptLimit, count } from "../attempts.ts";
import { sourceOf } from "../failed-attempts.ts";
import type { CurrentProvider } from "./current-provider.ts";
import { amendedRequest } from "./request.ts";
import { authorizationParams, tokenParams } from "./request-params.ts";
import { OAUTH_ROUTES } from "./routes.ts";

const REGISTRATION_BYTES = 16 * 1024;
const TOKEN_BYTES = 32 * 1024;
/** Hosted assistants register for many people from few addresses, some twice an attempt. */
const REGISTRATIONS: AttemptLimit = { name: "client-registration", max: 60, windowSeconds: 600 };
const FORM = "application/x-www-form-urlencoded";

interface RouterOptions {
  core: Core;
  provider: CurrentProvider;
  publicOrigin: string;
  resource: string;
}

/** The protocol endpoints: what real clients send is put right here, and the provider answers. */
export function oauthRouter({ core, provider, publicOrigin, resource }: RouterOptions): Router {
  const router = Router();
  const provide = async (request: Request, response: Response, amended: { url: string; body?: Buffer }) => {
    const { answer } = await provider();
    return answer(amendedRequest(request, publicOrigin, amended), response);
  };
  const asItIs: RequestHandler = (request, response) => provide(request, response, { url: request.originalUrl });

  router.get(OAUTH_ROUTES.authorization, (request, response) => {
    const params = authorizationParams(new URL(request.originalUrl, publicOrigin).searchParams, resource);
    return provide(request, response, { url: `${OAUTH_ROUTES.authorization}?${params}` });
  });
  router.get(`${OAUTH_ROUTES.authorization}/:uid`, asItIs);
  router.post(OAUTH_ROUTES.token, rawBody(TOKEN_BYTES), (request, response) => {
    const body = bodyOf(request);
    const isForm = request.is(FORM) !== false;
    const amended = isForm ? Buffer.from(String(tokenParams(new URLSearchParams(body.toString()), resource))) : body;
    return provide(request, response, { url: OAUTH_ROUTES.token, body: amended });
  });
  router.post(OAUTH_ROUTES.revocation, rawBody(TOKEN_BYTES), (request, response) =>
    provide(request, response, { url: OAUTH_ROUTES.revocation, body: bodyOf(request) }),
  );
  router.options([OAUTH_ROUTES.token, OAUTH_ROUTES.revocation, OAUTH_ROUTES.jwks], asItIs);
  router.get(OAUTH_ROUTES.jwks, asItIs);
  router.use(OAUTH_ROUTES.registration, anyOrigin);
  router.post(OAUTH_ROUTES.registration, limitRegistrations(core), rawBody(REGISTRATION_BYTES), (request, response) =>
    provide(request, response, { url: OAUTH_ROUTES.registration, body: bodyOf(request) }),
  );
  router.use("/oauth", refuseUnreadable);
  return router;
}

/** Reads the body whatever its type; a compressed one is refused rather than inflated. */
function rawBody(limit: number): RequestHandler {
  return express.raw({ type: () => true, limit, inflate: false });
}

function bodyOf(request: Request): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** Registration carries no cookie and gives nothing away, so clients in a browser may do it from anywhere. */
const anyOrigin: RequestHandler = (request, response, next) => {
  response.setHeader("Access-Control-Allow-Origin", "*");
  if (request.method !== "OPTIONS") return next();
  response.setHeader("Access-Control-Allow-Methods", "POST");
  response.setHeader("Access-Control-Allow-Headers", "Content-Type, Accept, MCP-Protocol-Version");
  response.setHeader("Access-Control-Max-Age", "3600");
  response.status(204).end();
};

function limitRegistrations(core: Core): RequestHandler {
  return async (request, response, next) => {
    const { hits, max, resetSeconds } = await count(core, REGISTRATIONS, sourceOf(request.ip));
    if (hits <= max) return next();
    response.setHeader("Retry-After", String(resetSeconds));
    refuse(response, 429, "temporarily_unavailable", "Too many registrations from this address. Try again later.");
  };
}

const refuseUnreadable: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const status: unknown = error instanceof Error && "status" in error ? error.status : undefined;
  if (status === 413) return refuse(response, 413, "invalid_request", "The body is too large.");
  if (status === 415) return refuse(response, 415, "invalid_request", "The body must not be compressed.");
  if (status === 400) return refuse(response, 400, "invalid_request", "The body could not be read.");
  next(error);
};

/** An OAuth error object (RFC 6749 §5.2). */
function refuse(response: Response, status: number, error: string, description: string): void {
  response.setHeader("Cache-Control", "no-store");
  response.status(status).json({ error, error_description: description });
}
