import {
  beginEnrolment,
  ENROLMENT_SECONDS,
  type Enrolment,
  openEnrolment,
} from "../../../auth/second-factor/enrolment.ts";
import {
  confirmEnrolment,
  disableFactor,
  type FactorState,
  readFactor,
  renewRecoveryCodes,
} from "../../../auth/second-factor/manage.ts";
import {
  credential,
  type FormFaults,
  originOf,
  refusedProof,
  signInByPassword,
  typedProof,
  usernameField,
} from "../account/credentials.ts";
import {
  actions,
  buttonLink,
  disclosure,
  type Html,
  html,
  type Inserted,
  link,
  muted,
  submit,
  timeElement,
  warning,
} from "../kit/markup.ts";
import {
  FACTOR_PATH,
  type FormAct,
  type PageRoute,
  people,
  SECURITY_PATH,
  type Visit,
  withQuery,
} from "../kit/page.ts";
import { destination } from "../kit/site.ts";

const WRONG = {
  current_password: "This is not your current password.",
  code: "This code is not right, or was used already.",
};
const WRONG_FIRST_CODE = "This code is not right. Check the clock of your phone, and give the code it shows now.";

/** A second factor is the person's in every workspace; a provider signs them in to one only. */
export const isElsewhere = ({ session }: Visit): boolean => session.tenantId !== null;

/** Where a person was going who was sent to set up a second factor; null without such a place, or for one of others. */
export function nextOf({ site, request }: Visit): string | null {
  return destination(site.publicOrigin, request.query.next, "") || null;
}

const forPasswords = (work: (visit: Visit) => Promise<unknown>) => async (visit: Visit) =>
  isElsewhere(visit) ? show(visit, 403, "Second factor", ELSEWHERE) : work(visit);

const changing = (send: (visit: Visit) => Promise<unknown>): FormAct<Visit> => ({ send: forPasswords(send) });

/** `/security/factor`: a person sets up, renews or switches off their second factor, by their password and a code. */
export const FACTOR_ROUTES: readonly PageRoute[] = people.page(
  FACTOR_PATH,
  forPasswords((visit) => showFactor(visit, 200, {})),
  {
    "": changing(switchOn),
    "/off": changing(async (visit) => {
      const done = await disableFactor(visit.site.core, given(visit));
      if ("refused" in done) return refuse(visit, "off", done);
      await signInByPassword(visit, { ...visit.session, ...done }, false);
      return `${SECURITY_PATH}?done=off`;
    }),
    "/codes": changing(async (visit) => {
      const done = await renewRecoveryCodes(visit.site.core, given(visit));
      return "refused" in done ? refuse(visit, "codes", done) : showCodes(visit, done.codes, null);
    }),
  },
  people,
);

async function switchOn(visit: Visit): Promise<void> {
  const { site, session, request, response } = visit;
  const enrolment = openEnrolment(site.core, session, site.enrolment.read(request));
  if (enrolment === null) return visit.redirect(factorPath(nextOf(visit)));
  const done = await confirmEnrolment(site.core, { ...given(visit), secret: enrolment.secret });
  if ("refused" in done) {
    const { status, faults } = refusedProof(visit, done, { ...WRONG, code: WRONG_FIRST_CODE });
    return showEnrolment(visit, status, enrolment, faults);
  }
  site.enrolment.clear(response);
  // The change ended the session, which may be in other hands: this browser gets another.
  await signInByPassword(visit, { ...session, ...done }, true);
  showCodes(visit, done.codes, nextOf(visit));
}

/** The one this browser is setting up, else a new one. */
function enrolmentOf({ site, session, request, response }: Visit): Enrolment {
  const begun = openEnrolment(site.core, session, site.enrolment.read(request));
  if (begun !== null) return begun;
  const { cookie, ...enrolment } = beginEnrolment(site.core, session);
  site.enrolment.set(response, cookie, ENROLMENT_SECONDS);
  return enrolment;
}

type BothFaults = { readonly off?: FormFaults; readonly codes?: FormFaults };

async function refuse(visit: Visit, form: keyof BothFaults, refused: Parameters<typeof refusedProof>[1]) {
  const { status, faults } = refusedProof(visit, refused, WRONG);
  return showFactor(visit, status, { [form]: faults });
}

