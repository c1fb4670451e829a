import type { OwnSession } from "../../../auth/own-sessions.ts";
import type { FactorState } from "../../../auth/second-factor/manage.ts";
import { SECURITY_PATH } from "../account/sign-in-form.ts";
import { buttonForm, type FormField, input } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { timeElement } from "../kit/words.ts";
import { browserName } from "./browser-name.ts";

const FACTOR = `${SECURITY_PATH}/factor`;

/** A person's own security; `factor` is null for who signed in with their organisation. */
export function securityView(view: {
  notice: Html | null;
  factor: FactorState | null;
  sessions: readonly OwnSession[];
  formField: FormField;
}): Html {
  const { notice, factor, sessions, formField } = view;
  return html`<h1>Security</h1>
${notice}
<section aria-labelledby="factor"><h2 id="factor">Second factor</h2>
${factorSummary(factor)}</section>
<section aria-labelledby="password"><h2 id="password">Password</h2>
<p><a href="/password">Change your password</a></p></section>
<section aria-labelledby="sessions"><h2 id="sessions">Where you are signed in</h2>
<div class="wide"><table><thead><tr><th scope="col">Browser</th><th scope="col">Address</th><th scope="col">Signed in</th><th scope="col">End</th></tr></thead>
<tbody>${sessions.map((session) => sessionRow(session, formField))}</tbody></table></div>
${sessions.length > 1 && html`<div class="actions">${buttonForm(formField, `${SECURITY_PATH}/sessions/end-others`, html`<button class="danger">Sign out all others</button>`)}</div>`}
</section>`;
}

function factorSummary(factor: FactorState | null): Html {
  if (factor === null) return html`<p>You signed in with your organisation, which protects your sign-in.</p>`;
  if (!factor.isOn)
    return html`<p>Off. With one, signing in takes a code of an app on your phone besides your password.</p>
<div class="actions"><a class="button" href="${FACTOR}">Set up an authenticator app</a></div>`;
  return html`<p><span class="state good">On</span> since ${timeElement(factor.since, "UTC")} UTC. Recovery codes left: ${factor.recoveryCodes}.</p>
<p><a href="${FACTOR}">New recovery codes, or switch it off</a></p>`;
}

function sessionRow({ id, isThis, userAgent, address, createdAt }: OwnSession, formField: FormField): Html {
  const name = browserName(userAgent);
  const end = html`<input type="hidden" name="session" value="${id}"><button class="danger" aria-label="Sign out ${name}">Sign out</button>`;
  return html`<tr><th scope="row">${name}${isThis && html` <span class="quiet">this browser</span>`}</th>
<td data-label="Address">${address ?? "unknown"}</td><td data-label="Signed in">${timeElement(createdAt, "UTC")} UTC</td>
<td data-label="End">${isThis ? html`<a href="/signout">Sign out</a>` : buttonForm(formField, `${SECURITY_PATH}/sessions/end`, end)}</td></tr>`;
}

interface CodeForm {
  formField: FormField;
  problem: string | undefined;
}

const codeField = (problem: string | undefined, label = "Code"): Html =>
  input(
    { id: "code", name: "code", label, problem },
    html`autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="40"`,
  );

/** How to set up an app, and the form for its first code. */
export function enrolView({ secret, uri, formField, problem }: CodeForm & { secret: string; uri: string }): Html {
  return html`<h1>Set up an authenticator app</h1>
<ol>
<li>On your phone, <a href="${uri}">open this link</a> in an authenticator app, or add an account there by hand with this key (time-based, 6 digits):
<pre>${secret.match(/.{1,4}/g)?.join(" ")}</pre></li>
<li>Give the code that the app shows.</li>
</ol>
<form method="post" action="${FACTOR}">${formField(FACTOR)}${codeField(problem)}
<div class="actions"><button>Switch it on</button></div></form>
<p class="quiet">Your other browsers are signed out then. Assistants you have connected stay connected.</p>
<p><a href="${SECURITY_PATH}">Not now</a></p>`;
}

/** What can be done with a second factor that is on, each by a code of it. */
export function factorView({ state, formField, problem }: CodeForm & { state: FactorState & { isOn: true } }): Html {
  const off = `${FACTOR}/off`;
  const renew = `${FACTOR}/codes`;
  return html`<h1>Second factor</h1>
<p><span class="state good">On</span> since ${timeElement(state.since, "UTC")} UTC. Recovery codes left: ${state.recoveryCodes}.</p>
<form method="post" action="${renew}">${formField(renew)}${codeField(problem)}
<div class="actions"><button>Make new recovery codes</button></div></form>
<details><summary>Switch it off</summary>
<p>Signing in takes your password only. A workspace that requires a second factor is closed to you until you set one up again.</p>
<form method="post" action="${off}">${formField(off)}${input({ id: "off", name: "code", label: "Code" }, html`autocomplete="one-time-code" required maxlength="40"`)}
<div class="actions"><button class="danger">Switch off the second factor</button></div></form></details>
<p><a href="${SECURITY_PATH}">Back</a></p>`;
}

/** The recovery codes, shown this once. */
export function recoveryCodesView(codes: readonly string[]): Html {
  return html`<h1>Your recovery codes</h1>
<p class="warn">Print or save them now: they are not shown again. Each signs you in once, in the place of a code of your app.</p>
<pre>${codes.join("\n")}</pre>
<div class="actions"><a class="button" href="${SECURITY_PATH}">I have saved them</a></div>`;
}

/** For who signed in with their organisation. */
export function elsewhereView(): Html {
  return html`<h1>Second factor</h1>
<p>You signed in with your organisation, which protects your sign-in. To set up one of your own, sign in with your password.</p>
<p><a href="${SECURITY_PATH}">Back</a></p>`;
}
