import type { Router } from "express";
import { html } from "../kit/html.ts";
import { type Page, renderPage } from "../kit/layout.ts";
import { PageRoutes } from "../kit/page-routes.ts";
import { SETTINGS_NAME, SETTINGS_PATH, settingsView } from "../kit/settings-pages.ts";
import { SignedInRoutes, Visit } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { inPageTurn } from "../kit/turns.ts";
import { WorkspaceRoutes } from "../kit/workspace-pages.ts";
import { showOverview } from "./overview-page.ts";

/** `/`: the overview of a workspace, and for strangers what this is; `/settings`: links to its pages. */
export function homePage(site: Site): Router {
  const routes = new PageRoutes(site);
  const workspaces = new WorkspaceRoutes(site);
  routes.get("/", (request, response) =>
    inPageTurn(site, request, async () => {
      const session = await site.person(request);
      if (session === null) return void response.send(renderPage(welcome(site)));
      await workspaces.enter(new Visit(site, request, response, session), showOverview);
    }),
  );
  const settings = new SignedInRoutes(site, SETTINGS_PATH);
  settings.get(SETTINGS_PATH, async (visit) => visit.show({ title: SETTINGS_NAME, body: settingsView(visit.session) }));
  return routes.router.use(settings.router);
}

function welcome({ publicOrigin }: Site): Page {
  const body = html`<h1>Receivables for assistants</h1>
<p>An assistant that is connected here reads a workspace's receivables for the person who approved it.</p>
<p class="address">The address to give an assistant: <code>${publicOrigin}/mcp</code></p>
<p><a href="/mcp">How to connect one</a>, and what it may and can never do.</p>
<p><a href="/signin">Sign in</a> to see a workspace's receivables, and the assistants that are connected.</p>`;
  return { title: "Welcome", person: null, narrow: true, body };
}
