import { changePassword } from "../../../auth/change-password.ts";
import { checkCurrentPassword } from "../../../auth/current-password.ts";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { Password } from "../../../auth/members/member.ts";
import { readReset, requestReset, resetPassword } from "../../../auth/reset-password.ts";
import { FORGOTTEN_PATH, RESET_PATH } from "../../core/accounts/reset-mail.ts";
import { nobody, people } from "../kit/doors.ts";
import { type Html, html } from "../kit/html.ts";
import { input, secretInput } from "../kit/parts.ts";
import { refusalNote } from "../kit/refusal.ts";
import type { PageRoutes } from "../kit/routes.ts";
import type { OpenVisit, Visit } from "../kit/visit.ts";
import { tooManyAttempts } from "./sign-in-form.ts";

const PATH = "/password";
const SIGN_IN = "/signin?next=%2Fpassword";

/** What was wrong with a form, by field. */
interface Problems {
  current?: string;
  next?: string;
}

/** `/password`: a person changes their password, by giving the current one. */
export const PASSWORD_PAGE: PageRoutes = {
  listing: {
    ...{ path: PATH, name: "Password" },
    settings: { group: "You", words: "Change yours, which signs other browsers out." },
  },
  routes: people.page(PATH, (visit) => show(visit, 200, {}), { "": { send: change } }, people),
};

async function change(visit: Visit): Promise<unknown> {
  const { site, session, request, response, requestId } = visit;
  // The password is the person's in every workspace; a provider signs them in to one only.
  if (session.tenantId !== null) return show(visit, 403, {});
  const next = Password.safeParse(visit.field("new_password"));
  const current = visit.field("current_password").slice(0, 1_000);
  const reproving = { session, current, address: sourceOf(request.ip), requestId };
  const outcome = next.success
    ? await changePassword(site.core, { ...reproving, next: next.data })
    : await checkCurrentPassword(site.core, reproving);
  const problem = next.success ? {} : { next: `It ${next.error.issues[0]?.message ?? "cannot be used"}.` };
  if ("personId" in outcome && !next.success) return show(visit, 400, problem);
  if ("personId" in outcome) {
    const { personId, passwordHash } = outcome;
    const { secondFactor } = session;
    const who = { personId, tenantId: null, secondFactor, proof: { passwordHash } };
    return (await site.signIn(request, response, who)) ? "changed" : SIGN_IN;
  }
  if (outcome.refused === "wrong")
    return show(visit, 400, { ...problem, current: "This is not your current password." });
  return show(visit, 429, { current: tooManyAttempts(response, outcome) });
}

function show(visit: Visit, status: number, problems: Problems): void {
  const { session } = visit;
  const isAgain = Object.keys(problems).length > 0;
  const fields = html`
<input type="hidden" name="username" value="${session.email}" autocomplete="username">
${secretInput(
  { id: "current", name: "current_password", label: "Current password", problem: problems.current },
  html`autocomplete="current-password" required maxlength="1000"`,
  { isAgain },
)}
${secretInput(
  { id: "new", name: "new_password", label: "New password", hint: "At least 12 characters.", problem: problems.next },
  html`autocomplete="new-password" required minlength="12" maxlength="1000"`,
  { isAgain },
)}
<div class="actions"><button>Change password</button></div>`;
  const elsewhere = html`<p>You signed in with your organisation, which keeps your password. To change one you have
here, \
sign out and sign in with it.</p>`;
  const body = html`<h1>Password</h1>
${visit.note({ changed: "Your password is changed." })}
<p>Every other browser you are signed in with is signed out. Assistants you have connected stay connected.</p>
${session.tenantId === null ? visit.form(PATH, fields) : elsewhere}`;
  visit.show({ title: "Password", narrow: true, body }, status);
}

