import { type Html, html, type Inserted } from "./html.ts";

/** A titled section of a page, with a link beside the title. */
export function part(title: string, body: Html, link: Html | null = null): Html {
  return html`<section class="part"><div class="head"><h2>${title}</h2>${link}</div>
${body}</section>`;
}

/** An item of a list of facts. */
export function fact(name: string, value: Inserted): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}
