import type { Response } from "express";
import { triedTooOften } from "../../../auth/attempt-limits.ts";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { PENDING_SECONDS, sealPending, stepAfterPassword } from "../../../auth/pending-sign-in.ts";
import { signInAtStep } from "../../../auth/sign-in.ts";
import { ORGANISATION_PATH } from "../../../auth/upstream-sign-in/flow.ts";
import { anySignIn } from "../../../auth/upstream-sign-in/providers.ts";
import { CODE_PATH, setUpFactorPath, withQuery } from "../kit/address.ts";
import { type Html, html } from "../kit/html.ts";
import { input } from "../kit/parts.ts";
import { refusalNote } from "../kit/refusal.ts";
import type { OpenVisit } from "../kit/visit.ts";

/** Shown above a form that was not accepted. */
export interface SignInRefused {
  status: 400 | 429;
  message: string;
}

/** Where a sign-in goes on to, or why it was refused. */
type SignInOutcome = { goTo: string } | { refused: SignInRefused };

/** Signs in by the email and password of a submitted form, on the way to `next`. */
export async function signInByForm(visit: OpenVisit, next: string): Promise<SignInOutcome> {
  const { site, request, response, requestId } = visit;
  const outcome = await signInAtStep(site.core, {
    email: visit.field("email").slice(0, 320),
    password: visit.field("password").slice(0, 1_000),
    address: sourceOf(request.ip),
    browser: site.knownBrowser(request),
    requestId,
  });
  if ("personId" in outcome) return afterPassword(visit, { ...outcome, next });
  if (outcome.refused === "wrong")
    return { refused: { status: 400, message: "The email or the password is not right." } };
  return { refused: { status: 429, message: tooManyAttempts(response, outcome) } };
}

/** Starts the session of a person whose password was right, or says what else their workspaces ask for. */
export async function afterPassword(
  { site, request, response }: OpenVisit,
  { personId, passwordHash, next }: { personId: string; passwordHash: string; next: string },
): Promise<SignInOutcome> {
  const step = await stepAfterPassword(site.core, personId);
  if (step === "provider")
    return { refused: { status: 400, message: "Your workspace takes no passwords. Sign in with your organisation." } };
  if (step === "code") {
    site.pending.set(response, sealPending(site.core, { personId, passwordHash, next }), PENDING_SECONDS);
    return { goTo: CODE_PATH };
  }
  const who = { personId, tenantId: null, secondFactor: false, proof: { passwordHash } };
  if (!(await site.signIn(request, response, who)))
    return { refused: { status: 400, message: "The password was changed meanwhile. Sign in with the new one." } };
  return { goTo: step === "set_up_factor" ? setUpFactorPath(next) : next };
}

/** The message of an answer 429 after too many failed attempts; it says when to try again in a header, too. */
export function tooManyAttempts(response: Response, { retryAfterSeconds }: { retryAfterSeconds: number }): string {
  response.setHeader("Retry-After", String(retryAfterSeconds));
  return triedTooOften(retryAfterSeconds);
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
  const fields = html`
${input(
  { id: "email", name: "email", label: "Email" },
  html`type="email" value="${email}" autocomplete="username" required maxlength="320"${isNew && html` autofocus`}`,
)}
${input(
  { id: "password", name: "password", label: "Password" },
  html`type="password" autocomplete="current-password" required maxlength="1000"${!isNew && html` autofocus`}`,
)}
<div class="actions"><button>Sign in</button></div>`;
  const organisation = (await anySignIn(visit.site.core)) && withQuery(ORGANISATION_PATH, { next });
  return html`${refusalNote(refused)}
${visit.form(action.split("?")[0] ?? "", fields, { action })}
<p><a href="/password/forgotten">Forgot your password?</a></p>
${organisation && html`<p><a href="${organisation}">Sign in with your organisation</a></p>`}`;
}
