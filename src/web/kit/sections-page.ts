import { copyButtons } from "./assets.ts";
import { closedNote } from "./closed.ts";
import { administeredBy, adminsHere, people, showAdminsOnly } from "./doors.ts";
import { type Html, html, type Inserted } from "./html.ts";
import type { Listing } from "./navigation.ts";
import type { FormActs, PageRoutes } from "./routes.ts";
import { type Visit, WorkspaceVisit } from "./visit.ts";

interface SectionsPage {
  readonly path: string;
  readonly title: string;
  readonly settings: Omit<NonNullable<Listing["settings"]>, "forAdmins">;
  /** What a person who is not an admin is told, as the beginning of a sentence. */
  readonly adminsOnly: string;
  readonly intro: Inserted;
  /** Sections have texts to copy. */
  readonly hasCopies?: true;
  /** What was just done, by the name that a form answers. */
  readonly done: Readonly<Record<string, string>>;
  /** What is below the name of a workspace. */
  section(visit: WorkspaceVisit): Promise<Html>;
  /** The forms about one workspace, and the pages below: `/:tenantId` comes before the end of each path. */
  readonly acts: FormActs<WorkspaceVisit>;
}

/** A page of the settings for admins, with a section for each workspace they administer. */
export function sectionsPage(page: SectionsPage): PageRoutes {
  const { path, title, settings, adminsOnly, intro, hasCopies, done, section } = page;
  const show = async (visit: Visit) => {
    const workspaces = await administeredBy(visit);
    if (workspaces.length === 0) return showAdminsOnly(visit, title, adminsOnly);
    const sections = [];
    for (const workspace of workspaces) {
      const { tenantId, name } = workspace;
      const about = await section(new WorkspaceVisit(visit, workspace));
      sections.push(html`<section aria-labelledby="w-${tenantId}"><h2 id="w-${tenantId}">${name}</h2>
${about}</section>`);
    }
    const body = html`<h1>${title}</h1>
<p class="quiet">${intro}</p>
${visit.note(done)}${await closedNote(visit)}${sections}
${hasCopies && copyButtons(visit.response)}`;
    visit.show({ title, body });
  };
  const acts = Object.fromEntries(Object.entries(page.acts).map(([end, act]) => [`/:tenantId${end}`, act]));
  return {
    listing: { path, name: title, settings: { ...settings, forAdmins: true } },
    routes: people.page(path, show, acts, adminsHere),
  };
}
