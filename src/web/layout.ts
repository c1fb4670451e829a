import { type Html, html, type Inserted } from "./html.ts";
import { ICON_PATH, STYLE_PATH } from "./style.ts";

const ADMIN_PAGES = [
  { path: "/api-keys", name: "API keys" },
  { path: "/integrations", name: "Integrations" },
  { path: "/audit", name: "Audit trail" },
];

/** Who a page is for, and whether the pages of admins are. */
interface SignedIn {
  email: string;
  administers: boolean;
}

/** One page of the service. */
export interface Page {
  title: string;
  /** Who is signed in: puts the way to their pages on top. Null on pages of an OAuth request, which lead nowhere else. */
  person: SignedIn | null;
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

function navigation({ email, administers }: SignedIn): Html {
  const pages = [{ path: "/connections", name: "Assistant connections" }, ...(administers ? ADMIN_PAGES : [])];
  const links = [...pages, { path: "/signout", name: "Sign out" }].map(
    ({ path, name }, index) => html`${index > 0 && " · "}<a href="${path}">${name}</a>`,
  );
  return html`<span class="quiet">${email}</span>
<nav aria-label="Pages">${links}</nav>`;
}
