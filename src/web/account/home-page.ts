import { Router } from "express";
import { type Membership, membershipsOf } from "../../../auth/connections.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { noticeOf } from "../kit/admin-page.ts";
import { type Html, html } from "../kit/html.ts";
import { type Page, renderPage } from "../kit/layout.ts";
import type { Site } from "../kit/site.ts";
import { ROLE_NAMES } from "../kit/words.ts";

/** The pages for every member. */
const EVERYBODY = [
  {
    path: "/mcp",
    name: "Connect an assistant",
    words: "The address, what an assistant may and can never do, and how each is set up.",
  },
  { path: "/connections", name: "Assistant connections", words: "See what is connected, and stop it." },
];
/** The pages for admins only, shown after the others. */
const ADMINS = [
  { path: "/members", name: "Members", words: "Invite people, change what they may do, remove them." },
  { path: "/erp-connections", name: "ERP connections", words: "Where invoices come from, and how fresh they are." },
  { path: "/integrations", name: "Integrations", words: "The payment providers that customers pay through." },
  { path: "/api-keys", name: "API keys", words: "What systems call the API with." },
  { path: "/audit", name: "Audit trail", words: "Who changed what, and through which assistant or key." },
  { path: "/docs", name: "API reference", words: "Every operation of the API, with its fields and errors." },
];

/** The notice after a form, by the name in the query. */
const NOTICES = {
  joined: "You have joined the workspace.",
  stepped_down: "You are a member of the workspace now, and no longer one of its admins.",
};

/** `/`: links to every page. */
export function homePage(site: Site): Router {
  const router = Router();
  router.get("/", async (request, response) => {
    const session = await site.person(request);
    const page =
      session === null
        ? welcome(site)
        : home(session, await membershipsOf(site.core, session), noticeOf(NOTICES, request.query));
    response.send(renderPage(page));
  });
  return router;
}

function welcome({ publicOrigin }: Site): Page {
  const body = html`<h1>Receivables for assistants</h1>
<p>An assistant that is connected here reads a workspace's receivables for the person who approved it.</p>
<p class="address">The address to give an assistant: <code>${publicOrigin}/mcp</code></p>
<p><a href="/mcp">How to connect one</a>, and what it may and can never do.</p>
<p><a href="/signin">Sign in</a> to see and stop the assistants that are connected.</p>`;
  return { title: "Welcome", person: null, narrow: true, body };
}

function home(session: WebSession, workspaces: readonly Membership[], notice: Html | null): Page {
  const pages = session.administers ? [...EVERYBODY, ...ADMINS] : EVERYBODY;
  const body = html`<h1>${session.name === null ? "Welcome" : `Welcome, ${session.name}`}</h1>
${notice}
${yours(workspaces)}
<div class="forms">${pages.map(
    ({ path, name, words }) =>
      html`<article class="card"><h2><a href="${path}">${name}</a></h2><p>${words}</p></article>`,
  )}</div>`;
  return { title: "Home", person: session, body };
}

function yours(workspaces: readonly Membership[]): Html {
  if (workspaces.length === 0) return html`<p>You are not a member of any workspace.</p>`;
  return html`<p>Your workspaces: ${workspaces.map(({ name, role }, index) => html`${index > 0 && ", "}${name} (${ROLE_NAMES[role].toLowerCase()})`)}</p>`;
}
