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

/** A short list of facts; false in the place of one leaves it out. */
export function facts(rows: readonly (readonly [name: string, value: Inserted] | false)[]): Html {
  return html`<dl class="facts">
${rows.map((row) => row && html`<dt>${row[0]}</dt><dd>${row[1]}</dd>\n`)}</dl>`;
}

/** What opens without JavaScript. */
export function disclosure(summary: string, isOpen: boolean, body: Html): Html {
  return html`<details${isOpen && html` open`}>
<summary>${summary}</summary>
${body}
</details>`;
}

/** A place that tabs lead to. */
interface Tab {
  readonly path: string;
  readonly name: string;
  readonly isCurrent: boolean;
}

/** Links to pages beside each other. */
export function tabs(label: string, places: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${label}"><ul>${places.map(
    ({ path, name, isCurrent }) =>
      html`<li><a href="${path}"${isCurrent && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>`;
}
