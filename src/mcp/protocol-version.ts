import { ProtocolError } from "./protocol-error.ts";

/** The two protocol revisions this server speaks (service.md §1.2), newest first. */
const PROTOCOL_VERSIONS = ["2025-06-18", "2025-03-26"] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** Offered to a client that asks for an unsupported revision. */
const LATEST_VERSION: ProtocolVersion = "2025-06-18";

/** The revision of requests without the header; the only one with batches. */
export const HEADERLESS_VERSION: ProtocolVersion = "2025-03-26";

function isSupported(version: unknown): version is ProtocolVersion {
  return PROTOCOL_VERSIONS.some((known) => known === version);
}

/** The revision that `initialize` negotiates: the one asked for when supported, else our latest. */
export function negotiate(requested: unknown) {
  return isSupported(requested) ? requested : LATEST_VERSION;
}

/** The revision named by the `MCP-Protocol-Version` header. Throws ProtocolError 400 for an unsupported one. */
export function versionOfHeader(header: string | undefined) {
  if (header === undefined) return HEADERLESS_VERSION;
  if (isSupported(header)) return header;
  throw new ProtocolError(
    400,
    `Unsupported protocol version; MCP-Protocol-Version is one of ${PROTOCOL_VERSIONS.join(", ")}.`,
  );
}
