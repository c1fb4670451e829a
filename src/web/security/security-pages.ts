import { endOtherSessions, endOwnSession, listOwnSessions } from "../../../auth/own-sessions.ts";
import { readFactor } from "../../../auth/second-factor/manage.ts";
import { people } from "../kit/doors.ts";
import { statusNote } from "../kit/html.ts";
import { doing, type PageRoutes } from "../kit/routes.ts";
import { SECURITY_PATH } from "../kit/sign-in-paths.ts";
import type { Visit } from "../kit/visit.ts";
import { FACTOR_ROUTES, isElsewhere, nextOf } from "./factor-pages.ts";
import { securityView } from "./security-view.ts";

/** What was just done, by the name in the address. */
const DONE = {
  off: "The second factor is off. Your password suffices to sign in.",
  ended: "The browser was signed out.",
  others_ended: "All other browsers were signed out.",
};

/** `/security`: a person's second factor, and the browsers they are signed in with. */
export const SECURITY_PAGES: PageRoutes = {
  listing: {
    ...{ path: SECURITY_PATH, name: "Security" },
    settings: { group: "You", words: "A second factor, and where you are signed in." },
  },
  routes: [
    ...people.page(
      SECURITY_PATH,
      show,
      {
        "/sessions/end": doing("ended", (visit: Visit) =>
          endOwnSession(visit.site.core, visit.session, visit.field("session")),
        ),
        "/sessions/end-others": doing("others_ended", ({ site, session }: Visit) =>
          endOtherSessions(site.core, session),
        ),
      },
      people,
    ),
    ...FACTOR_ROUTES,
  ],
};

async function show(visit: Visit): Promise<void> {
  const { core } = visit.site;
  const { session, request } = visit;
  const isRequired = request.query.required !== undefined;
  const body = securityView({
    notice: isRequired
      ? statusNote("Your workspace asks for a second factor. Set one up to see it.")
      : visit.note(DONE),
    factor: isElsewhere(visit) ? null : await readFactor(core, session.personId),
    sessions: await listOwnSessions(core, session),
    visit,
    next: nextOf(visit),
  });
  visit.show({ title: "Security", body });
}
