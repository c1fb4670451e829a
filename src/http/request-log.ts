import type { RequestHandler } from "express";
import type { Log } from "../core/core.ts";
import { pathOf, requestIdOf } from "./request-id.ts";

/** One line a request, when it has ended; never its query, headers or body. */
export function requestLog(log: Log): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    response.once("close", () => {
      log.info(
        {
          request_id: requestIdOf(response),
          method: request.method,
          path: pathOf(request),
          status: response.statusCode,
          ms: Math.round(performance.now() - start),
        },
        "request",
      );
    });
    next();
  };
}
