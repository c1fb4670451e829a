import { WORKSPACE, withQuery } from "./address.ts";
import { ICON, STYLE_SHEET } from "./assets.ts";
import { emailAddress, html, type Inserted } from "./html.ts";
import { type Navigation, SETTINGS_PATH } from "./navigation.ts";
import { hidden, navItem, unseen } from "./parts.ts";

const ACCOUNT = [
  { path: "/password", name: "Password" },
  { path: "/security", name: "Security" },
  { path: "/signout", name: "Sign out" },
];

/** Who is signed in; `administers`: the settings have the pages for admins. */
export interface PagePerson {
  email: string;
  administers: boolean;
}

/** The workspace that a page is about. */
interface Place {
  readonly workspace: { readonly tenantId: string };
  /** All workspaces of the person; a switch between them is shown where there are several. */
  readonly workspaces: readonly { readonly tenantId: string; readonly name: string }[];
  /** The address of a page about the same workspace. */
  address(path: string): string;
}

/** One page of the service. */
export interface Page {
  title: string;
  /** Who is signed in, who gets the navigation. Null on pages of an OAuth request, which have none. */
  person: PagePerson | null;
  navigation?: Navigation;
  /** Its address, by which it is found in the navigation; an error has none. */
  path?: string;
  place?: Place;
  /** What the box for a search holds. */
  searched?: string | null;
  script?: Inserted;
  /** A single form or message. */
  narrow?: boolean;
  body: Inserted;
  /** What each sheet of a print says; of a workspace's page behind its name and the time, such as filters. */
  sheet?: Inserted;
}

/** The whole document. */
export function renderPage(page: Page) {
  const { title, path = "", person, navigation, narrow = false, sheet } = page;
  const body = [sheet && html`<p class="each-sheet">${sheet}</p>`, page.body];
  const main = narrow
    ? html`<main id="main" class="narrow"><article>${body}</article></main>`
    : html`<main id="main">${body}</main>`;
  const settings = person && navigation?.beside(person, path);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Receivables</title>
<link rel="icon" href="${ICON.path}" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE_SHEET.path}">
${page.script}
</head>
<body>
${person && html`<a class="skip" href="#main">Skip to the content</a>`}
<header class="top">${person ? ways(person, page) : html`<div><span class="brand">Receivables</span></div>`}</header>
${settings ? html`<div class="aside">${settings}${main}</div>` : main}
</body>
</html>
`.text;
}

function ways({ email }: PagePerson, { navigation, path = "", place, searched = null }: Page) {
  const address = (to: string) => place?.address(to) ?? to;
  const main = (navigation?.main ?? []).map(({ path: to, name }) =>
    navItem({
      ...{ path: to === SETTINGS_PATH ? to : address(to), name },
      isCurrent: to === navigation?.mainPath(path),
    }),
  );
  const own = ACCOUNT.map((link) => navItem({ ...link, isCurrent: link.path === path }));
  return html`<div><a class="brand" href="${address("/")}">Receivables</a>
<nav class="main" aria-label="Main"><ul>${main}</ul></nav>
${searchBox(place, searched)}
${place && place.workspaces.length > 1 && workspaceSwitch(place)}
<nav aria-label="Account"><details class="switch"><summary>Account</summary>\
<ul><li class="quiet">${emailAddress(email)}</li>${own}</ul></details></nav></div>`;
}

function searchBox(place: Place | undefined, searched: string | null) {
  return html`<form class="find" role="search" action="/search">
<label class="unseen" for="find">Search</label>
<input id="find" name="q" type="search" value="${searched}" maxlength="100" placeholder="Search"\
 aria-keyshortcuts="/" autocomplete="off">
${place && place.workspaces.length > 1 && hidden(WORKSPACE, place.workspace.tenantId)}
<button class="plain">Search</button></form>`;
}

/** Opens without JavaScript. */
function workspaceSwitch({ workspace: { tenantId: current }, workspaces }: Place) {
  const links = workspaces.map(({ tenantId, name }) =>
    navItem({ path: withQuery("/", { [WORKSPACE]: tenantId }), name, isCurrent: tenantId === current }),
  );
  return html`<details class="switch"><summary>${unseen("Workspace: ")}\
${workspaces.find(({ tenantId }) => tenantId === current)?.name}</summary><ul>${links}</ul></details>`;
}
