import type { RequestHandler, Response } from "express";
import { isKnownCaller, namesOfCaller } from "../../auth/caller.ts";
import { boundedLog } from "../core/bounded-log.ts";
import type { Log } from "../core/core.ts";
import { cleanText } from "../core/text.ts";
import { pathOf, requestIdOf } from "./request-id.ts";

/** Longest part of a name that is shown. */
const SHOWN_NAME = 80;

/** Users chose them: nothing in them moves a cursor, turns a line around or fills a log. */
function shownNames(response: Pick<Response, "locals">): object {
  const names = namesOfCaller(response);
  if (names === undefined) return {};
  return { workspace: cleanText(names.workspace, SHOWN_NAME), key: cleanText(names.key, SHOWN_NAME) };
}

/**
 * One line a request, when it has ended; never its query, headers or body. Those of callers whom nobody knows are bounded
 * ({@link boundedLog}), but for what failed within.
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
