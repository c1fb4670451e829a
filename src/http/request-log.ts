import type { Request, RequestHandler, Response } from "express";
import { isKnownCaller, namesOfCaller } from "../../auth/caller.ts";
import { boundedLog } from "../core/gate/bounded-log.ts";
import type { Log } from "../core/gate/dependencies.ts";
import { shownName } from "../core/kernel/text.ts";
import { type HttpRequest, httpRequests } from "../signals.ts";
import { pathOf, requestIdOf } from "./request-id.ts";

/** Names that users chose, shortened for the log. */
export function shownNames(response: Pick<Response, "locals">) {
  const names = Object.entries(namesOfCaller(response) ?? {});
  return Object.fromEntries(names.map(([what, name]) => [what, shownName(name)]));
}

/** One line per request that has ended, without query, headers or body; bounded for unauthenticated callers. */
export function requestLog(log: Log, ofStrangers = boundedLog(log)): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    response.once("close", () => {
      const { statusCode: status } = response;
      // An outage is no fault of the request, and everybody can meet it.
      const isBounded = !isKnownCaller(response) && (status < 500 || status === 503);
      (isBounded ? ofStrangers : log).info(
        {
          request_id: requestIdOf(response),
          method: request.method,
          path: pathOf(request),
          status,
          ms: Math.round(performance.now() - start),
          ...shownNames(response),
        },
        "request",
      );
    });
    next();
  };
}

/** Publishes a signal for every request. */
export function requestSignals(): RequestHandler {
  return (request, response, next) => {
    if (!httpRequests.isFollowed) return next();
    const { method, protocol: scheme } = request;
    const [traceparent, tracestate, baggage] = ["traceparent", "tracestate", "baggage"].map((name) =>
      request.get(name),
    );
    const context: HttpRequest = { method, scheme, traceparent, tracestate, baggage, route: null, status: 0 };
    response.once("close", () => {
      context.route = routeOf(request, response);
      context.status = response.statusCode;
      httpRequests.tell(context);
    });
    httpRequests.begin(context, next);
  };
}

/** Sets the route of an interface that has its own routing table. */
export function noteRoute(response: Response, route: string) {
  response.locals.route = route;
}

function routeOf(request: Request, response: Response) {
  const noted: unknown = response.locals.route;
  if (typeof noted === "string") return noted;
  const declared: unknown = request.route?.path;
  return typeof declared === "string" ? `${request.baseUrl}${declared}` : null;
}
