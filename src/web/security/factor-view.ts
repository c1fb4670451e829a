import type { FactorState } from "../../../auth/second-factor/manage.ts";
import { withQuery } from "../kit/address.ts";
import { input, secretInput } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { SECURITY_PATH } from "../kit/sign-in-paths.ts";
import type { Visit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";

export const FACTOR_PATH = `${SECURITY_PATH}/factor`;
export const FACTOR_OFF_PATH = `${FACTOR_PATH}/off`;
export const NEW_CODES_PATH = `${FACTOR_PATH}/codes`;

/** The page that sets a second factor up, on the way to `next`. */
export const factorPath = (next: string | null): string => withQuery(FACTOR_PATH, { next });

/** What was wrong with a form, by field; both have to be given again. */
export interface FactorProblems {
  password?: string | undefined;
  code?: string | undefined;
}

interface FactorForm {
  visit: Visit;
  problems: FactorProblems;
}

/** The fields that every change asks for; ids begin with `prefix`. Neither is ever filled in for the person. */
function proofFields({ problems }: Pick<FactorForm, "problems">, prefix: string, codeHint?: string): Html {
  const isAgain = problems.password !== undefined || problems.code !== undefined;
  const password = {
    id: `${prefix}-password`,
    name: "current_password",
    label: "Current password",
    problem: problems.password,
  };
  const code = { id: `${prefix}-code`, name: "code", label: "Code", hint: codeHint, problem: problems.code };
  return html`${secretInput(password, html`autocomplete="current-password" required maxlength="1000"`, { isAgain })}
${input(code, html`autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="40"`)}`;
}

/** How to set up an app, and the form for its first code; what follows leads to `next`. */
export function enrolView(form: FactorForm & { secret: string; uri: string; next: string | null }): Html {
  const { secret, uri, next, visit } = form;
  const body = html`<input type="hidden" name="username" value="${visit.session.email}" autocomplete="username">
${proofFields(form, "on")}
<div class="actions"><button>Switch it on</button></div>`;
  return html`<h1>Set up an authenticator app</h1>
<ol>
<li>On your phone, <a href="${uri}">open this link</a> in an authenticator app, or add an account there by hand with this key (time-based, 6 digits):
<pre>${secret.match(/.{1,4}/g)?.join(" ")}</pre></li>
<li>Give your password, and the code that the app shows.</li>
</ol>
${visit.form(FACTOR_PATH, body, { look: "", action: factorPath(next) })}
<p class="quiet">Your other browsers are signed out then. Assistants you have connected stay connected.</p>
<p><a href="${next ?? SECURITY_PATH}">Not now</a></p>`;
}

/** What can be done with a second factor that is on, each by the password and a code; problems are those of one form. */
export function factorView(view: {
  state: FactorState & { isOn: true };
  visit: Visit;
  problems: { off: FactorProblems; codes: FactorProblems };
}): Html {
  const { state, visit, problems } = view;
  const isOffOpen = Object.keys(problems.off).length > 0;
  const hint = "Of your app, or a recovery code.";
  const codes = html`${proofFields({ problems: problems.codes }, "codes", hint)}
<div class="actions"><button>Make new recovery codes</button></div>`;
  const off = html`${proofFields({ problems: problems.off }, "off", hint)}
<div class="actions"><button class="danger">Switch off the second factor</button></div>`;
  return html`<h1>Second factor</h1>
<p><span class="state good">On</span> since ${timeElement(state.since, "UTC")} UTC. Recovery codes left: ${state.recoveryCodes}.</p>
${visit.form(NEW_CODES_PATH, codes)}
<details${isOffOpen && html` open`}><summary>Switch it off</summary>
<p>Signing in takes your password only, and your other browsers are signed out. A workspace that requires a second factor is closed to you until you set one up again.</p>
${visit.form(FACTOR_OFF_PATH, off)}</details>
<p><a href="${SECURITY_PATH}">Back</a></p>`;
}

/** The recovery codes, shown this once; the button leads to `next`. */
export function recoveryCodesView(codes: readonly string[], next: string | null): Html {
  return html`<h1>Your recovery codes</h1>
<p class="warn">Print or save them now: they are not shown again. Each signs you in once, in the place of a code of your app.</p>
<pre>${codes.join("\n")}</pre>
<div class="actions"><a class="button" href="${next ?? SECURITY_PATH}">I have saved them</a></div>`;
}

/** For who signed in with their organisation. */
export function elsewhereView(): Html {
  return html`<h1>Second factor</h1>
<p>You signed in with your organisation, which protects your sign-in. To set up one of your own, sign in with your password.</p>
<p><a href="${SECURITY_PATH}">Back</a></p>`;
}
