import { type Html, html } from "./html.ts";

/** A page of the settings. */
interface SettingsPage {
  readonly path: string;
  readonly name: string;
  readonly forAdmins?: true;
  readonly words: string;
  /** Another address that belongs to it, beside those below its own. */
  readonly also?: string;
}

export const SETTINGS_PATH = "/settings";
/** The name of the settings in the navigation. */
export const SETTINGS_NAME = "Settings";

const GROUPS: Readonly<Record<string, readonly SettingsPage[]>> = {
  Collecting: [
    {
      path: "/workflows",
      name: "Workflows",
      words: "What makes payment links, mails them and opens tasks by itself, and what it did.",
      also: "/workflow-history",
    },
    {
      path: "/mails",
      name: "Mails",
      forAdmins: true,
      words: "How mails to customers look, and who is mailed nothing.",
    },
    {
      path: "/integrations",
      name: "Integrations",
      forAdmins: true,
      words: "The payment providers that customers pay through.",
    },
  ],
  ERP: [
    {
      path: "/erp-connections",
      name: "ERP connections",
      forAdmins: true,
      words: "Where invoices come from, and how fresh they are.",
    },
    {
      path: "/sync-runs",
      name: "Sync history",
      words: "What each sync brought in, how long it took, and why one failed.",
    },
  ],
  "Assistants and systems": [
    {
      path: "/mcp",
      name: "Connect an assistant",
      words: "The address, what an assistant may and can never do, and how each is set up.",
    },
    {
      path: "/connections",
      name: "Assistant connections",
      words: "See what is connected, what it may do, and stop it.",
    },
    { path: "/api-keys", name: "API keys", forAdmins: true, words: "What systems call the API with." },
    {
      path: "/docs",
      name: "API reference",
      forAdmins: true,
      words: "Every operation of the API, with its fields and errors.",
    },
  ],
  People: [
    {
      path: "/members",
      name: "Members",
      forAdmins: true,
      words: "Invite people, change what they may do, remove them.",
    },
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
  ],
  You: [
    { path: "/password", name: "Password", words: "Change yours, which signs other browsers out." },
    { path: "/security", name: "Security", words: "A second factor, and where you are signed in." },
  ],
};

/** The groups with the pages that a person has, empty ones left out. */
function groupsFor({ administers }: { administers: boolean }) {
  return Object.entries(GROUPS)
    .map(([name, pages]) => ({ name, pages: pages.filter(({ forAdmins }) => administers || forAdmins !== true) }))
    .filter(({ pages }) => pages.length > 0);
}

/** The navigation beside a page of the settings: one link to all of them where there is no room for it. */
export function settingsNavigation(person: { administers: boolean }, path: string): Html {
  return html`<nav class="pages" aria-label="${SETTINGS_NAME}"><a class="up" href="${SETTINGS_PATH}">All settings</a>${groupsFor(
    person,
  ).map(
    ({ name, pages }, place) =>
      html`<div class="group"><p id="settings-${place}">${name}</p><ul aria-labelledby="settings-${place}">${pages.map((page) => html`<li><a href="${page.path}"${currentOf(page, path)}>${page.name}</a></li>`)}</ul></div>`,
  )}</nav>`;
}

function currentOf(page: SettingsPage, path: string): Html | false {
  if (path === page.path) return html` aria-current="page"`;
  const isBelow = [page.path, page.also].some((one) => one !== undefined && `${path}/`.startsWith(`${one}/`));
  return isBelow && html` aria-current="true"`;
}

/** `/settings`: every page of the settings, with what it is for. */
export function settingsView(person: { administers: boolean }): Html {
  return html`<h1>${SETTINGS_NAME}</h1>
<div class="index">${groupsFor(person).map(
    ({ name, pages }) => html`<section class="part"><h2>${name}</h2>
<ul class="needs">${pages.map(({ path, name: page, words }) => html`<li><strong><a href="${path}">${page}</a></strong> <span class="quiet">${words}</span></li>`)}</ul></section>`,
  )}</div>`;
}
