import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request } from "express";
import helmet from "helmet";

export interface PageHeaders {
  publicOrigin: string;
  /**
   * The page belongs to an OAuth request: submitting its form ends at the client's own address, which browsers hold
   * against `form-action`, and the window may be one the client opened and wants to hear from.
   */
  leadsAway?: boolean;
}

/** Sets the headers of a page: only our own styles, no framing, no caching. */
export function pageHeaders({ publicOrigin, leadsAway = false }: PageHeaders) {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'none'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
        ...(leadsAway ? {} : { "form-action": ["'self'"] }),
      },
    },
    crossOriginOpenerPolicy: leadsAway ? false : { policy: "same-origin" },
    frameguard: { action: "deny" },
    // Not `no-referrer`: browsers would then send `Origin: null` with our own forms.
    referrerPolicy: { policy: "same-origin" },
    strictTransportSecurity: publicOrigin.startsWith("https:"),
  });
  return (request: IncomingMessage, response: ServerResponse, next = (): void => undefined) => {
    response.setHeader("Cache-Control", "no-store");
    protect(request, response, next);
  };
}

/** Whether a browser asks for a page: API clients prefer JSON or a stream, send no Accept, or send tokens. */
export function isBrowser(request: Request) {
  if (request.method !== "GET" || request.headers.authorization !== undefined) return false;
  return request.accepts(["application/json", "text/event-stream", "text/html"]) === "text/html";
}
