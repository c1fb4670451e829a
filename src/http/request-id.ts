import type { Request, RequestHandler, Response } from "express";

const HEADER = "X-Request-Id";
const WELL_FORMED = /^[A-Za-z0-9._-]{8,128}$/;

/** Gives every response an id: the caller's own where it is well-formed, else a new one. */
export function requestIds(newId: () => string): RequestHandler {
  return (request, response, next) => {
    const given = request.get(HEADER);
    response.setHeader(HEADER, given !== undefined && WELL_FORMED.test(given) ? given : newId());
    next();
  };
}

/** The id of a response, to echo in an error and to log. */
export function requestIdOf(response: Response): string {
  return String(response.getHeader(HEADER) ?? "");
}

/** The path of a request without its query, which may carry codes and tokens. */
export function pathOf(request: Request): string {
  return request.originalUrl.split("?", 1)[0] ?? "";
}
