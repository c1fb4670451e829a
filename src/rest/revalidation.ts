import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import manifest from "../../server.json" with { type: "json" };
import { varyByEncoding } from "../http/compressed.ts";
import type { Route } from "./routes.ts";

/** Whether a route's answers have an ETag: those of one thing, and of aging, whose version is known before the report. */
export const hasEtag = ({ method, path, operation: { output } }: Route) =>
  method === "GET" && (path.includes("{") || "revision" in output.shape);

/** Ends a call whose answer the caller has. */
class NotModified extends Error {
  override readonly name = "NotModified";
}

/**
 * The body of an answer, its ETag set; null where `If-None-Match` names that, and the response is ended with 304. An answer whose
 * version is told is not computed then; one of which it is not has its bytes compared.
 */
export async function revalidated(
  request: Request,
  response: Response,
  call: (onVersion: (version: string) => void) => Promise<unknown>,
) {
  const known = request.get("If-None-Match")?.trim();
  let etag: string | undefined;
  let body: string | null = null;
  try {
    const answer = await call((version) => {
      etag = etagOf(version);
      // `*` names an answer that there is, which is not known yet.
      if (known !== "*" && isNamed(known, etag)) throw new NotModified();
    });
    body = JSON.stringify(answer);
    etag ??= etagOf(body);
  } catch (error) {
    if (!(error instanceof NotModified)) throw error;
  }
  response.set({ ETag: etag, "Cache-Control": "private, no-cache" });
  if (body !== null && !isNamed(known, etag)) return body;
  varyByEncoding(response);
  response.status(304).end();
  return null;
}

/**
 * The ETag of what an answer follows from, or of its bytes. It is weak (RFC 9110 §8.8.1): an answer has it compressed or not, and
 * aging's tells the time. Another version of the service has others.
 */
function etagOf(content: string) {
  const digest = createHash("sha256").update(manifest.version).update(content).digest("base64url");
  return `W/"${digest}"`;
}

/** Whether `If-None-Match` names an ETag, by weak comparison (RFC 9110 §13.1.2); `*` names any. */
function isNamed(ifNoneMatch: string | undefined, etag: string | undefined) {
  if (ifNoneMatch === "*") return true;
  const tags = ifNoneMatch?.matchAll(/"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
  return [...tags].some(([opaque]) => etag === `W/${opaque}`);
}
