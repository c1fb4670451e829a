import type { RequestHandler } from "express";

/** The security headers of every response of an origin. */
export function securityHeaders(publicOrigin: string): Readonly<Record<string, string>> {
  return {
    "X-Content-Type-Options": "nosniff",
    ...(publicOrigin.startsWith("https:")
      ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }
      : {}),
  };
}

/** Sets {@link securityHeaders} on every response. */
export function setSecurityHeaders(publicOrigin: string): RequestHandler {
  const headers = Object.entries(securityHeaders(publicOrigin));
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
