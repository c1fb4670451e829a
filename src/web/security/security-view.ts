import type { OwnSession } from "../../../auth/own-sessions.ts";
import type { FactorState } from "../../../auth/second-factor/manage.ts";
import { hidden } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { SECURITY_PATH } from "../kit/sign-in-paths.ts";
import type { Visit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";
import { plainTable } from "../lists/table.ts";
import { browserName } from "./browser-name.ts";
import { factorPath } from "./factor-view.ts";

/** A person's own security; `factor` is null for who signed in with their organisation, `next` is where they were going. */
export function securityView(view: {
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
${sessions.length > 1 && html`<div class="actions">${visit.button(`${SECURITY_PATH}/sessions/end-others`, html`<button class="danger">Sign out all others</button>`)}</div>`}
</section>`;
}

function factorSummary(factor: FactorState | null, next: string | null): Html {
  if (factor === null) return html`<p>You signed in with your organisation, which protects your sign-in.</p>`;
  if (!factor.isOn)
    return html`<p>Off. With one, signing in takes a code of an app on your phone besides your password.</p>
<div class="actions"><a class="button" href="${factorPath(next)}">Set up an authenticator app</a></div>`;
  return html`<p><span class="state good">On</span> since ${timeElement(factor.since, "UTC")} UTC. Recovery codes left: ${factor.recoveryCodes}.</p>
<p><a href="${factorPath(null)}">New recovery codes, or switch it off</a></p>
${next !== null && html`<div class="actions"><a class="button" href="${next}">Continue</a></div>`}`;
}

function endOf({ id, isThis, userAgent }: OwnSession, visit: Visit): Html {
  if (isThis) return html`<a href="/signout">Sign out</a>`;
  const label = `Sign out ${browserName(userAgent)}`;
  const button = html`${hidden("session", id)}<button class="danger" aria-label="${label}">Sign out</button>`;
  return visit.button(`${SECURITY_PATH}/sessions/end`, button);
}
