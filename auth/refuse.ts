import type { Response } from "express";
import type { ServiceError } from "../src/core/gate/error.ts";
import { refusals } from "../src/signals.ts";

/** A request of the assistant route turned away, and the challenge to send with it. */
export interface AuthRefusal {
  error: ServiceError;
  challenge?: string;
}

/** Answers it, with the error object of service.md §2.9. */
export function refuse(response: Response, { error, challenge }: AuthRefusal): void {
  refusals.tell({ route: "mcp", reason: error.code });
  if (challenge !== undefined) response.setHeader("WWW-Authenticate", challenge);
  if (error.retryAfterSeconds !== undefined) response.setHeader("Retry-After", String(error.retryAfterSeconds));
  response.setHeader("Cache-Control", "no-store");
  endWithError(response, error.httpStatus, error.toWire(String(response.getHeader("X-Request-Id") ?? "")));
}

/** Ends an answer with an error as JSON; without the ETag of express, for an error is nothing to keep and ask after. */
export function endWithError(response: Response, status: number, error: object): void {
  response.status(status).set("Content-Type", "application/json; charset=utf-8").end(JSON.stringify(error));
}
