import type { Router } from "express";
import { changePassword } from "../../../auth/change-password.ts";
import { checkCurrentPassword } from "../../../auth/current-password.ts";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { Password } from "../../../auth/members/member.ts";
import { secretInput } from "../kit/fields.ts";
import { html } from "../kit/html.ts";
import type { Page } from "../kit/layout.ts";
import { SignedInRoutes, type Visit } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { tooManyAttempts } from "./sign-in-form.ts";

const PATH = "/password";
const SIGN_IN = "/signin?next=%2Fpassword";

/** What was wrong with a form, by field. */
interface Problems {
  current?: string;
  next?: string;
}

/** `/password`: a person changes their password, by giving the current one. */
export function passwordPages(site: Site): Router {
  const routes = new SignedInRoutes(site, PATH);

  routes.get(PATH, async (visit) => {
    const notice = visit.request.query.changed === undefined ? null : "Your password is changed.";
    visit.show(formPage(visit, notice, {}));
  });

  routes.post(PATH, async (visit) => {
    const { session, request, response } = visit;
    const refuse = (status: number, problems: Problems): void => visit.show(formPage(visit, null, problems), status);
    // The password is the person's in every workspace; a provider signs them in to one only.
    if (session.tenantId !== null) return refuse(403, {});
    const next = Password.safeParse(visit.field("new_password"));
    const reproving = {
      session,
      current: visit.field("current_password").slice(0, 1_000),
      address: sourceOf(request.ip),
      requestId: visit.requestId,
    };
    const outcome = next.success
      ? await changePassword(site.core, { ...reproving, next: next.data })
      : await checkCurrentPassword(site.core, reproving);
    const problem = next.success ? {} : { next: `It ${next.error.issues[0]?.message ?? "cannot be used"}.` };
    if ("personId" in outcome && !next.success) return refuse(400, problem);
    if ("personId" in outcome) {
      const { personId, passwordHash } = outcome;
      const isSignedIn = await site.signIn(request, response, {
        personId,
        tenantId: null,
        secondFactor: session.secondFactor,
        proof: { passwordHash },
      });
      return visit.redirect(isSignedIn ? `${PATH}?changed` : SIGN_IN);
    }
    if (outcome.refused === "wrong") return refuse(400, { ...problem, current: "This is not your current password." });
    refuse(429, { current: tooManyAttempts(response, outcome) });
  });

  return routes.router;
}

function formPage(visit: Visit, notice: string | null, problems: Problems): Omit<Page, "person"> {
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
  const elsewhere = html`<p>You signed in with your organisation, which keeps your password. To change one you have here, sign out and sign in with it.</p>`;
  const body = html`<h1>Password</h1>
${notice !== null && html`<p class="status" role="status">${notice}</p>`}
<p>Every other browser you are signed in with is signed out. Assistants you have connected stay connected.</p>
${session.tenantId === null ? visit.form(PATH, fields, { look: "" }) : elsewhere}`;
  return { title: "Password", narrow: true, body };
}
