import type { IncomingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import type { Problem } from "../../../auth/authorization-server/policy.ts";
import type { Log } from "../../core/gate/dependencies.ts";
import { asServiceError, isOutage } from "../../core/kernel/error.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { shownNames } from "../../http/request-log.ts";
import { pageHeaders } from "./headers.ts";
import { html } from "./html.ts";
import { type Page, renderPage } from "./layout.ts";
import { muted, TO_START } from "./parts.ts";

/** Somebody who is signed in keeps the navigation. */
type Reader = Partial<Pick<Page, "person" | "navigation">>;

/** A page with one message; the error code is for developers of clients. */
export function messagePage(
  title: string,
  message: string,
  { code = null, person = null, navigation }: { code?: string | null } & Reader = {},
) {
  const body = html`<h1>${title}</h1>
<p>${message}</p>
${code !== null && muted(`Error code: ${code}`)}
${TO_START}`;
  return renderPage({ title, person, ...(navigation && { navigation }), narrow: true, body });
}

/** Answers with a page of what went wrong, under `title` unless it was not found; logs the unexpected as `event`. */
export function sendFailure(
  response: Response,
  thrown: unknown,
  failure: { log: Log; event: string; title: string; path?: string; reader?: Reader },
) {
  const { log, event, title, path, reader = {} } = failure;
  const error = asServiceError(thrown);
  const fields = {
    request_id: requestIdOf(response),
    ...(path === undefined ? {} : { path }),
    ...shownNames(response),
  };
  if (error.code === "internal_error") log.error({ ...fields, err: thrown }, event);
  const isAway = isOutage(error);
  if (isAway || error.retryAfterSeconds !== undefined)
    response.setHeader("Retry-After", String(error.retryAfterSeconds ?? 0));
  const about = error.code === "not_found" ? "Not found" : title;
  response
    .status(isAway ? 503 : error.httpStatus)
    .send(messagePage(isAway ? "Not available just now" : about, error.message, reader));
}

/** The page for authorization errors that cannot be sent to the client. */
export function oauthErrorPage(publicOrigin: string) {
  const setHeaders = pageHeaders({ publicOrigin, leadsAway: true });
  return (request: IncomingMessage, response: ServerResponse, problem: Problem) => {
    setHeaders(request, response);
    return messagePage(problem.title, problem.message, { code: problem.code });
  };
}
