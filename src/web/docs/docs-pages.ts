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
  const made = (read: (documents: Documents) => string) => async (): Promise<string> => {
    documents ??= import("./documents.ts").then(({ Documents }) => new Documents(openApi(), publicOrigin));
    return read(await documents);
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.get(
    "/docs",
    constant(
      made((all) => all.reference()),
      HTML,
    ),
  );
  router.get(
    "/docs/search.json",
    constant(
      made((all) => all.index()),
      JSON_TEXT,
    ),
  );
  for (const name of GUIDES)
    router.get(
      `/docs/guides/${name}`,
      constant(
        made((all) => all.guide(name)),
        HTML,
      ),
    );
  return router;
}
