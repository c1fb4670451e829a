import type { Response } from "express";
import type { ServiceError } from "../src/core/kernel/error.ts";
import { refusals } from "../src/signals.ts";

/** Why a request of the assistant route is rejected, and the challenge to send with it. */
export interface AuthRefusal {
  error: ServiceError;
  challenge?: string;
}

/** Sends the response, with the error object of service.md §2.9. */
export function refuse(response: Response, { error, challenge }: AuthRefusal) {
  refusals.tell({ route: "mcp", reason: error.code });
  if (challenge !== undefined) response.setHeader("WWW-Authenticate", challenge);
  if (error.retryAfterSeconds !== undefined) response.setHeader("Retry-After", String(error.retryAfterSeconds));
  response.setHeader("Cache-Control", "no-store");
  endWithError(response, error.httpStatus, error.toWire(String(response.getHeader("X-Request-Id") ?? "")));
}

/** Ends a response with an error as JSON, without the ETag that Express would add. */
export function endWithError(response: Response, status: number, error: object) {
  response.status(status).set("Content-Type", "application/json; charset=utf-8").end(JSON.stringify(error));
}