/** A second factor that is on, or the way to one. */
async function showFactor(visit: Visit, status: number, faults: BothFaults): Promise<unknown> {
  const state = await readFactor(visit.site.core, visit.session.personId);
  if (state.isOn) return show(visit, status, "Second factor", factorParts(visit, state, faults));
  return status === 200 ? showEnrolment(visit, status, enrolmentOf(visit), {}) : FACTOR_PATH;
}

function show(visit: Visit, status: number, heading: string, parts: readonly Inserted[]): void {
  visit.showNarrow("Second factor", heading, parts, status);
}

function given(visit: Visit) {
  const { session } = visit;
  return {
    session,
    current: typedProof(visit, "current_password"),
    code: typedProof(visit, "code"),
    ...originOf(visit),
  };
}

/** The page that sets a second factor up, on the way to `next`. */
export const factorPath = (next: string | null): string => withQuery(FACTOR_PATH, { next });

/** The fields that every change asks for; neither is ever filled in for the person. */
function proofFields(key: string, faults: FormFaults = {}, hint?: string): Html[] {
  return [
    credential("current_password", { key, faults }),
    credential("code", { key, faults, ...(hint !== undefined && { hint }) }),
  ];
}

/** How to set up an app, and the form for its first code. */
function showEnrolment(visit: Visit, status: number, { secret, uri }: Enrolment, faults: FormFaults): void {
  const next = nextOf(visit);
  const fields = [usernameField(visit.session.email), proofFields("on-", faults), submit("Switch it on")];
  show(visit, status, "Set up an authenticator app", [
    html`<ol>
<li>On your phone, <a href="${uri}">open this link</a> in an authenticator app, or add an account there by hand with
this key (time-based, 6 digits):
<pre>${secret.match(/.{1,4}/g)?.join(" ")}</pre></li>
<li>Give your password, and the code that the app shows.</li>
</ol>`,
    visit.form(FACTOR_PATH, fields, { action: factorPath(next) }),
    muted(
      "Your other browsers are signed out then. Assistants you have connected stay connected. If an earlier \
try left an account in the app whose codes are not taken, remove it.",
    ),
    html`<p>${link(next ?? SECURITY_PATH, "Not now")}</p>`,
  ]);
}

const BACK = html`<p>${link(SECURITY_PATH, "Back")}</p>`;

/** Since when a second factor is on, and the recovery codes that are left. */
export function factorSummary({ since, recoveryCodes }: FactorState & { isOn: true }): Html {
  return html`<p><span class="state good">On</span> since ${timeElement(since, "UTC")} UTC. Recovery codes
left: ${recoveryCodes}.</p>`;
}

/** What can be done with a second factor that is on, by the password and a code; faults are those of one form. */
function factorParts(visit: Visit, state: FactorState & { isOn: true }, { off, codes }: BothFaults): Inserted[] {
  const hint = "Of your app, or a recovery code.";
  const button = html`<button class="danger">Switch off the second factor</button>`;
  return [
    factorSummary(state),
    visit.form(`${FACTOR_PATH}/codes`, [proofFields("codes-", codes, hint), submit("Make new recovery codes")]),
    disclosure(
      "Switch it off",
      off !== undefined,
      html`<p>Signing in takes your password only, and your other browsers are signed out. A workspace that
requires a second factor is closed to you until you set one up again.</p>
${visit.form(`${FACTOR_PATH}/off`, [proofFields("off-", off, hint), actions(button)])}`,
    ),
    BACK,
  ];
}

/** The recovery codes, shown this once; the button leads to `next`. */
function showCodes(visit: Visit, codes: readonly string[], next: string | null): void {
  show(visit, 200, "Your recovery codes", [
    warning(
      "Print or save them now: they are not shown again. Each signs you in once, in the place of a code of your app.",
    ),
    html`<pre>${codes.join("\n")}</pre>`,
    actions(buttonLink(next ?? SECURITY_PATH, "I have saved them", "")),
  ]);
}

/** For who signed in with their organisation. */
const ELSEWHERE = [
  "You signed in with your organisation, which protects your sign-in. To set up one of your own, sign in with \
your password.",
  BACK,
];
