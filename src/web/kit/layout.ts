import { emailAddress, type Html, html, type Inserted } from "./html.ts";
import { ICON_PATH, STYLE_PATH } from "./style.ts";

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
/** The pages of the settings; the current one is found by its title. */
export const SETTINGS_PAGES: readonly (Link & { forAdmins: boolean; words: string })[] = [
  {
    path: "/mcp",
    name: "Connect an assistant",
    forAdmins: false,
    words: "The address, what an assistant may and can never do, and how each is set up.",
  },
  {
    path: "/connections",
    name: "Assistant connections",
    forAdmins: false,
    words: "See what is connected, what it may do, and stop it.",
  },
  {
    path: "/members",
    name: "Members",
    forAdmins: true,
    words: "Invite people, change what they may do, remove them.",
  },
  {
    path: "/erp-connections",
    name: "ERP connections",
    forAdmins: true,
    words: "Where invoices come from, and how fresh they are.",
  },
  {
    path: "/sync-runs",
    name: "Sync history",
    forAdmins: false,
    words: "What each sync brought in, how long it took, and why one failed.",
  },
  {
    path: "/integrations",
    name: "Integrations",
    forAdmins: true,
    words: "The payment providers that customers pay through.",
  },
  {
    path: "/workflows",
    name: "Workflows",
    forAdmins: false,
    words: "What makes payment links, mails them and opens tasks by itself, and what it did.",
  },
  { path: "/mails", name: "Mails", forAdmins: true, words: "How mails to customers look, and who is mailed nothing." },
  { path: "/api-keys", name: "API keys", forAdmins: true, words: "What systems call the API with." },
  {
    path: "/sign-in-rules",
    name: "Sign-in rules",
    forAdmins: true,
    words: "Single sign-on and second factors, required of everybody.",
  },
  {
    path: "/audit",
    name: "Audit trail",
    forAdmins: true,
    words: "Who changed what, and through which assistant or key.",
  },
  {
    path: "/docs",
    name: "API reference",
    forAdmins: true,
    words: "Every operation of the API, with its fields and errors.",
  },
];
const SETTINGS_PATH = "/settings";
/** The name of the settings in the navigation. */
export const SETTINGS_NAME = "Settings";
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
  /** Of a page about a workspace's receivables; without it a signed-in person is among the settings. */
  place?: Place;
  /** A single form or message. */
  narrow?: boolean;
  /** What a form that led here is answered with, above the page. */
  notice?: string | null;
  body: Inserted;
}

/** The whole document. */
export function renderPage({ title, person, place, narrow = false, notice = null, body: content }: Page): string {
  const body = [notice !== null && html`<p class="status" role="status">${notice}</p>`, content];
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
<header class="top">${person === null ? html`<div><span class="brand">Receivables</span></div>` : ways(person, place, title)}</header>
${narrow ? html`<main id="main" class="narrow"><article>${body}</article></main>` : html`<main id="main">${body}</main>`}
</body>
</html>
`.text;
}

function ways({ email, administers }: PagePerson, place: Place | undefined, title: string): Html {
  const address = place?.address ?? ((path: string): string => path);
  const main = [...RECEIVABLES, { path: SETTINGS_PATH, name: SETTINGS_NAME }];
  return html`<div><a class="brand" href="${address("/")}">Receivables</a>
<nav class="main" aria-label="Main"><ul>${main.map(({ path, name }) => item({ path: path === SETTINGS_PATH ? path : address(path), name }, name === (place?.within ?? SETTINGS_NAME)))}</ul></nav>
${place !== undefined && place.workspaces.length > 1 && workspaceSwitch(place)}
<nav aria-label="Account"><details class="switch"><summary>Account</summary><ul><li class="quiet">${emailAddress(email)}</li>${ACCOUNT.map((link) => item(link, link.name === title))}</ul></details></nav></div>
${(place === undefined || place.within === SETTINGS_NAME) && html`<nav class="pages" aria-label="Settings"><ul>${SETTINGS_PAGES.filter(({ forAdmins }) => administers || !forAdmins).map((link) => item(link, link.name === title))}</ul></nav>`}`;
}

function item({ path, name }: Link, isCurrent: boolean): Html {
  return html`<li><a href="${path}"${isCurrent && html` aria-current="page"`}>${name}</a></li>`;
}

/** Opens without JavaScript. */
function workspaceSwitch({ workspaces }: Place): Html {
  return html`<details class="switch"><summary><span class="unseen">Workspace: </span>${workspaces.find(({ isCurrent }) => isCurrent)?.name}</summary><ul>${workspaces.map((one) => item(one, one.isCurrent))}</ul></details>`;
}
