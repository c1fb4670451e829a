import { sourceOf } from "../../../auth/failed-authentications.ts";
import {
  beginEnrolment,
  ENROLMENT_SECONDS,
  type Enrolment,
  openEnrolment,
} from "../../../auth/second-factor/enrolment.ts";
import {
  type ChangeRefused,
  confirmEnrolment,
  disableFactor,
  type FactorState,
  readFactor,
  renewRecoveryCodes,
} from "../../../auth/second-factor/manage.ts";
import { tooManyAttempts } from "../account/sign-in-form.ts";
import { SECURITY_PATH, withQuery } from "../kit/address.ts";
import { people } from "../kit/doors.ts";
import { type Html, html } from "../kit/html.ts";
import { input, secretInput } from "../kit/parts.ts";
import type { PageRoute } from "../kit/routes.ts";
import { destination } from "../kit/site.ts";
import type { Visit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";

const FACTOR_PATH = `${SECURITY_PATH}/factor`;
const FACTOR_OFF_PATH = `${FACTOR_PATH}/off`;
const NEW_CODES_PATH = `${FACTOR_PATH}/codes`;

const WRONG_PASSWORD = "This is not your current password.";
const WRONG_CODE = "This code is not right, or was used already.";
const WRONG_FIRST_CODE = "This code is not right. Check the clock of your phone, and give the code it shows now.";

/** A second factor is the person's in every workspace; a provider signs them in to one only. */
export const isElsewhere = ({ session }: Visit): boolean => session.tenantId !== null;

/** Where a person was going who was sent to set up a second factor; null without such a place, or for one of others. */
export function nextOf({ site, request }: Visit): string | null {
  return destination(site.publicOrigin, request.query.next, "") || null;
}

const forPasswords = (work: (visit: Visit) => Promise<unknown>) => async (visit: Visit) =>
  isElsewhere(visit) ? show(visit, 403, elsewhereView()) : work(visit);

/** `/security/factor`: a person sets up, renews or switches off their second factor, by their password and a code. */
export const FACTOR_ROUTES: readonly PageRoute[] = people.page(
  FACTOR_PATH,
  forPasswords(async (visit) => {
    const state = await readFactor(visit.site.core, visit.session.personId);
    return state.isOn
      ? show(visit, 200, factorView({ state, visit, problems: { off: {}, codes: {} } }))
      : showEnrolment(visit, 200, enrolmentOf(visit), {});
  }),
  {
    "": { send: forPasswords(switchOn) },
    "/off": {
      send: forPasswords(async (visit) => {
        const done = await disableFactor(visit.site.core, given(visit));
        if ("refused" in done) return refuse(visit, "off", done);
        await signInAgain(visit, done.passwordHash, false);
        return `${SECURITY_PATH}?done=off`;
      }),
    },
    "/codes": {
      send: forPasswords(async (visit) => {
        const done = await renewRecoveryCodes(visit.site.core, given(visit));
        return "refused" in done ? refuse(visit, "codes", done) : show(visit, 200, recoveryCodesView(done.codes, null));
      }),
    },
  },
  people,
);

async function switchOn(visit: Visit): Promise<void> {
  const { site, session, request, response } = visit;
  const enrolment = openEnrolment(site.core, session, site.enrolment.read(request));
  if (enrolment === null) return visit.redirect(factorPath(nextOf(visit)));
  const done = await confirmEnrolment(site.core, { ...given(visit), secret: enrolment.secret });
  if ("refused" in done) {
    const { status, problems } = problemsOf(visit, done, WRONG_FIRST_CODE);
    return showEnrolment(visit, status, enrolment, problems);
  }
  site.enrolment.clear(response);
  await signInAgain(visit, done.passwordHash, true);
  show(visit, 200, recoveryCodesView(done.codes, nextOf(visit)));
}

/** The one this browser is setting up, else a new one. */
function enrolmentOf({ site, session, request, response }: Visit): Enrolment {
  const begun = openEnrolment(site.core, session, site.enrolment.read(request));
  if (begun !== null) return begun;
  const { cookie, ...enrolment } = beginEnrolment(site.core, session);
  site.enrolment.set(response, cookie, ENROLMENT_SECONDS);
  return enrolment;
}

/** A change of the second factor ended the session, which may be in other hands: this browser gets another. */
async function signInAgain({ site, session, request, response }: Visit, passwordHash: string, secondFactor: boolean) {
  const { personId } = session;
  await site.signIn(request, response, { personId, tenantId: null, secondFactor, proof: { passwordHash } });
}

async function refuse(visit: Visit, form: "off" | "codes", refused: ChangeRefused): Promise<void> {
  const { status, problems } = problemsOf(visit, refused, WRONG_CODE);
  const state = await readFactor(visit.site.core, visit.session.personId);
  if (!state.isOn) return visit.redirect(FACTOR_PATH);
  const both = { off: {}, codes: {}, [form]: problems };
  show(visit, status, factorView({ state, visit, problems: both }));
}

function showEnrolment(visit: Visit, status: number, enrolment: Enrolment, problems: FactorProblems): void {
  const next = nextOf(visit);
  show(visit, status, enrolView({ ...enrolment, next, visit, problems }));
}

/** What the form says of a refused change, and its status. */
function problemsOf({ response }: Visit, refused: ChangeRefused, wrongCode: string) {
  if (refused.refused === "too_many")
    return { status: 429, problems: { password: tooManyAttempts(response, refused) } };
  const isWrong = (field: "password" | "code") => refused.fields.includes(field);
  const problems: FactorProblems = {
    ...(isWrong("password") && { password: WRONG_PASSWORD }),
    ...(isWrong("code") && { code: wrongCode }),
  };
  return { status: 400, problems };
}

function show(visit: Visit, status: number, body: Html): void {
  visit.show({ title: "Second factor", narrow: true, body }, status);
}

function given(visit: Visit) {
  return {
    session: visit.session,
    current: visit.field("current_password").slice(0, 1_000),
    code: visit.field("code").slice(0, 100),
    address: sourceOf(visit.request.ip),
    requestId: visit.requestId,
  };
}

/** The page that sets a second factor up, on the way to `next`. */
export const factorPath = (next: string | null): string => withQuery(FACTOR_PATH, { next });

/** What was wrong with a form, by field; both have to be given again. */
interface FactorProblems {
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
function enrolView(form: FactorForm & { secret: string; uri: string; next: string | null }): Html {
  const { secret, uri, next, visit } = form;
  const body = html`<input type="hidden" name="username" value="${visit.session.email}" autocomplete="username">
${proofFields(form, "on")}
<div class="actions"><button>Switch it on</button></div>`;
  return html`<h1>Set up an authenticator app</h1>
<ol>
<li>On your phone, <a href="${uri}">open this link</a> in an authenticator app, or add an account there by hand with
this key (time-based, 6 digits):
<pre>${secret.match(/.{1,4}/g)?.join(" ")}</pre></li>
<li>Give your password, and the code that the app shows.</li>
</ol>
${visit.form(FACTOR_PATH, body, { look: "", action: factorPath(next) })}
<p class="quiet">Your other browsers are signed out then. Assistants you have connected stay connected.</p>
<p><a href="${next ?? SECURITY_PATH}">Not now</a></p>`;
}

/** What can be done with a second factor that is on, by the password and a code; problems are those of one form. */
function factorView(view: {
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
<p><span class="state good">On</span> since ${timeElement(state.since, "UTC")} UTC. Recovery codes
left: ${state.recoveryCodes}.</p>
${visit.form(NEW_CODES_PATH, codes)}
<details${isOffOpen && html` open`}><summary>Switch it off</summary>
<p>Signing in takes your password only, and your other browsers are signed out. A workspace that requires a second
factor is closed to you until you set one up again.</p>
${visit.form(FACTOR_OFF_PATH, off)}</details>
<p><a href="${SECURITY_PATH}">Back</a></p>`;
}

/** The recovery codes, shown this once; the button leads to `next`. */
function recoveryCodesView(codes: readonly string[], next: string | null): Html {
  return html`<h1>Your recovery codes</h1>
<p class="warn">Print or save them now: they are not shown again. Each signs you in once, in the place of a code of
your app.</p>
<pre>${codes.join("\n")}</pre>
<div class="actions"><a class="button" href="${next ?? SECURITY_PATH}">I have saved them</a></div>`;
}

/** For who signed in with their organisation. */
function elsewhereView(): Html {
  return html`<h1>Second factor</h1>
<p>You signed in with your organisation, which protects your sign-in. To set up one of your own, sign in with your
password.</p>
<p><a href="${SECURITY_PATH}">Back</a></p>`;
}
