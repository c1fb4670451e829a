import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** What is shorter is sent as it is: one packet holds it either way. */
export const LEAST_BYTES = 1_024;

/** Answers are made anew each time: a quarter of what the best qualities take makes them nearly as short. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 5 };

const brotlied = promisify<Buffer, object, Buffer>(brotliCompress);
const gzipped = promisify<Buffer, object, Buffer>(gzip);

export type ContentEncoding = "br" | "gzip";

/** Compresses on a thread of Node's pool. */
export function compress(bytes: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  return encoding === "br" ? brotlied(bytes, BROTLI) : gzipped(bytes, GZIP);
}

/** What the client likes best of what there is (RFC 9110 §12.5.3); null where that is the bytes as they are. */
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

/** Says that the answer is another for clients that take other encodings. */
export function varyByEncoding(response: ServerResponse): void {
  const known = [response.getHeader("Vary") ?? []].flat().join(", ");
  if (!/\baccept-encoding\b/i.test(known)) response.appendHeader("Vary", "Accept-Encoding");
}

/**
 * Ends an answer, compressed where its client takes that. For answers to bearers and to anybody: never for a page of a
 * signed-in person or a token, whose length would tell of the secrets in it what stands beside them (BREACH).
 */
export async function endCompressed(response: ServerResponse, body: string): Promise<void> {
  const bytes = Buffer.from(body);
  varyByEncoding(response);
  const encoding = acceptedEncoding(response.req);
  if (bytes.byteLength < LEAST_BYTES || encoding === null) return void end(response, bytes);
  const compressed = await compress(bytes, encoding);
  // The client may be gone by now.
  if (response.destroyed || response.headersSent) return;
  response.setHeader("Content-Encoding", encoding);
  end(response, compressed);
}

function end(response: ServerResponse, bytes: Buffer): void {
  response.setHeader("Content-Length", bytes.byteLength);
  response.end(bytes);
}
