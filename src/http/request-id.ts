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

/** The id of a response, for error objects and the log. */
export function requestIdOf(response: Response) {
  return String(response.getHeader(HEADER) ?? "");
}

/** Paths whose next part is a secret. */
const TOKEN = /^(\/(?:invitations|pay|password\/reset)\/)[^/]+/;
/** Longer than any id: probably a key that was put into the path. */
const LONG_PART = /[^/]{40,}/g;

/** Longer than any path of ours. */
const LONGEST_PATH = 200;

/** The path of a request for the log: its beginning, without its query and other parts that may carry codes and tokens. */
export function pathOf(request: Request) {
  const path = (request.originalUrl.split("?", 1)[0] ?? "").replace(TOKEN, "$1…").replaceAll(LONG_PART, "…");
  return path.length <= LONGEST_PATH ? path : `${path.slice(0, LONGEST_PATH)}…`;
}
