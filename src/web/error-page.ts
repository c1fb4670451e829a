import type { IncomingMessage, ServerResponse } from "node:http";
import { pageHeaders } from "./headers.ts";
import { html } from "./html.ts";
import { renderPage } from "./layout.ts";

/** A page that says one thing. */
export function messagePage(title: string, message: string): string {
  const body = html`<h1>${title}</h1>
<p>${message}</p>
<p><a href="/">To the start page</a></p>`;
  return renderPage({ title, person: null, narrow: true, body });
}

/** How the authorization server shows a request that cannot go back to its client. */
export function oauthErrorPage(publicOrigin: string) {
  const setHeaders = pageHeaders({ publicOrigin, leadsAway: true });
  return (request: IncomingMessage, response: ServerResponse, problem: { title: string; message: string }): string => {
    setHeaders(request, response);
    return messagePage(problem.title, problem.message);
  };
}
