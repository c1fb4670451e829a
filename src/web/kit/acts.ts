import { adminsOnlyView } from "./admin-page.ts";
import { type Html, html } from "./html.ts";
import { refusalNote } from "./refusal.ts";
import { parameter, type WorkspaceVisit } from "./workspace-pages.ts";

/** Tells a member that a page or form is for admins. */
export async function adminsOnly(visit: WorkspaceVisit): Promise<void> {
  const body = adminsOnlyView("Only an admin of the workspace can do that");
  visit.show({ title: "For admins only", within: "", narrow: true, body }, 403);
}

/** Why the form was not carried out, where no form shows it, or what was just done, by the address that it led to. */
export function doneNote({ visit }: WorkspaceVisit, words: Readonly<Record<string, string>>): Html | null {
  if (visit.refusal !== null) return refusalNote(visit.refusedBelow("/"));
  const done = parameter(visit.request, "done") ?? "";
  const said = Object.hasOwn(words, done) ? words[done] : undefined;
  return said === undefined ? null : html`<p class="status" role="status">${said}</p>`;
}
