import type { IncomingMessage } from "node:http";
import type { Request } from "express";
import { hostsOf } from "../http/hosts.ts";
import { parseJson, readBytes, saysCompressed, saysJson } from "../request-body.ts";
import { ProtocolError, RPC } from "./protocol-error.ts";

/** The hosts and the origin accepted. */
interface Edge {
  /** Accepted values of the `Host` header. */
  readonly hosts: ReadonlySet<string>;
  /** The origin whose pages may call; any other is refused, `null` too. */
  readonly origin: string;
}

/** The edge of a server at `publicOrigin` (`https://host[:port]`). */
export const edgeOf = (publicOrigin: string): Edge => ({
  hosts: hostsOf(publicOrigin),
  origin: new URL(publicOrigin).origin,
});

/** Against DNS rebinding: other hosts get 421. */
export function checkHost(edge: Edge, { headers }: IncomingMessage) {
  if (!edge.hosts.has(headers.host?.toLowerCase() ?? ""))
    throw new ProtocolError(421, "This server does not answer to that host.");
}

/** Refuses pages of other origins. */
export function checkOrigin(edge: Edge, { headers: { origin = edge.origin } }: IncomingMessage) {
  if (origin !== edge.origin) throw new ProtocolError(403, "This origin may not call the server.");
}

export function checkMethod(req: IncomingMessage) {
  if (req.method !== "POST") throw new ProtocolError(405, "Only POST is served here.", { headers: { Allow: "POST" } });
}

/** A response may be JSON or an event stream, so a client must accept both (Streamable HTTP). */
export function checkAccept(req: Request) {
  if (!req.headers.accept || !req.accepts("application/json") || !req.accepts("text/event-stream"))
    throw new ProtocolError(406, "Accept must name application/json and text/event-stream.");
}

export function checkContentType({ headers }: IncomingMessage) {
  if (!saysJson(headers)) throw new ProtocolError(415, "Content-Type must be application/json in UTF-8.");
  if (saysCompressed(headers))
    throw new ProtocolError(415, "The body must not be compressed.", { headers: { "Accept-Encoding": "identity" } });
}

/** service.md §8. */
const MAX_BODY_BYTES = 64 * 1024;

/** Reads JSON. Throws ProtocolError: 413 for a body that is too large, 400 (-32700) for anything else. */
export async function readJson(req: IncomingMessage) {
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
