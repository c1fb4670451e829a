import { type Request, type Response, Router } from "express";
import { html } from "../kit/html.ts";
import { type Page, renderPage, SETTINGS_PAGES } from "../kit/layout.ts";
import { SignedInRoutes, Visit } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { WorkspaceRoutes } from "../kit/workspace-pages.ts";
import { showOverview } from "../overview/overview-page.ts";

/** `/`: the overview of a workspace, and for strangers what this is; `/settings`: links to its pages. */
export function homePage(site: Site): Router {
  const router = Router();
  const workspaces = new WorkspaceRoutes(site);
  router.get("/", async (request: Request<Record<string, string>>, response: Response) => {
    const session = await site.person(request);
    if (session === null) return void response.send(renderPage(welcome(site)));
    await workspaces.enter(new Visit(site, request, response, session), showOverview);
  });
  const settings = new SignedInRoutes(site, "/settings");
  settings.get("/settings", async (visit) => visit.show({ title: "Settings", body: settingsView(visit) }));
  router.use(settings.router);
  return router;
}

function welcome({ publicOrigin }: Site): Page {
  const body = html`<h1>Receivables for assistants</h1>
<p>An assistant that is connected here reads a workspace's receivables for the person who approved it.</p>
<p class="address">The address to give an assistant: <code>${publicOrigin}/mcp</code></p>
<p><a href="/mcp">How to connect one</a>, and what it may and can never do.</p>
<p><a href="/signin">Sign in</a> to see a workspace's receivables, and the assistants that are connected.</p>`;
  return { title: "Welcome", person: null, narrow: true, body };
}

function settingsView({ session }: Visit) {
  const pages = SETTINGS_PAGES.filter(({ forAdmins }) => session.administers || !forAdmins);
  return html`<h1>Settings</h1>
<div class="forms">${[...pages, PASSWORD].map(
    ({ path, name, words }) =>
      html`<article class="card"><h2><a href="${path}">${name}</a></h2><p>${words}</p></article>`,
  )}</div>`;
}

const PASSWORD = { path: "/password", name: "Password", words: "Change yours, which signs other browsers out." };
