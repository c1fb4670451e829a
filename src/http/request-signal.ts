import type { Request, RequestHandler, Response } from "express";
import { type HttpRequest, httpRequests } from "../signals.ts";

/** Publishes a signal for every request. */
export function requestSignals(): RequestHandler {
  return (request, response, next) => {
    if (!httpRequests.isFollowed) return next();
    const { method, protocol: scheme } = request;
    const traceparent = request.get("traceparent");
    const context: HttpRequest = { method, scheme, traceparent, route: null, status: 0 };
    response.once("close", () => {
      context.route = routeOf(request, response);
      context.status = response.statusCode;
      httpRequests.tell(context);
    });
    httpRequests.begin(context, next);
  };
}

/** Sets the route of an interface that has its own routing table. */
export function noteRoute(response: Response, route: string): void {
  response.locals.route = route;
}

function routeOf(request: Request, response: Response): string | null {
  const noted: unknown = response.locals.route;
  if (typeof noted === "string") return noted;
  const declared: unknown = request.route?.path;
  return typeof declared === "string" ? `${request.baseUrl}${declared}` : null;
}
