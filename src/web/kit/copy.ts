import type { ServerResponse } from "node:http";
import { type Html, html } from "./html.ts";
import { script, scriptTag } from "./script.ts";

/** Puts a button behind each text that people copy, where the browser lets a page copy. */
export const COPY_SCRIPT = script(
  "copy",
  `"use strict";
for (const text of navigator.clipboard === undefined ? [] : document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  const says = document.createElement("span");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy " + text.dataset.copy);
  says.className = "unseen";
  says.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const done = await navigator.clipboard.writeText(text.href ?? text.textContent.trim()).then(() => true, () => false);
    button.textContent = done ? "Copied" : "Not copied";
    says.textContent = done ? "Copied" : "Not copied: select the text, and copy it yourself";
    setTimeout(() => { button.textContent = "Copy"; says.textContent = ""; }, 2000);
  });
  text.after(button, says);
}
`,
);

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
