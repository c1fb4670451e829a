import { anybody, enterWorkspace, people } from "../kit/doors.ts";
import { html } from "../kit/html.ts";
import { SETTINGS_PATH } from "../kit/navigation.ts";
import type { PageRoutes } from "../kit/routes.ts";
import { type OpenVisit, Visit } from "../kit/visit.ts";
import { showOverview } from "./overview-page.ts";

/** `/`: the overview of a workspace, and for strangers what this is. */
export const HOME_PAGE: PageRoutes = {
  listing: { path: "/", name: "Overview" },
  routes: [
    anybody.get("/", async (visit) => {
      const { session } = visit;
      if (session === null) return welcome(visit);
      const found = await enterWorkspace(new Visit({ ...visit, session }));
      return found && showOverview(found);
    }),
  ],
};

/** `/settings`: links to its pages. */
export const SETTINGS_PAGE: PageRoutes = {
  routes: [
    people.get(SETTINGS_PATH, (visit) => {
      const { navigation } = visit.site;
      visit.show({ title: "Settings", body: navigation.settingsView(visit.session) });
    }),
  ],
};

function welcome(visit: OpenVisit): void {
  const body = html`<h1>Receivables for assistants</h1>
<p>An assistant that is connected here reads a workspace's receivables for the person who approved it.</p>
<p class="address">The address to give an assistant: <code>${visit.site.publicOrigin}/mcp</code></p>
<p><a href="/mcp">How to connect one</a>, and what it may and can never do.</p>
<p><a href="/signin">Sign in</a> to see a workspace's receivables, and the assistants that are connected.</p>`;
  visit.show({ title: "Welcome", narrow: true, body });
}
