import { changePassword } from "../../../auth/change-password.ts";
import { checkCurrentPassword } from "../../../auth/current-password.ts";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { Password } from "../../../auth/members/member.ts";
import { people } from "../kit/doors.ts";
import { secretInput } from "../kit/fields.ts";
import { html } from "../kit/html.ts";
import type { PageRoutes } from "../kit/routes.ts";
import type { Visit } from "../kit/visit.ts";
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
