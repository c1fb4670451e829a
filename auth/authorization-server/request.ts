import { IncomingMessage } from "node:http";
import type { Request } from "express";

/** What is to be different about a request before the provider reads it. */
interface Amended {
  /** Path and query. */
  url: string;
  /** The whole body, already read. */
  body?: Buffer;
}

/**
 * A request as passed to the provider: with our own host and scheme instead of those in its headers (the provider builds
 * addresses from them), the address it came from as the proxies we trust have it, and the query or body put right.
 */
export function amendedRequest(request: Request, publicOrigin: string, { url, body }: Amended): IncomingMessage {
  const { host, protocol } = new URL(publicOrigin);
  const {
    "x-forwarded-host": _host,
    "x-forwarded-for": _for,
    "content-encoding": _encoding,
    "transfer-encoding": _chunked,
    ...headers
  } = request.headers;
  const amended = new IncomingMessage(request.socket);
  amended.method = request.method;
  amended.url = url;
  amended.httpVersionMajor = request.httpVersionMajor;
  amended.httpVersionMinor = request.httpVersionMinor;
  amended.headers = { ...headers, host, "x-forwarded-proto": protocol.slice(0, -1) };
  if (request.ip !== undefined) amended.headers["x-forwarded-for"] = request.ip;
  if (body !== undefined) {
    amended.headers["content-length"] = String(body.byteLength);
    amended.push(body);
  }
  amended.push(null);
  // Nothing more comes over the socket for it, so ending it must not end the socket.
  amended.complete = true;
  return amended;
}
