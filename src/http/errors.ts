import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import { endWithError } from "../../auth/refuse.ts";
import type { Log } from "../core/gate/dependencies.ts";
import { asServiceError, noSuchPath, ServiceError } from "../core/kernel/error.ts";
import { pathOf, requestIdOf } from "./request-id.ts";
import { shownNames } from "./request-log.ts";

/** Sends the error object of service.md §2.9. */
function sendError(response: Response, error: ServiceError) {
  if (error.retryAfterSeconds !== undefined) response.setHeader("Retry-After", String(error.retryAfterSeconds));
  endWithError(response, error.httpStatus, error.toWire(requestIdOf(response)));
}

/** The last route: no such path. */
export const unknownPath: RequestHandler = (_request, response) => sendError(response, noSuchPath());

/** Errors that no interface answered: logged with their cause, answered without it. */
export function lastResort(log: Log): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => {
    const error = badRequest(thrown) ?? asServiceError(thrown);
    if (error.code === "internal_error") {
      const fields = { request_id: requestIdOf(response), path: pathOf(request), ...shownNames(response) };
      log.error({ ...fields, err: error.cause ?? error }, "request.failed");
    }
    if (response.headersSent) response.destroy();
    else sendError(response, error);
  };
}

/** Requests that Express refuses before our code runs: a path or body that cannot be decoded. */
function badRequest(thrown: unknown): ServiceError | undefined {
  if (!(thrown instanceof Error) || !("status" in thrown)) return undefined;
  if (thrown.status === 413) return new ServiceError("payload_too_large", "The body is over 64 KiB.");
  if (thrown.status === 400) return new ServiceError("validation_failed", "The request could not be read.");
  return undefined;
}
