import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import type { Response } from "express";
import { html, type Inserted } from "./html.ts";

/** A file that pages load. */
interface Asset {
  /** It changes with the content, so browsers cache it forever. */
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

const TYPES = { css: "text/css", js: "text/javascript", svg: "image/svg+xml" };

/** Files of the folder `assets`, one after the other, as one. */
function asset(name: string, kind: keyof typeof TYPES, files: readonly string[] = [name]) {
  const read = (file: string) => readFileSync(new URL(`assets/${file}.${kind}`, import.meta.url), "utf8");
  const content = files.map(read).join("\n");
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
  return { path: `/assets/${name}-${hash}.${kind}`, type: TYPES[kind], content };
}

/** The one style sheet of every page: system fonts, both color schemes, narrow screens. */
export const STYLE_SHEET = asset("style", "css", ["base", "lists", "forms"]);
/** On top of it, for the documentation of the API. */
export const DOCS_STYLE = asset("docs", "css");
/** Searches the documentation. */
export const DOCS_SCRIPT = asset("docs", "js");
/** The mark in a browser's tab. */
export const ICON = asset("icon", "svg");
/** Puts a button behind each text that people copy, where the browser lets a page copy. */
export const COPY_SCRIPT = asset("copy", "js");
/** Reads the page again every two seconds, and shows its live part again, until that is not live any more. */
export const LIVE_SCRIPT = asset("live", "js");
/**
 * Of every page: the key / leads to the box for a search, and a double click is one. Its second half would put another
 * answer in the place of a secret that is shown once, or carry out what the next page asks about.
 */
export const PAGE_SCRIPT = asset("page", "js");

const SCRIPTS = [COPY_SCRIPT, LIVE_SCRIPT, PAGE_SCRIPT, DOCS_SCRIPT];
export const ASSETS: readonly Asset[] = [STYLE_SHEET, DOCS_STYLE, ICON, ...SCRIPTS];

/** A script of our own: its page may load scripts of this origin, and read from it where the script does. */
export function scriptTag(response: ServerResponse, { path, content }: Asset, when = "defer") {
  const policy = String(response.getHeader("Content-Security-Policy"));
  const needed = ["script-src 'self'", ...(content.includes("fetch(") ? ["connect-src 'self'"] : [])];
  const missing = needed.filter((directive) => !policy.includes(directive));
  response.setHeader("Content-Security-Policy", [policy, ...missing].join(";"));
  return html`<script src="${path}"${when && html` defer`}></script>`;
}

/** A text that people copy: `what` it is stands in the button's name. Its page has {@link copyButtons}. */
export function copyable(what: string, text: string, look: "line" | "block" = "line") {
  return look === "line"
    ? html`<code data-copy="${what}">${text}</code>`
    : html`<pre data-copy="${what}">${text}</pre>`;
}

/** Once on a page with {@link copyable} texts. Without JavaScript they are text to select. */
export function copyButtons(response: ServerResponse) {
  return scriptTag(response, COPY_SCRIPT);
}

/** A part of a page that goes on by itself while it is live. Without JavaScript the page is read again by its link. */
export function livePart(
  response: Response,
  { id, isLive, again }: { id: string; isLive: boolean; again: string },
  body: Inserted,
) {
  if (!isLive) return html`<div id="${id}">${body}</div>`;
  return html`<div id="${id}" data-live>${body}<p><a href="${again}">See how far it is now</a></p></div>
${scriptTag(response, LIVE_SCRIPT)}`;
}
