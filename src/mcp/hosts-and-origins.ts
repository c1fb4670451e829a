import type { IncomingMessage, ServerResponse } from "node:http";
import { hostsOf } from "../http/hosts.ts";
import { parseJson, readBytes, saysCompressed, saysJson } from "../request-body.ts";
import { ProtocolError, RPC } from "./protocol-error.ts";

/** Response headers that a browser-based client of an allowed origin may read. */
const EXPOSED_HEADERS = [
  "WWW-Authenticate",
  "Mcp-Session-Id",
  "MCP-Protocol-Version",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
  "X-Request-Id",
].join(", ");
const ALLOWED_HEADERS = "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID";

/** The hosts and origins accepted. */
interface Edge {
  /** Accepted values of the `Host` header. */
  readonly hosts: ReadonlySet<string>;
  /** Origins whose pages may call; any other is refused, `null` too. */
  readonly origins: ReadonlySet<string>;
}

/** The edge of a server at `publicOrigin` (`https://host[:port]`). */
export function edgeOf(publicOrigin: string, allowedOrigins: readonly string[]): Edge {
  const { origin } = new URL(publicOrigin);
  return {
    hosts: hostsOf(publicOrigin),
    origins: new Set([origin, ...allowedOrigins.map((allowed) => new URL(allowed).origin)]),
  };
}

/** Against DNS rebinding: other hosts get 421. */
export function checkHost(edge: Edge, req: IncomingMessage): void {
  if (!edge.hosts.has(req.headers.host?.toLowerCase() ?? ""))
    throw new ProtocolError(421, "This server does not answer to that host.");
}

/** Refuses pages of other origins and sets CORS headers for allowed ones; true when it answered a CORS preflight. */
export function checkOrigin(edge: Edge, req: IncomingMessage, res: ServerResponse): boolean {
  const { origin } = req.headers;
  if (origin === undefined) return false;
  if (!edge.origins.has(origin)) throw new ProtocolError(403, "This origin may not call the server.");
  res.setHeader("Access-Control-Allow-Origin", origin);
  res.appendHeader("Vary", "Origin");
  res.setHeader("Access-Control-Expose-Headers", EXPOSED_HEADERS);
  if (req.method !== "OPTIONS" || req.headers["access-control-request-method"] === undefined) return false;
  res.setHeader("Access-Control-Allow-Methods", "POST");
  res.setHeader("Access-Control-Allow-Headers", ALLOWED_HEADERS);
  res.statusCode = 204;
  res.end();
  return true;
}

export function checkMethod(req: IncomingMessage): void {
  if (req.method !== "POST") throw new ProtocolError(405, "Only POST is served here.", { headers: { Allow: "POST" } });
}

/** A response may be JSON or an event stream, so a client must accept both (Streamable HTTP). */
export function checkAccept(req: IncomingMessage): void {
  const accepted = acceptedTypes(req.headers.accept ?? "");
  const accepts = (type: string, range: string) => accepted.has(type) || accepted.has(range) || accepted.has("*/*");
  if (!accepts("application/json", "application/*") || !accepts("text/event-stream", "text/*")) {
    throw new ProtocolError(406, "Accept must name application/json and text/event-stream.");
  }
}

export function checkContentType({ headers }: IncomingMessage): void {
  if (!saysJson(headers)) throw new ProtocolError(415, "Content-Type must be application/json in UTF-8.");
  if (saysCompressed(headers))
    throw new ProtocolError(415, "The body must not be compressed.", { headers: { "Accept-Encoding": "identity" } });
}

/** service.md §8. */
const MAX_BODY_BYTES = 64 * 1024;

/** Reads JSON. Throws ProtocolError: 413 for a body that is too large, 400 (-32700) for anything else. */
export async function readJson(req: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(req, MAX_BODY_BYTES, {
    tooLarge: () => new ProtocolError(413, `The body exceeds ${MAX_BODY_BYTES} bytes.`),
    cutOff: () => new ProtocolError(400, "The body was cut off.", { code: RPC.parseError }),
  });
  try {
    return parseJson(bytes);
  } catch {
    throw new ProtocolError(400, "The body is not valid JSON.", { code: RPC.parseError });
  }
}

function acceptedTypes(header: string): Set<string> {
  const accepted = new Set<string>();
  for (const entry of header.toLowerCase().split(",")) {
    const [type = "", ...parameters] = entry.split(";").map((part) => part.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(type);
  }
  return accepted;
}
