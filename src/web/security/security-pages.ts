import type { Router } from "express";
import { endOtherSessions, endOwnSession, listOwnSessions } from "../../../auth/own-sessions.ts";
import type { CodeChecked } from "../../../auth/second-factor/check.ts";
import {
  beginEnrolment,
  confirmEnrolment,
  disableFactor,
  pendingEnrolment,
  readFactor,
  renewRecoveryCodes,
} from "../../../auth/second-factor/manage.ts";
import type { Core } from "../../core/gate/dependencies.ts";
import { SECURITY_PATH, tooManyAttempts } from "../account/sign-in-form.ts";
import { noticeOf } from "../kit/admin-page.ts";
import type { Html } from "../kit/html.ts";
import { SignedInRoutes, type Visit } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { elsewhereView, enrolView, factorView, recoveryCodesView, securityView } from "./security-view.ts";

/** The notice after a form, by the name in the query. */
const NOTICES = {
  required: "Your workspace asks for a second factor. Set one up to see it.",
  off: "The second factor is off. Your password suffices to sign in.",
  ended: "The browser was signed out.",
  others_ended: "All other browsers were signed out.",
};

const REFUSED = "This code is not right, or was used already.";

/** `/security`: a person's second factor, and the browsers they are signed in with. */
export function securityPages(site: Site): Router {
  const { core } = site;
  const routes = new SignedInRoutes(site, SECURITY_PATH);

  routes.get(SECURITY_PATH, (visit) => show(visit));

  routes.post(`${SECURITY_PATH}/sessions/end`, async (visit) => {
    await endOwnSession(core, visit.session, visit.field("session"));
    visit.redirect(`${SECURITY_PATH}?ended`);
  });
  routes.post(`${SECURITY_PATH}/sessions/end-others`, async (visit) => {
    await endOtherSessions(core, visit.session);
    visit.redirect(`${SECURITY_PATH}?others_ended`);
  });

  factorRoutes(core, routes);

  async function show(visit: Visit): Promise<void> {
    const { session, formField } = visit;
    const body = securityView({
      notice: noticeOf(NOTICES, visit.request.query),
      factor: isElsewhere(visit) ? null : await readFactor(core, session.personId),
      sessions: await listOwnSessions(core, session),
      formField,
    });
    visit.show({ title: "Security", body });
  }

  return routes.router;
}

/** Setting the second factor up, and changing it by a code. */
function factorRoutes(core: Core, routes: SignedInRoutes): void {
  routes.get(`${SECURITY_PATH}/factor`, async (visit) => {
    if (isElsewhere(visit)) return showElsewhere(visit);
    const state = await readFactor(core, visit.session.personId);
    if (state.isOn)
      return showFactor(visit, 200, factorView({ state, formField: visit.formField, problem: undefined }));
    const pending = (await pendingEnrolment(core, visit.session)) ?? (await beginEnrolment(core, visit.session));
    if (pending === null) return visit.redirect(SECURITY_PATH);
    showFactor(visit, 200, enrolView({ ...pending, formField: visit.formField, problem: undefined }));
  });

  routes.post(`${SECURITY_PATH}/factor`, async (visit) => {
    if (isElsewhere(visit)) return showElsewhere(visit);
    const pending = await pendingEnrolment(core, visit.session);
    if (pending === null) return visit.redirect(`${SECURITY_PATH}/factor`);
    const codes = await confirmEnrolment(core, given(visit));
    if (codes !== null) return showFactor(visit, 200, recoveryCodesView(codes));
    const problem = "This code is not right. Check the clock of your phone, and give the code it shows now.";
    showFactor(visit, 400, enrolView({ ...pending, formField: visit.formField, problem }));
  });

  routes.post(`${SECURITY_PATH}/factor/off`, async (visit) => {
    if (isElsewhere(visit)) return showElsewhere(visit);
    const checked = await disableFactor(core, given(visit));
    if ("refused" in checked) return refuse(visit, checked);
    visit.redirect(`${SECURITY_PATH}?off`);
  });

  routes.post(`${SECURITY_PATH}/factor/codes`, async (visit) => {
    if (isElsewhere(visit)) return showElsewhere(visit);
    const renewed = await renewRecoveryCodes(core, given(visit));
    if ("refused" in renewed) return refuse(visit, renewed);
    showFactor(visit, 200, recoveryCodesView(renewed.codes));
  });

  async function refuse(visit: Visit, checked: Exclude<CodeChecked, { ok: true }>): Promise<void> {
    const isWrong = checked.refused === "wrong";
    const problem = isWrong ? REFUSED : tooManyAttempts(checked.retryAfterSeconds).message;
    if (!isWrong) visit.response.setHeader("Retry-After", String(checked.retryAfterSeconds));
    const state = await readFactor(core, visit.session.personId);
    const body = state.isOn ? factorView({ state, formField: visit.formField, problem }) : elsewhereView();
    showFactor(visit, isWrong ? 400 : 429, body);
  }
}

/** A second factor is the person's in every workspace; a provider signs them in to one only. */
const isElsewhere = ({ session }: Visit): boolean => session.tenantId !== null;

function showElsewhere(visit: Visit): void {
  showFactor(visit, 403, elsewhereView());
}

function showFactor(visit: Visit, status: number, body: Html): void {
  visit.show({ title: "Second factor", narrow: true, body }, status);
}

function given(visit: Visit) {
  return { session: visit.session, code: visit.field("code").slice(0, 100), requestId: visit.requestId };
}
