import type { Router } from "express";
import { type Membership, membershipsOf } from "../../../auth/connections.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { notFound } from "../../core/kernel/error.ts";
import { copyButtons } from "./copy.ts";
import { type Html, html, type Inserted } from "./html.ts";
import { refusalNote } from "./refusal.ts";
import { SignedInRoutes, type Visit } from "./signed-in.ts";
import type { Site } from "./site.ts";

interface AdminPageOptions {
  path: string;
  title: string;
  /** What a person who is not an admin is told, as the beginning of a sentence. */
  adminsOnly: string;
  intro: Inserted;
  /** Sections have texts to copy. */
  hasCopies?: true;
  /** What was just done, by the name that a form leads to. */
  notices: Readonly<Record<string, string>>;
  section: (workspace: Membership, visit: Visit) => Promise<Html>;
}

/** A page for admins, with a section for each workspace they administer, and the forms and pages below it. */
export class AdminPage {
  readonly #site: Site;
  readonly #options: AdminPageOptions;
  readonly #routes: SignedInRoutes;

  constructor(site: Site, options: AdminPageOptions) {
    this.#site = site;
    this.#options = options;
    this.#routes = new SignedInRoutes(site, options.path);
    this.#routes.get(options.path, (visit) => this.#show(visit));
  }

  get router(): Router {
    return this.#routes.router;
  }

  /** A page of one workspace, below the list: `/:tenantId` and `path`. */
  page(path: string, title: string, view: (visit: Visit, workspace: Membership) => Promise<Html>): void {
    this.#routes.get(`${this.#options.path}/:tenantId${path}`, async (visit) => {
      const workspace = await this.#workspaceOf(visit);
      visit.show({ title, narrow: true, body: await view(visit, workspace) });
    });
  }

  /** A form of one workspace: `submit` answers the address to go on to or the name of a notice, or shows one itself. */
  form(
    path: string,
    submit: (visit: Visit, workspace: Membership) => Promise<string | Html>,
    { maxFileBytes }: { maxFileBytes?: number } = {},
  ): void {
    const work = async (visit: Visit, workspace: Membership): Promise<void> => {
      const done = await visit.attempt(() => submit(visit, workspace));
      if (typeof done !== "string") return this.#show(visit, done);
      visit.redirect(done.startsWith("/") ? done : `${this.#options.path}?${done}`);
    };
    this.#routes.postTo(`${this.#options.path}/:tenantId${path}`, this.#workspaceOf, work, maxFileBytes);
  }

  readonly #workspaceOf = ({ session, request }: Visit): Promise<Membership> =>
    administeredBy(this.#site, session, request.params.tenantId);

  async #show(visit: Visit, notice: Html | null = null): Promise<void> {
    const { title, adminsOnly, intro, hasCopies, notices, section } = this.#options;
    const workspaces = await administeredWorkspaces(this.#site, visit.session);
    if (workspaces.length === 0) return forAdminsOnly(visit, title, adminsOnly);
    const sections = [];
    for (const workspace of workspaces) sections.push(await section(workspace, visit));
    const body = html`<h1>${title}</h1>
<p class="quiet">${intro}</p>
${refusalNote(visit.refusedBelow("/")) ?? notice ?? noticeOf(notices, visit.request.query)}${sections}
${hasCopies && copyButtons(visit.response)}`;
    visit.show({ title, body });
  }
}

/** The workspaces a person is an admin of now, by name. */
export async function administeredWorkspaces(site: Site, session: WebSession): Promise<Membership[]> {
  const memberships = await membershipsOf(site.core, session);
  return memberships.filter(({ role }) => role === "admin");
}

/** The person's membership of a workspace they are an admin of now. Throws `not_found` for any other. */
export async function administeredBy(
  site: Site,
  session: WebSession,
  tenantId: string | undefined,
): Promise<Membership> {
  const found = (await administeredWorkspaces(site, session)).find((membership) => membership.tenantId === tenantId);
  if (found === undefined) throw notFound("workspace");
  return found;
}

/** Shows a person who is not an admin why they cannot see an admin's page. */
export function forAdminsOnly(visit: Visit, title: string, what: string): void {
  visit.show({ title, narrow: true, body: adminsOnlyView(what) }, 403);
}

/** The same, without the page around it. */
export function adminsOnlyView(what: string): Html {
  return html`<h1>For admins only</h1>
<p>${what}, and you are not one. Ask an admin of the workspace.</p>
<p><a href="/">To the start page</a></p>`;
}

/** The notice after a form: the first of `notices` whose name is in the query; null without any. */
export function noticeOf(
  notices: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>>,
): Html | null {
  const name = Object.keys(notices).find((key) => query[key] !== undefined);
  return name === undefined ? null : html`<p class="status" role="status">${notices[name]}</p>`;
}
