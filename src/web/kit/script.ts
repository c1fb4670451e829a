import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type Html, html } from "./html.ts";

/** A script of our own, on the pages that ask for it only: each of them works without it. */
export interface Script {
  /** Its name changes with its content, so browsers cache it forever. */
  readonly path: string;
  readonly content: string;
}

/** The script of that name. */
export function script(name: string, content: string): Script {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
  return { path: `/assets/${name}-${hash}.js`, content };
}

/** Lets the page of an answer load scripts of this origin, and read from it. */
export function scriptTag(response: ServerResponse, { path }: Script): Html {
  const policy = String(response.getHeader("Content-Security-Policy"));
  if (!policy.includes("script-src"))
    response.setHeader("Content-Security-Policy", `${policy};script-src 'self';connect-src 'self'`);
  return html`<script src="${path}" defer></script>`;
}
