import type { Response } from "express";
import { type Html, html, type Inserted } from "./html.ts";
import { script, scriptTag } from "./script.ts";

/** Reads the page again every two seconds, and shows its live part again, until that is not live any more. */
export const LIVE_SCRIPT = script(
  "live",
  `"use strict";
(() => {
  const follow = async () => {
    const part = document.querySelector("[data-live]");
    if (part === null) return;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (answer.ok && !answer.redirected) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const now = page.getElementById(part.id);
        if (now !== null) {
          if (!now.hasAttribute("data-live")) {
            part.removeAttribute("data-live");
            part.setAttribute("role", "status");
          }
          part.replaceChildren(...now.childNodes);
        }
      }
    } catch {
      // The next turn tries again.
    }
    setTimeout(follow, 2000);
  };
  setTimeout(follow, 2000);
})();
`,
);

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
