import { notFound } from "../../core/gate/error.ts";
import { Uuid } from "../../core/shared/validation.ts";
import { type Html, html } from "./html.ts";

/** The notice after a form: the first of `notices` whose name is in the query; null without any. */
export function noticeOf(
  notices: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>>,
): Html | null {
  const name = Object.keys(notices).find((key) => query[key] !== undefined);
  return name === undefined ? null : html`<p class="status" role="status">${notices[name]}</p>`;
}

/** The id in a page's address. Throws `not_found`, of `what`, for anything that is not a UUID. */
export function idIn(text: string | undefined, what: string): string {
  const id = Uuid.safeParse(text).data;
  if (id === undefined) throw notFound(what);
  return id;
}
