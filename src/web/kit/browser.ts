import type { Request } from "express";

/** Whether a page is what is asked for: clients prefer JSON or a stream, or do not say, and may send tokens. */
export function isBrowser(request: Request): boolean {
  if (request.method !== "GET" || request.headers.authorization !== undefined) return false;
  return request.accepts(["application/json", "text/event-stream", "text/html"]) === "text/html";
}
