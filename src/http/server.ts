import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RequestHandler } from "express";
import { ServiceError } from "../core/kernel/error.ts";
import { gatherPieces } from "../request-body.ts";

/** Parser errors that have an HTTP status of their own; any other is 400. */
const STATUSES: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Longer than proxies and clients keep idle connections (commonly 60 s), so that they close first. */
const KEEP_ALIVE_MS = 75_000;

/** Requests of a connection that are at work at once. Clients wait for an answer; 64 KiB hold a thousand that do not. */
const MOST_AT_ONCE = 8;

/** How long an answer waits for a reader that takes nothing of it. */
const UNREAD_MS = 120_000;

/**
 * The HTTP server of `app`. Requests that cannot be parsed get the error object of service.md §2.9 too. An answer of which nothing
 * is taken for `unreadMs` is cut off.
 */
export function httpServer(
  app: RequestListener,
  newId: () => string,
  publicOrigin: string,
  unreadMs = UNREAD_MS,
): Server {
  const atWork = new WeakMap<Duplex, number>();
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    const { socket } = request;
    const others = atWork.get(socket) ?? 0;
    if (socket.destroyed || others >= MOST_AT_ONCE) return void socket.destroy();
    atWork.set(socket, others + 1);
    gatherPieces(request);
    cutUnread(response, socket, unreadMs);
    response.once("close", () => atWork.set(socket, (atWork.get(socket) ?? 1) - 1));
    if (namesOneHost(request)) return void app(request, response);
    const message = "The request must have one Host header, and a target in absolute form its host.";
    const { status, headers, body } = unreadable(400, newId(), publicOrigin, message);
    response.writeHead(status, headers).end(body);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on("clientError", (error: Error, socket: Duplex) => {
    if (!socket.writable || codeOf(error) === "ECONNRESET") return void socket.destroy();
    const { status, headers, body } = unreadable(STATUSES[codeOf(error)] ?? 400, newId(), publicOrigin);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
  });
  // An unknown `Expect` is ignored.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return server;
}

/** Cuts off an answer of which nothing is taken between two looks. Not `setTimeout`: bytes that come in put that off. */
function cutUnread(response: ServerResponse, socket: Socket, unreadMs: number): void {
  let before: string | null = null;
  const looks = setInterval(() => {
    const now = response.writableLength > 0 ? takenOf(socket) : null;
    if (now !== null && now === before) socket.destroy();
    before = now;
  }, unreadMs).unref();
  response.once("close", () => clearInterval(looks));
}

/** What a connection has taken: the bytes of whole writes, and what is left of the one under way, which only its handle tells. */
function takenOf(socket: Socket): string {
  const handle: unknown = Reflect.get(socket, "_handle");
  const left: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, "writeQueueSize") : 0;
  return `${socket.bytesWritten - socket.writableLength} ${String(left)}`;
}

/** RFC 9112 §3.2: by one Host, which HTTP/1.0 may leave out, and by the same in a target in absolute form. */
function namesOneHost({ headersDistinct: { host: hosts = [] }, httpVersion, url = "" }: IncomingMessage) {
  const [host = ""] = hosts;
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion !== "1.0")) return false;
  if (url.startsWith("/") || url === "*") return true;
  const target = URL.parse(url);
  return target !== null && URL.parse(`${target.protocol}//${host}`)?.host === target.host;
}

function unreadable(
  status: number,
  requestId: string,
  publicOrigin: string,
  message = "The request could not be read.",
) {
  const error = new ServiceError("validation_failed", message);
  const body = JSON.stringify(error.toWire(requestId));
  const headers = {
    ...securityHeaders(publicOrigin),
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Request-Id": requestId,
    Connection: "close",
  };
  return { status, headers, body };
}

function codeOf(error: Error) {
  return "code" in error ? String(error.code) : "";
}

/** The security headers of every response of an origin. */
function securityHeaders(publicOrigin: string): Readonly<Record<string, string>> {
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
