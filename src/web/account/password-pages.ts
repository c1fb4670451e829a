import { changePassword } from "../../../auth/change-password.ts";
import { checkCurrentPassword } from "../../../auth/current-password.ts";
import { Password } from "../../../auth/members/member.ts";
import { readReset, requestReset, resetPassword } from "../../../auth/reset-password.ts";
import { FORGOTTEN_PATH, RESET_PATH } from "../../core/accounts/reset-mail.ts";
import { actions, buttonLink, html, type Inserted, link, muted, refusalNote, submit } from "../kit/markup.ts";
import { nobody, type OpenVisit, type PageRoutes, people, tokenHolder, type Visit } from "../kit/page.ts";
import {
  credential,
  type FormFaults,
  faultsOfNew,
  originOf,
  refusedProof,
  signInByPassword,
  tooManyAttempts,
  typedProof,
  usernameField,
} from "./credentials.ts";

const PATH = "/password";
const SIGN_IN = "/signin?next=%2Fpassword";

/** `/password`: a person changes their password, by giving the current one. */
export const PASSWORD_PAGE: PageRoutes = {
  listing: {
    ...{ path: PATH, name: "Password" },
    settings: { group: "You", words: "Change yours, which signs other browsers out." },
  },
  routes: people.page(PATH, (visit) => show(visit, 200, {}), { "": { send: change }, "/mail": { send: mail } }, people),
};

async function change(visit: Visit): Promise<unknown> {
  const { site, session } = visit;
  // The password is the person's in every workspace; a provider signs them in to one only.
  if (session.tenantId !== null) return show(visit, 403, {});
  const next = Password.safeParse(visit.field("new_password"));
  const reproving = { session, current: typedProof(visit, "current_password"), ...originOf(visit) };
  const outcome = next.success
    ? await changePassword(site.core, { ...reproving, next: next.data })
    : await checkCurrentPassword(site.core, reproving);
  if ("refused" in outcome) {
    const wrong = { current_password: "This is not your current password." };
    const { status, faults } = refusedProof(visit, outcome, wrong);
    return show(visit, status, { ...faultsOfNew(next), ...faults });
  }
  if (!next.success) return show(visit, 400, faultsOfNew(next));
  return (await signInByPassword(visit, outcome, session.secondFactor)) ? "changed" : SIGN_IN;
}

/** Mails who signed in with their organisation a link to choose a password, or says why not. */
async function mail(visit: Visit): Promise<unknown> {
  const { site, session } = visit;
  const asking = { ...originOf(visit), signedInAt: session.tenantId };
  const refused = await requestReset(site.core, session.email, asking);
  if (refused === null) return "mailed";
  if (refused.refused === "too_many") return tellTooMany(visit, refused);
  return show(visit, 409, {}, NOT_MAILED);
}

const NOT_MAILED =
  "No link is mailed: a password opens no workspace of yours, or one too to which another organisation signs you in. \
Once an admin there requires that sign-in, ask again here.";

const WHAT_CHANGES = "Changing it signs out your other browsers. Assistants you have connected stay connected.";
const ELSEWHERE =
  "You signed in with your organisation, which keeps your password, and opens its own workspace only. Other workspaces \
of yours may open with a password of this service: have a link mailed to you that lets you choose one.";

function show(visit: Visit, status: number, faults: FormFaults, message?: string): void {
  const { email, tenantId } = visit.session;
  const fields = [
    usernameField(email),
    credential("current_password", { faults }),
    credential("new_password", { faults }),
    submit("Change password"),
  ];
  const parts = [
    message !== undefined && refusalNote({ message }),
    visit.note({ changed: "Your password is changed.", mailed: MAILED }),
    ...(tenantId === null
      ? [WHAT_CHANGES, visit.form(PATH, fields)]
      : [ELSEWHERE, visit.form(`${PATH}/mail`, submit("Mail me a link"))]),
  ];
  visit.showNarrow("Password", "Password", parts, status);
}

/** `/password/forgotten` and the link in its mail. GET uses nothing up, because mail programs open links. */
export const RESET_PAGES: PageRoutes = {
  routes: [
    nobody.get(FORGOTTEN_PATH, (visit) => {
      const fields = [credential("email", { more: html`autofocus` }), submit("Send the link")];
      const form = visit.form(FORGOTTEN_PATH, fields);
      tell(visit, 200, "Forgot your password?", ["We mail you a link to choose a new one.", form, BACK]);
    }),
    nobody.post(FORGOTTEN_PATH, async (visit) => {
      const refused = await requestReset(visit.site.core, typedProof(visit, "email"), originOf(visit));
      return refused?.refused === "too_many" ? tellTooMany(visit, refused) : tell(visit, 200, "Check your email", SENT);
    }),
    nobody.get(`${RESET_PATH}/:token`, async (visit) => showReset(visit, await readReset(...resetOf(visit)))),
    tokenHolder.post(`${RESET_PATH}/:token`, async (visit) => {
      const [core, token, by] = resetOf(visit);
      const next = Password.safeParse(visit.field("new_password"));
      if (!next.success) return showReset(visit, await readReset(core, token, by), faultsOfNew(next));
      const reset = await resetPassword(core, { token, next: next.data }, by);
      if (reset === null || "refused" in reset) return showReset(visit, reset);
      visit.site.know(visit.response, reset.by);
      return "/signin?done=password_reset";
    }),
  ],
};

const MAILED = "A link is on its way. It works once, for 30 minutes.";

const BACK = html`<p>${link("/signin", "Back to sign in")}</p>`;

const SENT = [
  "If there is an account with this email that a password opens, a link is on its way. It works once, for 30 minutes.",
  muted(
    "Nothing came? Check your spam folder and the spelling of the email. If you sign in with your organisation, \
you need no password there. For another workspace, sign in with your organisation and ask for a first one under \
Settings, Password.",
  ),
  BACK,
];

const GONE = ["It was used, or its 30 minutes are over.", actions(buttonLink(FORGOTTEN_PATH, "Get another link", ""))];

const resetOf = (visit: OpenVisit) => [visit.site.core, visit.request.params.token ?? "", originOf(visit)] as const;

/** The form for a new password, or why it is not shown. */
function showReset(visit: OpenVisit, reset: Awaited<ReturnType<typeof readReset>>, faults: FormFaults = {}): void {
  if (reset === null) return void tell(visit, 404, "This link is no longer valid", GONE);
  if ("refused" in reset) return void tellTooMany(visit, reset);
  const { email } = reset;
  const fields = [
    usernameField(email),
    credential("new_password", { faults, more: html`autofocus` }),
    submit("Change password"),
  ];
  tell(visit, faults.new_password === undefined ? 200 : 400, "Choose a new password", [
    html`<p>For <strong>${email}</strong>. Every browser you are signed in with is signed out. Assistants you have
connected stay connected.</p>`,
    visit.form(visit.request.path, fields),
  ]);
}

function tell(visit: OpenVisit, status: number, heading: string, parts: readonly Inserted[]): void {
  // The address of the page is what opens the account.
  visit.response.setHeader("Referrer-Policy", "same-origin");
  visit.showNarrow("New password", heading, parts, status);
}

function tellTooMany(visit: OpenVisit, refused: { retryAfterSeconds: number }): void {
  const message = tooManyAttempts(visit.response, refused);
  tell(visit, 429, "Choose a new password", [refusalNote({ message })]);
}
