import { type Html, html, type Inserted } from "./html.ts";

/** A titled section of a page, with a link beside the title. */
export function part(title: string, body: Html, link: Html | null = null): Html {
  return html`<section class="part"><div class="head"><h2>${title}</h2>${link}</div>
${body}</section>`;
}

/** A link to a page. */
export function link(path: string, words: Inserted, attributes?: Html): Html {
  return html`<a${attributes} href="${path}">${words}</a>`;
}

/** A link that looks like a button; the plain one is not the main one of its page. */
export function buttonLink(path: string, words: Inserted, look: "" | "plain" | "plain danger" = "plain"): Html {
  return link(path, words, html` class="button${look !== "" && ` ${look}`}"`);
}

/** A link to a page's file. */
export function downloadLink(path: string, words: Inserted): Html {
  return link(path, words, html` class="button plain" download`);
}

/** A figure in large type. */
export function big(figure: Inserted, look: "" | "overdue" | "count" = ""): Html {
  return html`<span class="big${look !== "" && ` ${look}`}">${figure}</span>`;
}

/** A word beside the matter, or that all is well. */
export function muted(words: Inserted): Html {
  return html`<p class="quiet">${words}</p>`;
}

/** What people should see to. */
export function warning(words: Inserted): Html {
  return html`<p class="warn">${words}</p>`;
}

/** In place of an empty list: that it is empty, and what to do. */
export function emptied(words: Inserted, next: Inserted): Html {
  return html`<div class="empty"><p>${words}</p><p>${next}</p></div>`;
}

/** The head of a page: its title, what it is about, and what can be begun there. */
export function pageHead(title: Inserted, about: Inserted, acts: Inserted = null): Html {
  return html`<div class="title"><div><h1>${title}</h1>${about}</div>${acts}</div>`;
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
