import { endOtherSessions, endOwnSession, listOwnSessions, type OwnSession } from "../../../auth/own-sessions.ts";
import { type FactorState, readFactor } from "../../../auth/second-factor/manage.ts";
import { SECURITY_PATH } from "../kit/address.ts";
import { people } from "../kit/doors.ts";
import { type Html, html, statusNote } from "../kit/html.ts";
import { hidden, link } from "../kit/parts.ts";
import { doing, type PageRoutes } from "../kit/routes.ts";
import type { Visit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";
import { plainTable } from "../lists/table.ts";
import { FACTOR_ROUTES, factorPath, isElsewhere, nextOf } from "./factor-pages.ts";

/** What was just done, by the name in the address. */
const DONE = {
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
  const { session, request } = visit;
  const isRequired = request.query.required !== undefined;
  const body = securityView({
    notice: isRequired
      ? statusNote("Your workspace asks for a second factor. Set one up to see it.")
      : visit.note(DONE),
    factor: isElsewhere(visit) ? null : await readFactor(core, session.personId),
    sessions: await listOwnSessions(core, session),
    visit,
    next: nextOf(visit),
  });
  visit.show({ title: "Security", body });
}

/** `factor` is null for who signed in with their organisation; `next` is where they were going. */
function securityView(view: {
  notice: Html | null;
  factor: FactorState | null;
  sessions: readonly OwnSession[];
  visit: Visit;
  next: string | null;
}): Html {
  const { notice, factor, sessions, visit, next } = view;
  return html`<h1>Security</h1>
${notice}
<section aria-labelledby="factor"><h2 id="factor">Second factor</h2>
${factorSummary(factor, next)}</section>
<section aria-labelledby="password"><h2 id="password">Password</h2>
<p><a href="/password">Change your password</a></p></section>
<section aria-labelledby="sessions"><h2 id="sessions">Where you are signed in</h2>
${plainTable<OwnSession>({
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
    { head: "End", cell: (session) => endOf(session, visit) },
  ],
})}
${sessions.length > 1 && endOthers(visit)}
</section>`;
}

function endOthers(visit: Visit): Html {
  const button = html`<button class="danger">Sign out all others</button>`;
  return html`<div class="actions">${visit.button(`${SECURITY_PATH}/sessions/end-others`, button)}</div>`;
}

function factorSummary(factor: FactorState | null, next: string | null): Html {
  if (factor === null) return html`<p>You signed in with your organisation, which protects your sign-in.</p>`;
  if (!factor.isOn)
    return html`<p>Off. With one, signing in takes a code of an app on your phone besides your password.</p>
<div class="actions"><a class="button" href="${factorPath(next)}">Set up an authenticator app</a></div>`;
  return html`<p><span class="state good">On</span> since ${timeElement(factor.since, "UTC")} UTC. Recovery codes
left: ${factor.recoveryCodes}.</p>
<p><a href="${factorPath(null)}">New recovery codes, or switch it off</a></p>
${next !== null && html`<div class="actions"><a class="button" href="${next}">Continue</a></div>`}`;
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
