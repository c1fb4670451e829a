import { type RequestHandler, Router } from "express";
import { constant } from "../../http/constant.ts";
import type { Documents } from "./documents.ts";
import { GUIDES } from "./guides.ts";

/** Only our own files run or are fetched. */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join("; ");

const HTML = { "Content-Security-Policy": POLICY, "Content-Type": "text/html; charset=utf-8" };
const JSON_TEXT = { "Content-Type": "application/json; charset=utf-8" };

interface DocsOptions {
  /** The API's description as JSON. */
  readonly openApi: () => string;
  readonly publicOrigin: string;
}

/** The documentation of the API: `/docs`, the reference, and `/docs/guides/<name>`. Made when first asked for. */
export function docsPages({ openApi, publicOrigin }: DocsOptions): RequestHandler {
  let documents: Promise<Documents> | undefined;
  const page = (headers: Record<string, string>, read: (documents: Documents) => string): RequestHandler =>
    constant(async () => {
      documents ??= import("./documents.ts").then(({ Documents }) => new Documents(openApi(), publicOrigin));
      return read(await documents);
    }, headers);
  const router = Router({ caseSensitive: true, strict: true });
  router.get(
    "/docs",
    page(HTML, (all) => all.reference()),
  );
  router.get(
    "/docs/search.json",
    page(JSON_TEXT, (all) => all.index()),
  );
  router.get("/docs/", (_request, response) => response.redirect("/docs"));
  router.get("/docs/guides", (_request, response) => response.redirect(`/docs/guides/${GUIDES[0]}`));
  for (const name of GUIDES)
    router.get(
      `/docs/guides/${name}`,
      page(HTML, (all) => all.guide(name)),
    );
  return router;
}
