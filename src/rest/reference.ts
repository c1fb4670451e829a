import { createRequire } from "node:module";
import { dirname } from "node:path";
import { type RequestHandler, Router } from "express";
import { openApiDocument } from "./openapi/document.ts";
import { ROUTES, type Route } from "./routes.ts";

const VIEWER = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const VIEWER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"] as const;

/** Nothing but our own files runs or is fetched; the viewer's icons are data in its style sheet. */
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

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
</head>
<body>
<noscript><p>This page needs JavaScript. The description itself is at <a href="/openapi.json">/openapi.json</a>.</p></noscript>
<main id="reference"></main>
</body>
</html>
`;

/** To read, not to call from: no key is typed into a page, and no example is sent as if it were meant. */
const START = `SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#reference", deepLinking: true, validatorUrl: null, supportedSubmitMethods: [],
});
`;

interface ReferenceOptions {
  /** `{base_url}`. */
  publicUrl: string;
  routes?: readonly Route[];
}

/** `/openapi.json` (service.md §9.4), and `/docs`, a page that shows it. */
export function apiReference({ publicUrl, routes = ROUTES }: ReferenceOptions): RequestHandler {
  const document = openApiDocument(routes, publicUrl);
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/openapi.json", (_request, response) => {
    response.set({ "Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache" }).json(document);
  });
  router.get("/docs", (_request, response) => {
    response.set({ "Content-Security-Policy": CONTENT_SECURITY_POLICY, "Cache-Control": "no-cache" });
    response.type("html").send(PAGE);
  });
  router.get("/docs/start.js", (_request, response) => {
    response.set("Cache-Control", "no-cache").type("js").send(START);
  });
  for (const file of VIEWER_FILES)
    router.get(`/docs/${file}`, (_request, response) => {
      response.sendFile(file, { root: VIEWER, maxAge: "1 day" });
    });
  return router;
}
