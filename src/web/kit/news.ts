import { notFound } from "../../core/gate/error.ts";
import { Uuid } from "../../core/shared/validation.ts";
import { type Html, html } from "./html.ts";

/** What a page tells after a form was sent: the words of the first of `said` that the address names; null without any. */
export function newsOf(said: Readonly<Record<string, string>>, query: Readonly<Record<string, unknown>>): Html | null {
  const happened = Object.keys(said).find((name) => query[name] !== undefined);
  return happened === undefined ? null : html`<p class="status" role="status">${said[happened]}</p>`;
}

/** The id in a page's address. Throws `not_found`, of `what`, for what is none. */
export function idIn(text: string | undefined, what: string): string {
  const id = Uuid.safeParse(text).data;
  if (id === undefined) throw notFound(what);
  return id;
}
