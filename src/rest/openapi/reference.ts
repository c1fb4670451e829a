import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { type RequestHandler, Router } from "express";
import { z } from "zod";
import {
  acceptedEncoding,
  type ContentEncoding,
  compress,
  endCompressed,
  varyByEncoding,
} from "../../http/compressed.ts";

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

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/legible.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
</head>
<body>
<nav class="way-back" aria-label="Pages"><a href="/">Receivables</a></nav>
<noscript><p>This page needs JavaScript. The description itself is at <a href="/openapi.json">/openapi.json</a>.</p></noscript>
<div id="reference"></div>
</body>
</html>
`;

/** Read-only. Labels for screen readers are added; links inside the viewer's buttons are removed. */
const START = `const ATTRIBUTES = [
  ["#servers", "aria-label", "Server"],
  [".examples-select-element", "aria-label", "Example"],
  [".parameters select", "aria-label", "Values"],
  [".opblock-tag, .models h4", "aria-level", "2"],
  [".opblock-section-header h4, .opblock-title", "aria-level", "3"],
  [".information-container", "role", "region"],
  [".information-container", "aria-label", "About the API"],
  [".scheme-container", "role", "region"],
  [".scheme-container", "aria-label", "Server"],
  [".responses-table", "role", "table"],
  ["pre.example", "tabindex", "0"],
];
const legible = () => {
  for (const [where, name, value] of ATTRIBUTES)
    for (const element of document.querySelectorAll(where)) element.setAttribute(name, value);
};
const KEYS = { admin: "an admin key", readonly: "any key" };
// The viewer shows no extensions, so their content goes into the description.
const shown = (description) => {
  for (const path of Object.values(description.paths))
    for (const operation of Object.values(path)) {
      const key = KEYS[operation["x-permission"]];
      operation.summary += " (" + key + ")";
      operation.description += "\\n\\n**Permission**: " + key + ".\\n\\n**Side effects**: " + operation["x-side-effects"];
    }
  return description;
};
SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#reference", deepLinking: false, validatorUrl: null, supportedSubmitMethods: [],
  responseInterceptor: (answer) => Object.assign(answer, { text: JSON.stringify(shown(JSON.parse(answer.text))) }),
  onComplete: () => { legible(); new MutationObserver(legible).observe(document.body, { childList: true, subtree: true }); },
});
`;

/** The viewer's colors have too little contrast; its authorization controls are hidden, because no key is entered here. */
const LEGIBLE = `:root { color-scheme: light dark; }
body { margin: 0; font-family: system-ui, sans-serif; }
.way-back { margin: 0; padding: .7rem 1.25rem; border-bottom: 1px solid light-dark(#e2e6ec, #2d343f); }
.way-back a { color: light-dark(#1f55b8, #8fb6ff); font-weight: 650; text-decoration: none; }
@media (prefers-color-scheme: dark) {
  body { background: #111419; }
  #reference { color-scheme: light; filter: invert(.92) hue-rotate(180deg); background: #fff; }
}
.swagger-ui select, .swagger-ui input { min-width: 0; max-width: 100%; }
@media (max-width: 40rem) { .swagger-ui table, .swagger-ui tbody, .swagger-ui tr, .swagger-ui td { display: block; } }
.swagger-ui .auth-wrapper, .swagger-ui .authorization__btn { display: none; }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #4a5058; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #14579e; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1d6b3a; }
.swagger-ui .info a, .swagger-ui .info .url, .swagger-ui a.nostyle { color: #14579e; }
.swagger-ui, .swagger-ui p, .swagger-ui .renderedMarkdown p, .swagger-ui .opblock .opblock-summary-description,
.swagger-ui .opblock-tag small, .swagger-ui .json-schema-2020-12-expand-deep-button { color: #2b333d; }
.swagger-ui .opblock.opblock-deprecated, .swagger-ui .prop-format,
.swagger-ui .parameter__in { opacity: 1; color: #4a5058; }
.swagger-ui .json-schema-2020-12__title { overflow-wrap: anywhere; }
.swagger-ui .microlight span { color: #ffffff !important; }
`;

const VIEWER_ETAG = `W/"${z.object({ version: z.string() }).parse(loaded("swagger-ui-dist/package.json")).version}"`;
const compressedFiles = new Map<string, Promise<Buffer>>();

/** A file of the viewer, compressed once: the largest takes 0.1 s. */
function viewerFile(file: string, encoding: ContentEncoding): Promise<Buffer> {
  const name = `${file}.${encoding}`;
  const known = compressedFiles.get(name) ?? readFile(join(VIEWER, file)).then((bytes) => compress(bytes, encoding));
  compressedFiles.set(name, known);
  return known;
}

/** `/openapi.json` (service.md §9.4), and `/docs`, a page that shows it; `openApi` is its text. */
export function apiReference({ openApi }: { openApi: () => string }): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  let etag: string | undefined;
  router.get("/openapi.json", async (request, response) => {
    const text = openApi();
    etag ??= `W/"${createHash("sha256").update(text).digest("base64url")}"`;
    response.set({ "Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache", ETag: etag }).type("json");
    varyByEncoding(response);
    if (request.fresh) return void response.status(304).end();
    await endCompressed(response, text);
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
  for (const file of VIEWER_FILES)
    router.get(`/docs/${file}`, async (request, response) => {
      varyByEncoding(response);
      const encoding = file.endsWith(".png") ? null : acceptedEncoding(request);
      if (encoding === null) return response.sendFile(file, { root: VIEWER, maxAge: "1 day" });
      response.set({ "Cache-Control": "public, max-age=86400", ETag: VIEWER_ETAG }).type(extname(file));
      if (request.fresh) return void response.status(304).end();
      response.set("Content-Encoding", encoding).send(await viewerFile(file, encoding));
    });
  return router;
}
