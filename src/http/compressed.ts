import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Shorter bodies are sent uncompressed: they fit one packet either way. */
export const LEAST_BYTES = 1_024;

/** Responses are not cached: this quality takes a quarter of the time of the best and compresses nearly as well. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 5 };

const brotlied = promisify<Buffer, object, Buffer>(brotliCompress);
const gzipped = promisify<Buffer, object, Buffer>(gzip);

export type ContentEncoding = "br" | "gzip";

/** Compresses on a thread of Node's pool. */
export function compress(bytes: Buffer, encoding: ContentEncoding) {
  return encoding === "br" ? brotlied(bytes, BROTLI) : gzipped(bytes, GZIP);
}

/** The encoding the client prefers among ours (RFC 9110 §12.5.3); null for no encoding. */
export function acceptedEncoding({ headers }: IncomingMessage): ContentEncoding | null {
  const weights = new Map<string, number>();
  for (const part of (headers["accept-encoding"] ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get("*") ?? 0;
  const best = weightOf("br") >= weightOf("gzip") ? "br" : "gzip";
  return weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0) ? best : null;
}

/** Marks the response as varying with Accept-Encoding. */
export function varyByEncoding(response: ServerResponse) {
  const known = [response.getHeader("Vary") ?? []].flat().join(", ");
  if (!/\baccept-encoding\b/i.test(known)) response.appendHeader("Vary", "Accept-Encoding");
}

/** Ends a response, compressed where accepted; never for signed-in pages and tokens, whose length tells (BREACH). */
export async function endCompressed(response: ServerResponse, body: string): Promise<void> {
  const bytes = Buffer.from(body);
  varyByEncoding(response);
  const encoding = acceptedEncoding(response.req);
  if (bytes.byteLength < LEAST_BYTES || encoding === null) return void end(response, bytes);
  const compressed = await compress(bytes, encoding);
  // The client may have disconnected.
  if (response.destroyed || response.headersSent) return;
  response.setHeader("Content-Encoding", encoding);
  end(response, compressed);
}

function end(response: ServerResponse, bytes: Buffer): void {
  response.setHeader("Content-Length", bytes.byteLength);
  response.end(bytes);
}
