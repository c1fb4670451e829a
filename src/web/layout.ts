import { type Html, html, type Inserted } from "./html.ts";
import { ICON_PATH, STYLE_PATH } from "./style.ts";

/** One page of the service. */
export interface Page {
  title: string;
  /** Who is signed in: puts the way to their pages on top. Null on pages of an OAuth request, which lead nowhere else. */
  person: { email: string } | null;
  /** A form or a message, rather than a page of work. */
  narrow?: boolean;
  body: Inserted;
}

/** The whole document. */
export function renderPage({ title, person, narrow = false, body }: Page): string {
  const content = narrow ? html`<main class="narrow"><article>${body}</article></main>` : html`<main>${body}</main>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Receivables</title>
<link rel="icon" href="${ICON_PATH}" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<header class="top"><div>${brand(person)}${person !== null && navigation(person)}</div></header>
${content}
</body>
</html>
`.text;
}

function brand(person: Page["person"]): Html {
  return person === null
    ? html`<span class="brand">Receivables</span>`
    : html`<a class="brand" href="/">Receivables</a>`;
}

function navigation({ email }: { email: string }): Html {
  return html`<span class="quiet">${email}</span>
<nav aria-label="Pages"><a href="/connections">Assistant connections</a> · <a href="/api-keys">API keys</a> · <a href="/signout">Sign out</a></nav>`;
}
