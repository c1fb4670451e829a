import { PENDING_SECONDS, sealPending, stepAfterPassword } from "../../../auth/pending-sign-in.ts";
import { signInAtStep } from "../../../auth/sign-in.ts";
import { ORGANISATION_PATH } from "../../../auth/upstream-sign-in/flow.ts";
import { anySignIn } from "../../../auth/upstream-sign-in/providers.ts";
import { type Html, html, link, refusalNote, submit } from "../kit/markup.ts";
import { CODE_PATH, type OpenVisit, setUpFactorPath, withQuery } from "../kit/page.ts";
import { credential, originOf, signInByPassword, tooManyAttempts, typedProof } from "./credentials.ts";

/** Shown above a form that was not accepted. */
export interface SignInRefused {
  status: 400 | 429;
  message: string;
}

/** Where a sign-in goes on to, or why it was refused. */
type SignInOutcome = { goTo: string } | { refused: SignInRefused };

const refusedAs = (message: string, status: SignInRefused["status"] = 400) => ({ refused: { status, message } });

/** Signs in by the email and password of a submitted form, on the way to `next`. */
export async function signInByForm(visit: OpenVisit, next: string): Promise<SignInOutcome> {
  const { site, request, response } = visit;
  const outcome = await signInAtStep(site.core, {
    ...originOf(visit),
    email: typedProof(visit, "email"),
    password: typedProof(visit, "password"),
    browser: site.knownBrowser(request),
  });
  if ("personId" in outcome) return afterPassword(visit, { ...outcome, next });
  return outcome.refused === "wrong"
    ? refusedAs("The email or the password is not right.")
    : refusedAs(tooManyAttempts(response, outcome), 429);
}

/** Starts the session of a person whose password was right, or says what else their workspaces ask for. */
export async function afterPassword(
  visit: OpenVisit,
  proved: { personId: string; passwordHash: string; next: string },
): Promise<SignInOutcome> {
  const { site, response } = visit;
  const step = await stepAfterPassword(site.core, proved.personId);
  if (step === "provider") return refusedAs("Your workspace takes no passwords. Sign in with your organisation.");
  if (step === "code") {
    site.pending.set(response, sealPending(site.core, proved), PENDING_SECONDS);
    return { goTo: CODE_PATH };
  }
  if (!(await signInByPassword(visit, proved, false)))
    return refusedAs("The password was changed meanwhile. Sign in with the new one.");
  return { goTo: step === "set_up_factor" ? setUpFactorPath(proved.next) : proved.next };
}

interface SignInForm {
  /** Where it is sent: the path, or the path and its query. */
  readonly action: string;
  /** Where people go on to afterwards. */
  readonly next: string;
  readonly email: string;
  readonly refused: SignInRefused | null;
}

/** The sign-in form, with the ways beside it: by an organisation only where a workspace has an OpenID provider. */
export async function signInForm(visit: OpenVisit, { action, next, email, refused }: SignInForm): Promise<Html> {
  const isNew = email === "";
  const fields = [
    credential("email", { more: html`value="${email}"${isNew && html` autofocus`}` }),
    credential("password", { more: !isNew && html`autofocus` }),
    submit("Sign in"),
  ];
  const organisation = (await anySignIn(visit.site.core)) && withQuery(ORGANISATION_PATH, { next });
  return html`${refusalNote(refused)}
${visit.form(action.split("?")[0] ?? "", fields, { action })}
<p>${link("/password/forgotten", "Forgot your password?")}</p>
${organisation && html`<p>${link(organisation, "Sign in with your organisation")}</p>`}`;
}
