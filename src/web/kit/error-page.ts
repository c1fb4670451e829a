import type { IncomingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import type { ServiceError } from "../../core/gate/error.ts";
import { pageHeaders } from "./headers.ts";
import { html } from "./html.ts";
import { renderPage } from "./layout.ts";

/** A page that says one thing; with an error code for whoever makes the program that led here. */
export function messagePage(title: string, message: string, code: string | null = null): string {
  const body = html`<h1>${title}</h1>
<p>${message}</p>
${code !== null && html`<p class="quiet">Error code: ${code}</p>`}
<p><a href="/">To the start page</a></p>`;
  return renderPage({ title, person: null, narrow: true, body });
}

/** Answers a page that needs the store while that cannot be had. */
export function sendOutage(response: Response, { message, retryAfterSeconds = 0 }: ServiceError): void {
  response.setHeader("Retry-After", String(retryAfterSeconds));
  response.status(503).send(messagePage("Not available just now", message));
}

interface OAuthProblem {
  title: string;
  message: string;
  code: string;
}

/** How the authorization server shows a request that cannot go back to its client. */
export function oauthErrorPage(publicOrigin: string) {
  const setHeaders = pageHeaders({ publicOrigin, leadsAway: true });
  return (request: IncomingMessage, response: ServerResponse, problem: OAuthProblem): string => {
    setHeaders(request, response);
    return messagePage(problem.title, problem.message, problem.code);
  };
}
