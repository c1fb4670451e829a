import { COPY_SCRIPT, DOCS_SCRIPT, DOCS_STYLE, ICON, STYLE_SHEET } from "../kit/assets.ts";
import { type Html, html, type Inserted } from "../kit/html.ts";

/** A link of the contents. */
export interface Entry {
  readonly href: string;
  readonly name: string;
  readonly method?: string;
}

export interface Group {
  readonly name: string;
  readonly entries: readonly Entry[];
}

interface DocsPage {
  readonly title: string;
  /** Its own address. */
  readonly path: string;
  readonly contents: readonly Group[];
  readonly body: Inserted;
}

/** A page of the documentation. The contents are beside it, or behind a button where it is narrow. */
export function docsPage({ title, path, contents, body }: DocsPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Receivables API</title>
<link rel="icon" href="${ICON.path}" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE_SHEET.path}">
<link rel="stylesheet" href="${DOCS_STYLE.path}">
<script src="${COPY_SCRIPT.path}" defer></script>
<script src="${DOCS_SCRIPT.path}" defer></script>
</head>
<body class="docs">
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div><a class="brand" href="/">Receivables</a>
<button class="plain" type="button" popovertarget="contents">Contents</button></div></header>
<div class="beside"><nav id="contents" popover aria-label="Documentation">
<p class="search" hidden><label for="search">Search</label><input id="search" type="search" autocomplete="off"></p>
<div id="found" role="status"></div>
<div id="entries">${contents.map((group) => groupList(group, path))}</div>
</nav>
<main id="main">${body}</main></div>
</body>
</html>
`.text;
}

function groupList({ name, entries }: Group, path: string): Html {
  const id = `contents-${name.toLowerCase().replaceAll(" ", "-")}`;
  const items = entries.map(
    ({ href, name, method }) => html`<li><a href="${href}"${href === path && html` aria-current="page"`}>${name}\
${method && html` <span class="method ${method.toLowerCase()}">${method}</span>`}</a></li>`,
  );
  return html`<p id="${id}">${name}</p><ul aria-labelledby="${id}">${items}</ul>`;
}
