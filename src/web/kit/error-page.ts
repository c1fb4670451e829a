import type { IncomingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import type { Problem } from "../../../auth/authorization-server/policy.ts";
import type { Log } from "../../core/gate/dependencies.ts";
import { asServiceError, isOutage } from "../../core/kernel/error.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { pageHeaders } from "./headers.ts";
import { html } from "./html.ts";
import { type PagePerson, renderPage } from "./layout.ts";

/** Keeps the navigation of somebody who is signed in. */
const NOWHERE = { address: (path: string): string => path, workspaces: [], within: "" };

/** A page with one message; the error code is for developers of clients. */
export function messagePage(
  title: string,
  message: string,
  { code = null, person = null }: { code?: string | null; person?: PagePerson | null } = {},
): string {
  const body = html`<h1>${title}</h1>
<p>${message}</p>
${code !== null && html`<p class="quiet">Error code: ${code}</p>`}
<p><a href="/">To the start page</a></p>`;
  return renderPage({ title, person, place: NOWHERE, narrow: true, body });
}

/** Answers with a page of what went wrong, under `title` unless it was not found; unexpected errors are logged as `event`. */
export function sendFailure(
  response: Response,
  thrown: unknown,
  failure: { log: Log; event: string; title: string; path?: string; person?: PagePerson | null },
): void {
  const { log, event, title, path, person = null } = failure;
  const error = asServiceError(thrown);
  if (error.code === "internal_error")
    log.error({ request_id: requestIdOf(response), ...(path === undefined ? {} : { path }), err: thrown }, event);
  const isAway = isOutage(error);
  if (isAway || error.retryAfterSeconds !== undefined)
    response.setHeader("Retry-After", String(error.retryAfterSeconds ?? 0));
  if (isAway) {
    response.status(503).send(messagePage("Not available just now", error.message, { person }));
    return;
  }
  response
    .status(error.httpStatus)
    .send(messagePage(error.code === "not_found" ? "Not found" : title, error.message, { person }));
}

/** The page for authorization errors that cannot be sent to the client. */
export function oauthErrorPage(publicOrigin: string) {
  const setHeaders = pageHeaders({ publicOrigin, leadsAway: true });
  return (request: IncomingMessage, response: ServerResponse, problem: Problem): string => {
    setHeaders(request, response);
    return messagePage(problem.title, problem.message, { code: problem.code });
  };
}
