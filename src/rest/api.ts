import type { Request, RequestHandler, Response } from "express";
import type { KeyAuthenticator } from "../../auth/api-key-authentication.ts";
import { noteKnownCaller } from "../../auth/caller.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { requireIdempotencyKey } from "../core/gate/idempotency.ts";
import { deniedBecause } from "../core/gate/permission.ts";
import { headroom, REQUEST_LIMITS, rateLimitHeaders, windowAt } from "../core/gate/rate-limits.ts";
import type { CallRequest } from "../core/gate/run-context.ts";
import { noSuchPath, type ServiceError } from "../core/kernel/error.ts";
import { endCompressed } from "../http/compressed.ts";
import { requestIdOf } from "../http/request-id.ts";
import { noteRoute } from "../http/request-log.ts";
import { refusals } from "../signals.ts";
import { readJsonObject, readRequestBody } from "./body.ts";
import { inputReader } from "./input.ts";
import { allowed, pathMatcher, routeFor } from "./match.ts";
import { hasEtag, revalidated } from "./revalidation.ts";
import { ROUTES, type Route } from "./routes.ts";
import { routeSteering, withKeysPage } from "./steering.ts";

interface RestApiOptions {
  core: Core;
  authenticate: KeyAuthenticator;
  /** `{base_url}`, whose `/api-keys` page makes keys. */
  publicOrigin: string;
  routes?: readonly Route[];
}

/** `/v1` (service.md §4). Checked in this order: the caller, the path, method and permission, then the input. */
export function restApi({ core, authenticate, publicOrigin, routes = ROUTES }: RestApiOptions): RequestHandler {
  const match = pathMatcher(routes);
  const steering = routeSteering(routes);
  const faces = new Map(
    routes.map((route) => [route, { read: inputReader(route, steering(route)), steering: steering(route) }]),
  );
  return async (request, response, next) => {
    const [path = "", search = ""] = splitUrl(request.originalUrl);
    if (path !== "/v1" && !path.startsWith("/v1/")) return next();
    response.set("Cache-Control", "no-store");
    const actor = await identify({ core, authenticate, publicOrigin }, request, response);
    const found = match(path);
    if (found === null) throw noSuchPath();
    noteRoute(response, found.path);
    if (request.method === "OPTIONS") return response.status(204).set("Allow", allowed(found)).end();
    const route = routeFor(found, request.method, response);
    const face = faces.get(route);
    if (face === undefined) throw new Error("every route has a face");
    const { operation } = route;
    const denied = deniedBecause(operation, actor);
    if (denied !== null) throw withKeysPage(denied(), publicOrigin);
    const idempotencyKey = request.get("Idempotency-Key");
    if (operation.idempotency) requireIdempotencyKey(idempotencyKey);
    const bytes = await readRequestBody(request);
    // The body of a GET has no meaning (RFC 9110 §9.3.1).
    const body = route.method === "GET" ? {} : readJsonObject(request, bytes);
    const call = (more: Pick<CallRequest, "onVersion">) =>
      operation.call(actor, face.read({ ids: found.ids, search, body }), {
        core,
        requestId: requestIdOf(response),
        idempotencyKey,
        steering: face.steering,
        onReplay: () => response.set("Idempotency-Replayed", "true"),
        ...more,
      });
    const answer = hasEtag(route)
      ? await revalidated(request, response, (onVersion) => call({ onVersion }))
      : JSON.stringify(await call({}));
    if (answer === null) return;
    response.status(route.status).set("Content-Type", "application/json; charset=utf-8");
    await endCompressed(response, answer);
  };
}

/** Authenticates; the rate-limit headers are set for refused callers too. */
async function identify({ core, authenticate, publicOrigin }: RestApiOptions, request: Request, response: Response) {
  // Also set when the store is unavailable.
  const untouched = headroom(REQUEST_LIMITS.caller, 0, windowAt(core.clock.now(), REQUEST_LIMITS.windowSeconds));
  response.set(rateLimitHeaders(untouched));
  const { headroom: left, actor, refusal, names } = await authenticate(request.get("Authorization"), request.ip);
  response.set(rateLimitHeaders(left));
  if (refusal !== undefined) {
    refusals.tell({ route: "rest", reason: refusal.code });
    if (refusal.httpStatus === 401) response.set("WWW-Authenticate", challenge(refusal));
    throw withKeysPage(refusal, publicOrigin);
  }
  noteKnownCaller(response, names);
  return actor;
}

function challenge({ code }: ServiceError): string {
  return code === "missing_credentials" ? 'Bearer realm="api"' : 'Bearer realm="api", error="invalid_token"';
}

/** Splits a request target, which may have scheme and host (absolute form). */
function splitUrl(target: string): [path: string, search: string] {
  const url = target.replace(/^[a-z]+:\/\/[^/?]*/i, "");
  const end = url.indexOf("?");
  return end === -1 ? [url, ""] : [url.slice(0, end), url.slice(end + 1)];
}
