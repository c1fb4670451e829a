import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { type RequestHandler, type Response, Router } from "express";
import { z } from "zod";
import { readText } from "../../core/kernel/read-text.ts";
import { acceptedEncoding, type ContentEncoding, compress, varyByEncoding } from "../../http/compressed.ts";

const loaded = createRequire(import.meta.url);
const VIEWER = dirname(loaded.resolve("swagger-ui-dist/package.json"));
const VIEWER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"] as const;

/** Only our own files run or are fetched; the viewer's icons are data URLs in its style sheet. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = readText(import.meta.url, "viewer.html");

/** Read-only. Labels for screen readers are added; links inside the viewer's buttons are removed. */
const START = readText(import.meta.url, "viewer.js");

/** The viewer's colors have too little contrast; its authorization controls are hidden, because no key is entered here. */
const LEGIBLE = readText(import.meta.url, "viewer.css");

const VIEWER_ETAG = `W/"${z.object({ version: z.string() }).parse(loaded("swagger-ui-dist/package.json")).version}"`;

/** Ends a response with what is the same for everybody, read and compressed once: the largest takes 0.1 s. */
function constant(read: () => Promise<Buffer> | Buffer): (response: Response) => Promise<void> {
  const made = new Map<ContentEncoding | null, Promise<Buffer>>();
  const make = async (encoding: ContentEncoding | null) =>
    encoding === null ? read() : compress(await read(), encoding);
  return async (response) => {
    const encoding = acceptedEncoding(response.req);
    const known = made.get(encoding) ?? make(encoding);
    made.set(encoding, known);
    known.catch(() => made.delete(encoding));
    const bytes = await known;
    if (encoding !== null) response.set("Content-Encoding", encoding);
    response.send(bytes);
  };
}

/** `/openapi.json` (service.md §9.4), and `/docs`, a page that shows it; `openApi` is its text. */
export function apiReference({ openApi }: { openApi: () => string }): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  let etag: string | undefined;
  const end = constant(() => Buffer.from(openApi()));
  router.get("/openapi.json", async (request, response) => {
    etag ??= `W/"${createHash("sha256").update(openApi()).digest("base64url")}"`;
    response.set({ "Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache", ETag: etag }).type("json");
    varyByEncoding(response);
    if (request.fresh) return void response.status(304).end();
    await end(response);
  });
  router.get("/docs", (_request, response) => {
    response.set({ "Content-Security-Policy": CONTENT_SECURITY_POLICY, "Cache-Control": "no-cache" });
    response.type("html").send(PAGE);
  });
  router.get("/docs/start.js", (_request, response) => {
    response.set("Cache-Control", "no-cache").type("js").send(START);
  });
  router.get("/docs/legible.css", (_request, response) => {
    response.set("Cache-Control", "no-cache").type("css").send(LEGIBLE);
  });
  for (const file of VIEWER_FILES) {
    const end = constant(() => readFile(join(VIEWER, file)));
    router.get(`/docs/${file}`, async (request, response) => {
      varyByEncoding(response);
      response.set({ "Cache-Control": "public, max-age=86400", ETag: VIEWER_ETAG }).type(extname(file));
      if (request.fresh) return void response.status(304).end();
      await end(response);
    });
  }
  return router;
}
