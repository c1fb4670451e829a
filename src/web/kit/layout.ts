import { ICON, STYLE_SHEET } from "./assets.ts";
import { emailAddress, type Html, html, type Inserted } from "./html.ts";
import { SETTINGS_NAME, SETTINGS_PATH, settingsNavigation } from "./settings-pages.ts";

interface Link {
  readonly path: string;
  readonly name: string;
}

/** The pages about a workspace's receivables, for each of its members. */
const RECEIVABLES: readonly Link[] = [
  { path: "/", name: "Overview" },
  { path: "/customers", name: "Customers" },
  { path: "/invoices", name: "Invoices" },
  { path: "/payments", name: "Payments" },
];
const ACCOUNT: readonly Link[] = [
  { path: "/password", name: "Password" },
  { path: "/security", name: "Security" },
  { path: "/signout", name: "Sign out" },
];

/** Who is signed in; `administers`: the settings have the pages for admins. */
export interface PagePerson {
  email: string;
  administers: boolean;
}

/** Where a page about one workspace is. */
interface Place {
  /** The address of a page about the same workspace. */
  address(path: string): string;
  /** All workspaces of the person; a switch between them is shown where there are several. */
  readonly workspaces: readonly (Link & { isCurrent: boolean })[];
  /** The page of the navigation that it belongs to, by its name. */
  readonly within: string;
}

/** One page of the service. */
export interface Page {
  title: string;
  /** Who is signed in: adds the navigation. Null on pages of an OAuth request, which have none. */
  person: PagePerson | null;
  /** Its address, by which it is found among the settings; without it a page is not among them. */
  path?: string;
  /** Of a page about a workspace's receivables; without it a signed-in person is among the settings. */
  place?: Place;
  /** A single form or message. */
  narrow?: boolean;
  /** What a form that led here is answered with, above the page. */
  notice?: string | null;
  body: Inserted;
}

/** The whole document. */
export function renderPage({ title, path, person, place, narrow = false, notice = null, body: content }: Page): string {
  const body = [notice !== null && html`<p class="status" role="status">${notice}</p>`, content];
  const isWithin = path !== SETTINGS_PATH && (place === undefined || place.within === SETTINGS_NAME);
  const main = narrow
    ? html`<main id="main" class="narrow"><article>${body}</article></main>`
    : html`<main id="main">${body}</main>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Receivables</title>
<link rel="icon" href="${ICON.path}" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE_SHEET.path}">
</head>
<body>
${person !== null && html`<a class="skip" href="#main">Skip to the content</a>`}
<header class="top">${person === null ? html`<div><span class="brand">Receivables</span></div>` : ways(person, { place, title, path })}</header>
${person !== null && path !== undefined && isWithin ? html`<div class="aside">${settingsNavigation(person, path)}${main}</div>` : main}
</body>
</html>
`.text;
}

interface Shown {
  readonly place: Place | undefined;
  readonly title: string;
  readonly path: string | undefined;
}

function ways({ email }: PagePerson, { place, title, path }: Shown): Html {
  const address = place?.address ?? ((path: string): string => path);
  const within = place?.within ?? (path === undefined ? null : SETTINGS_NAME);
  const main = [...RECEIVABLES, { path: SETTINGS_PATH, name: SETTINGS_NAME }];
  return html`<div><a class="brand" href="${address("/")}">Receivables</a>
<nav class="main" aria-label="Main"><ul>${main.map(({ path, name }) => item({ path: path === SETTINGS_PATH ? path : address(path), name }, name === within))}</ul></nav>
${place !== undefined && place.workspaces.length > 1 && workspaceSwitch(place)}
<nav aria-label="Account"><details class="switch"><summary>Account</summary><ul><li class="quiet">${emailAddress(email)}</li>${ACCOUNT.map((link) => item(link, link.name === title))}</ul></details></nav></div>`;
}

function item({ path, name }: Link, isCurrent: boolean): Html {
  return html`<li><a href="${path}"${isCurrent && html` aria-current="page"`}>${name}</a></li>`;
}

/** Opens without JavaScript. */
function workspaceSwitch({ workspaces }: Place): Html {
  return html`<details class="switch"><summary><span class="unseen">Workspace: </span>${workspaces.find(({ isCurrent }) => isCurrent)?.name}</summary><ul>${workspaces.map((one) => item(one, one.isCurrent))}</ul></details>`;
}
