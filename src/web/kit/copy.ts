import type { ServerResponse } from "node:http";
import { COPY_SCRIPT, scriptTag } from "./assets.ts";
import { type Html, html } from "./html.ts";

/** A text that people copy: `what` it is stands in the button's name. Its page has {@link copyButtons}. */
export function copyable(what: string, text: string, look: "line" | "block" = "line"): Html {
  return look === "line"
    ? html`<code data-copy="${what}">${text}</code>`
    : html`<pre data-copy="${what}">${text}</pre>`;
}

/** Once on a page with {@link copyable} texts. Without JavaScript they are text to select. */
export function copyButtons(response: ServerResponse): Html {
  return scriptTag(response, COPY_SCRIPT);
}
