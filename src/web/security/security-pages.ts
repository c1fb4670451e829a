import { endOtherSessions, endOwnSession, listOwnSessions, type OwnSession } from "../../../auth/own-sessions.ts";
import { readFactor } from "../../../auth/second-factor/manage.ts";
import { actions, buttonLink, type Html, hidden, html, type Inserted, link, timeElement } from "../kit/markup.ts";
import { closedNote, doing, KEPT_OR_LOST, type PageRoutes, people, SECURITY_PATH, type Visit } from "../kit/page.ts";
import { plainTable } from "../lists/list.ts";
import { FACTOR_ROUTES, factorPath, factorSummary, isElsewhere, nextOf } from "./factor-pages.ts";

/** What was just done, by the name in the address. */
const DONE = {
  ...KEPT_OR_LOST,
  off: "The second factor is off. Your password suffices to sign in.",
  ended: "The browser was signed out.",
  others_ended: "All other browsers were signed out.",
};

/** `/security`: a person's second factor, and the browsers they are signed in with. */
export const SECURITY_PAGES: PageRoutes = {
  listing: {
    ...{ path: SECURITY_PATH, name: "Security" },
    settings: { group: "You", words: "A second factor, and where you are signed in." },
  },
  routes: [
    ...people.page(
      SECURITY_PATH,
      show,
      {
        "/sessions/end": doing("ended", (visit: Visit) =>
          endOwnSession(visit.site.core, visit.session, visit.field("session")),
        ),
        "/sessions/end-others": doing("others_ended", ({ site, session }: Visit) =>
          endOtherSessions(site.core, session),
        ),
      },
      people,
    ),
    ...FACTOR_ROUTES,
  ],
};

async function show(visit: Visit): Promise<void> {
  const { core } = visit.site;
  const sessions = await listOwnSessions(core, visit.session);
  const others = html`<button class="danger">Sign out all others</button>`;
  const place = (id: string, heading: string, body: Inserted): Html =>
    html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${body}</section>`;
  const body = html`<h1>Security</h1>
${visit.note(DONE)}${await closedNote(visit, nextOf(visit))}
${place("factor", "Second factor", await factorPart(visit))}
${place("password", "Password", html`<p>${link("/password", "Change your password")}</p>`)}
${place("sessions", "Where you are signed in", [
  plainTable({
    caption: "Browsers",
    rows: sessions,
    columns: [
      {
        head: "Browser",
        cell: ({ userAgent, isThis }) => [
          browserName(userAgent),
          isThis && html` <span class="quiet">this browser</span>`,
        ],
      },
      { head: "Address", cell: ({ address }) => address ?? "unknown" },
      { head: "Signed in", cell: ({ createdAt }) => html`${timeElement(createdAt, "UTC")} UTC` },
      { head: "Sign out", cell: (one) => endOf(one, visit) },
    ],
  }),
  sessions.length > 1 && actions(visit.button(`${SECURITY_PATH}/sessions/end-others`, others)),
])}`;
  visit.show({ title: "Security", body });
}

/** Of who signed in with their organisation, nothing to set up. */
async function factorPart(visit: Visit): Promise<Inserted> {
  if (isElsewhere(visit)) return html`<p>You signed in with your organisation, which protects your sign-in.</p>`;
  const factor = await readFactor(visit.site.core, visit.session.personId);
  const next = nextOf(visit);
  if (!factor.isOn)
    return [
      html`<p>Off. When it is on, signing in also asks for a code from an app on your phone.</p>`,
      actions(buttonLink(factorPath(next), "Set up an authenticator app", "")),
    ];
  return [
    factorSummary(factor),
    html`<p>${link(factorPath(null), "New recovery codes, or switch it off")}</p>`,
    next !== null && actions(buttonLink(next, "Continue", "")),
  ];
}

function endOf({ id, isThis, userAgent }: OwnSession, visit: Visit): Html {
  if (isThis) return link("/signout", "Sign out");
  const label = `Sign out ${browserName(userAgent)}`;
  const button = html`${hidden("session", id)}<button class="danger" aria-label="${label}">Sign out</button>`;
  return visit.button(`${SECURITY_PATH}/sessions/end`, button);
}

const BROWSERS: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** A browser as its person knows it: "Firefox on Linux". */
function browserName(userAgent: string | null): string {
  const of = (names: typeof BROWSERS): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const [browser, system] = [of(BROWSERS), of(SYSTEMS)];
  if (browser === undefined) return system ?? "A browser";
  return system === undefined ? browser : `${browser} on ${system}`;
}
