import type { RequestHandler, Response } from "express";
import { isKnownCaller, namesOfCaller } from "../../auth/caller.ts";
import type { Log } from "../core/gate/dependencies.ts";
import { boundedLog } from "../core/shared/bounded-log.ts";
import { shownName } from "../core/shared/text.ts";
import { pathOf, requestIdOf } from "./request-id.ts";

/** Names that users chose, shortened for the log. */
function shownNames(response: Pick<Response, "locals">): object {
  const names = Object.entries(namesOfCaller(response) ?? {});
  return Object.fromEntries(names.map(([what, name]) => [what, shownName(name)]));
}

/**
 * One line per request, when it has ended; never its query, headers or body. Lines of unauthenticated callers are bounded
 * ({@link boundedLog}), except for internal errors.
 */
export function requestLog(log: Log, ofStrangers = boundedLog(log)): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    response.once("close", () => {
      const isBounded = !isKnownCaller(response) && response.statusCode < 500;
      (isBounded ? ofStrangers : log).info(
        {
          request_id: requestIdOf(response),
          method: request.method,
          path: pathOf(request),
          status: response.statusCode,
          ms: Math.round(performance.now() - start),
          ...shownNames(response),
        },
        "request",
      );
    });
    next();
  };
}
