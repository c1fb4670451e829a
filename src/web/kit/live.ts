import type { Response } from "express";
import { LIVE_SCRIPT, scriptTag } from "./assets.ts";
import { type Html, html, type Inserted } from "./html.ts";

/** A part of a page that goes on by itself while it is live. Without JavaScript the page is read again by its link. */
export function livePart(
  response: Response,
  { id, isLive, again }: { id: string; isLive: boolean; again: string },
  body: Inserted,
): Html {
  if (!isLive) return html`<div id="${id}">${body}</div>`;
  return html`<div id="${id}" data-live>${body}<p><a href="${again}">See how far it is now</a></p></div>
${scriptTag(response, LIVE_SCRIPT)}`;
}
