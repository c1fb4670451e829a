import type { Router } from "express";
import { endOtherSessions, endOwnSession, listOwnSessions } from "../../../auth/own-sessions.ts";
import { readFactor } from "../../../auth/second-factor/manage.ts";
import { noticeOf } from "../kit/admin-page.ts";
import { SECURITY_PATH } from "../kit/sign-in-paths.ts";
import { SignedInRoutes, type Visit } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { factorRoutes, isElsewhere, nextOf } from "./factor-pages.ts";
import { securityView } from "./security-view.ts";

/** The notice after a form, by the name in the query. */
const NOTICES = {
  required: "Your workspace asks for a second factor. Set one up to see it.",
  off: "The second factor is off. Your password suffices to sign in.",
  ended: "The browser was signed out.",
  others_ended: "All other browsers were signed out.",
};

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

  factorRoutes(site, routes);

  async function show(visit: Visit): Promise<void> {
    const { session } = visit;
    const body = securityView({
      notice: noticeOf(NOTICES, visit.request.query),
      factor: isElsewhere(visit) ? null : await readFactor(core, session.personId),
      sessions: await listOwnSessions(core, session),
      visit,
      next: nextOf(visit),
    });
    visit.show({ title: "Security", body });
  }

  return routes.router;
}
