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
  readFactor,
  renewRecoveryCodes,
} from "../../../auth/second-factor/manage.ts";
import { tooManyAttempts } from "../account/sign-in-form.ts";
import { people } from "../kit/doors.ts";
import type { Html } from "../kit/html.ts";
import type { PageRoute } from "../kit/routes.ts";
import { SECURITY_PATH } from "../kit/sign-in-paths.ts";
import { destination } from "../kit/site.ts";
import type { Visit } from "../kit/visit.ts";
import {
  elsewhereView,
  enrolView,
  FACTOR_PATH,
  type FactorProblems,
  factorPath,
  factorView,
  recoveryCodesView,
} from "./factor-view.ts";

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