/** `/password/forgotten` and the link in its mail. GET uses nothing up, because mail programs open links. */
export const RESET_PAGES: PageRoutes = {
  routes: [
    nobody.get(FORGOTTEN_PATH, (visit) => send(visit, 200, forgottenView(visit.form(FORGOTTEN_PATH, EMAIL)))),
    nobody.post(FORGOTTEN_PATH, async (visit) => {
      const refused = await requestReset(visit.site.core, visit.field("email").slice(0, 320), asked(visit));
      return refused === null ? send(visit, 200, sent()) : sendTooMany(visit, refused);
    }),
    nobody.get(`${RESET_PATH}/:token`, async (visit) => showReset(visit, await readReset(...resetOf(visit)))),
    nobody.post(`${RESET_PATH}/:token`, async (visit) => {
      const [core, token, by] = resetOf(visit);
      const next = Password.safeParse(visit.field("new_password"));
      const reset = next.success
        ? await resetPassword(core, { token, next: next.data }, by)
        : await readReset(core, token, by);
      if (reset !== null && !("refused" in reset) && next.success) return "/signin?done=password_reset";
      return showReset(
        visit,
        reset,
        next.success ? undefined : `It ${next.error.issues[0]?.message ?? "cannot be used"}.`,
      );
    }),
  ],
};

const asked = ({ request, requestId }: OpenVisit) => ({ address: sourceOf(request.ip), requestId });

const resetOf = (visit: OpenVisit) => [visit.site.core, visit.request.params.token ?? "", asked(visit)] as const;

type Reset = Awaited<ReturnType<typeof readReset | typeof resetPassword>>;

/** The form for a new password, or why it is not shown. */
function showReset(visit: OpenVisit, reset: Reset, problem?: string): void {
  if (reset === null) return void send(visit, 404, gone());
  if ("refused" in reset) return void sendTooMany(visit, reset);
  const field = { id: "new", name: "new_password", label: "New password", hint: "At least 12 characters.", problem };
  const attributes = html`type="password" autocomplete="new-password" required minlength="12" maxlength="1000"
autofocus`;
  const fields = html`
<input type="hidden" name="username" value="${reset.email}" autocomplete="username">
${input(field, attributes)}
<div class="actions"><button>Change password</button></div>`;
  const body = html`<h1>Choose a new password</h1>
<p>For <strong>${reset.email}</strong>. Every browser you are signed in with is signed out. Assistants you have
connected stay
connected.</p>
${visit.form(visit.request.path, fields)}`;
  send(visit, problem === undefined ? 200 : 400, body);
}

function send(visit: OpenVisit, status: number, body: Html): void {
  // The address of the page is what opens the account.
  visit.response.setHeader("Referrer-Policy", "same-origin");
  visit.show({ title: "New password", narrow: true, body }, status);
}

function sendTooMany(visit: OpenVisit, refused: { retryAfterSeconds: number }): void {
  const message = tooManyAttempts(visit.response, refused);
  send(visit, 429, html`<h1>Choose a new password</h1>${refusalNote({ message })}`);
}

const EMAIL = html`
${input(
  { id: "email", name: "email", label: "Email" },
  html`type="email" autocomplete="username" required maxlength="320" autofocus`,
)}
<div class="actions"><button>Send the link</button></div>`;

function forgottenView(form: Html): Html {
  return html`<h1>Forgot your password?</h1>
<p>We mail you a link with which you choose a new one.</p>
${form}
<p><a href="/signin">Back to sign in</a></p>`;
}

function sent(): Html {
  return html`<h1>Check your email</h1>
<p>If there is an account with this email and a password, a link is on its way. It works once, for 30 minutes.</p>
<p class="quiet">Nothing came? Check your spam folder and the spelling of the email. If you sign in with your
organisation, you have no password here.</p>
<p><a href="/signin">Back to sign in</a></p>`;
}

function gone(): Html {
  return html`<h1>This link is no longer valid</h1>
<p>It was used, or its 30 minutes are over.</p>
<div class="actions"><a class="button" href="${FORGOTTEN_PATH}">Get another link</a></div>`;
}
