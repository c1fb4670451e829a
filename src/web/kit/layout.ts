import { type Html, html, type Inserted } from "./html.ts";
import { ICON_PATH, STYLE_PATH } from "./style.ts";

/** The pages in the navigation; the current one is found by its title. */
const PAGES = [
  { path: "/connections", name: "Assistant connections", forAdmins: false },
  { path: "/members", name: "Members", forAdmins: true },
  { path: "/erp-connections", name: "ERP connections", forAdmins: true },
  { path: "/integrations", name: "Integrations", forAdmins: true },
  { path: "/api-keys", name: "API keys", forAdmins: true },
  { path: "/audit", name: "Audit trail", forAdmins: true },
];
const ACCOUNT_PAGES = [
  { path: "/password", name: "Password" },
  { path: "/signout", name: "Sign out" },
];

/** Who is signed in; `administers`: the navigation has the pages for admins. */
interface SignedIn {
  email: string;
  administers: boolean;
}

/** One page of the service. */
export interface Page {
  title: string;
  /** Who is signed in: adds the navigation. Null on pages of an OAuth request, which have none. */
  person: SignedIn | null;
  /** A single form or message. */
  narrow?: boolean;
  body: Inserted;
}

/** The whole document. */
export function renderPage({ title, person, narrow = false, body }: Page): string {
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
${person !== null && html`<a class="skip" href="#main">Skip to the content</a>`}
<header class="top">${person === null ? html`<div><span class="brand">Receivables</span></div>` : ways(person, title)}</header>
${narrow ? html`<main id="main" class="narrow"><article>${body}</article></main>` : html`<main id="main">${body}</main>`}
</body>
</html>
`.text;
}

function ways({ email, administers }: SignedIn, title: string): Html {
  return html`<div><a class="brand" href="/">Receivables</a>
<nav class="account" aria-label="Account"><span class="quiet">${email}</span>${links(ACCOUNT_PAGES, title)}</nav></div>
<nav class="pages" aria-label="Pages">${links(
    PAGES.filter(({ forAdmins }) => administers || !forAdmins),
    title,
  )}</nav>`;
}

function links(pages: readonly { path: string; name: string }[], title: string): Html {
  return html`<ul>${pages.map(
    ({ path, name }) => html`<li><a href="${path}"${name === title && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul>`;
}
