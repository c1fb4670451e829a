import type { Response } from "express";
import type { ServiceError } from "../src/core/error.ts";
import { refusals } from "../src/signals.ts";

/** A request of the assistant route turned away, and the challenge to send with it. */
export interface Refusal {
  error: ServiceError;
  challenge?: string;
}

/** Answers it, with the error object of service.md §2.9. */
export function refuse(response: Response, { error, challenge }: Refusal): void {
  refusals.tell({ route: "mcp", reason: error.code });
  if (challenge !== undefined) response.setHeader("WWW-Authenticate", challenge);
  if (error.retryAfterSeconds !== undefined) response.setHeader("Retry-After", String(error.retryAfterSeconds));
  response.setHeader("Cache-Control", "no-store");
  response.status(error.httpStatus).json(error.toWire(String(response.getHeader("X-Request-Id") ?? "")));
}
