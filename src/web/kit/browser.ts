import type { Request } from "express";

/** Whether the request is a browser's for a page: API clients prefer JSON or a stream, send no Accept, or send tokens. */
export function isBrowser(request: Request): boolean {
  if (request.method !== "GET" || request.headers.authorization !== undefined) return false;
  return request.accepts(["application/json", "text/event-stream", "text/html"]) === "text/html";
}
