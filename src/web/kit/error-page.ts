import type { IncomingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import type { ServiceError } from "../../core/gate/error.ts";
import { pageHeaders } from "./headers.ts";
import { html } from "./html.ts";
import { renderPage } from "./layout.ts";

/** A page with one message; the error code is for developers of clients. */
export function messagePage(title: string, message: string, code: string | null = null): string {
  const body = html`<h1>${title}</h1>
<p>${message}</p>
${code !== null && html`<p class="quiet">Error code: ${code}</p>`}
<p><a href="/">To the start page</a></p>`;
  return renderPage({ title, person: null, narrow: true, body });
}

/** Answers 503 while the store is unavailable. */
export function sendOutage(response: Response, { message, retryAfterSeconds = 0 }: ServiceError): void {
  response.setHeader("Retry-After", String(retryAfterSeconds));
  response.status(503).send(messagePage("Not available just now", message));
}

interface OAuthProblem {
  title: string;
  message: string;
  code: string;
}

/** The page for authorization errors that cannot be sent to the client. */
export function oauthErrorPage(publicOrigin: string) {
  const setHeaders = pageHeaders({ publicOrigin, leadsAway: true });
  return (request: IncomingMessage, response: ServerResponse, problem: OAuthProblem): string => {
    setHeaders(request, response);
    return messagePage(problem.title, problem.message, problem.code);
  };
}
