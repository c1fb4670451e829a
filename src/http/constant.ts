import { createHash } from "node:crypto";
import type { RequestHandler } from "express";
import { acceptedEncoding, type ContentEncoding, compress, varyByEncoding } from "./compressed.ts";

interface Made {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly compressed: Map<ContentEncoding, Promise<Buffer>>;
}

async function make(text: () => string | Promise<string>): Promise<Made> {
  const bytes = Buffer.from(await text());
  const etag = `W/"${createHash("sha256").update(bytes).digest("base64url")}"`;
  return { bytes, etag, compressed: new Map() };
}

/** Answers what is the same for everybody: made and compressed once, at the first request, and revalidated by its ETag. */
export function constant(
  text: () => string | Promise<string>,
  headers: Readonly<Record<string, string>>,
): RequestHandler {
  let known: Promise<Made> | undefined;
  return async (request, response) => {
    known ??= make(text);
    known.catch(() => {
      known = undefined;
    });
    const { bytes, etag, compressed } = await known;
    response.set({ ...headers, "Cache-Control": "no-cache", ETag: etag });
    varyByEncoding(response);
    if (request.fresh) return void response.status(304).end();
    const encoding = acceptedEncoding(request);
    if (encoding === null) return void response.send(bytes);
    const packed = compressed.get(encoding) ?? compress(bytes, encoding);
    compressed.set(encoding, packed);
    response.set("Content-Encoding", encoding).send(await packed);
  };
}
