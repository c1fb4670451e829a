import type { Request, Router } from "express";
import type { z } from "zod";
import { type Membership, membershipsOf } from "../../../auth/connections.ts";
import { lacksSecondFactor } from "../../../auth/pending-sign-in.ts";
import type { Operation, PersonActor } from "../../core/gate/operation.ts";
import { notFound } from "../../core/kernel/error.ts";
import { type Cookie, cookie } from "./cookies.ts";
import { type Html, html, type Inserted } from "./html.ts";
import type { Page } from "./layout.ts";
import { setUpFactorPath } from "./sign-in-paths.ts";
import { SignedInRoutes, type Visit } from "./signed-in.ts";
import type { FormOptions, Site } from "./site.ts";

/** Parameters of an address; those without a value are left out. */
export type Query = Readonly<Record<string, string | null | undefined>>;

/** A path with parameters. */
export function withQuery(path: string, query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== "") given.set(name, value);
  return given.size === 0 ? path : `${path}?${given}`;
}

/** A parameter of the query; null where it is empty, missing or given twice. */
export function parameter({ query }: Pick<Request, "query">, name: string): string | null {
  const value = query[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The parameter that names the workspace; only the addresses of people with several have it. */
export const WORKSPACE = "workspace";

/** A request of a member for a page about one workspace. */
export class WorkspaceVisit {
  readonly visit: Visit;
  readonly workspace: Membership;
  /** All workspaces of the person. */
  readonly workspaces: readonly Membership[];

  constructor(visit: Visit, workspace: Membership, workspaces: readonly Membership[]) {
    this.visit = visit;
    this.workspace = workspace;
    this.workspaces = workspaces;
  }

  get isAdmin(): boolean {
    return this.workspace.role === "admin";
  }

  /** Reads as the member. Throws what the operation throws. */
  read<I extends z.ZodType, O extends z.ZodType>(
    operation: Operation<I, O, PersonActor>,
    input: z.input<I>,
  ): Promise<z.output<O>> {
    return this.visit.act(this.workspace, operation, input);
  }

  /** Changes something as the member. Throws what the operation throws. */
  act<I extends z.ZodType, O extends z.ZodType>(
    operation: Operation<I, O, PersonActor>,
    input: z.input<I>,
  ): Promise<z.output<O>> {
    return this.visit.act(this.workspace, operation, input);
  }

  /** The address of a page about this workspace. */
  readonly address = (path: string, query: Query = {}): string =>
    withQuery(path, { ...query, [WORKSPACE]: this.workspaces.length > 1 ? this.workspace.tenantId : null });

  /** A form, whose action always names the workspace. */
  form(path: string, body: Inserted, options: Omit<FormOptions, "action"> = {}): Html {
    const action = withQuery(path, { [WORKSPACE]: this.workspace.tenantId });
    return this.visit.form(path, body, { ...options, action });
  }

  /** Shows a page; `within` is the page of the navigation that it belongs to. */
  show({ within, ...page }: Omit<Page, "person" | "path" | "place"> & { within: string }, status?: number): void {
    const others = this.workspaces.map(({ tenantId, name }) => ({
      name,
      path: withQuery("/", { [WORKSPACE]: tenantId }),
      isCurrent: tenantId === this.workspace.tenantId,
    }));
    const place = { address: this.address, workspaces: others, within };
    this.visit.show({ ...page, place }, status);
  }
}

/** What a page or a form of a workspace does: it may answer the address to go on to. */
type Work = (visit: WorkspaceVisit) => Promise<unknown>;

/** Where pages and forms of a workspace are added. */
export type Routes = Pick<WorkspaceRoutes, "get" | "post">;

/** How long a browser remembers the workspace that was looked at last. */
const REMEMBERED_SECONDS = 90 * 86_400;

/** Routes for members of a workspace: the one in the address, else the one looked at last, else the first by name. */
export class WorkspaceRoutes {
  readonly #site: Site;
  readonly #routes: SignedInRoutes;
  readonly #last: Cookie;

  constructor(site: Site) {
    this.#site = site;
    this.#routes = new SignedInRoutes(site, null);
    this.#last = cookie("workspace", site.publicOrigin);
  }

  get router(): Router {
    return this.#routes.router;
  }

  get(path: string, show: Work): void {
    this.#routes.get(path, (visit) => this.enter(visit, show));
  }

  /**
   * A form about the workspace that its address names ({@link WorkspaceVisit.form}). One that is refused is shown by
   * `refused`, or without it as an error.
   */
  post(path: string, work: Work, refused?: Work): void {
    this.#routes.post(path, (visit) => {
      if (parameter(visit.request, WORKSPACE) === null) throw notFound("workspace");
      return this.enter(visit, async (at) => {
        const next = await (refused === undefined ? work(at) : visit.attempt(() => work(at)));
        return visit.refusal === null ? next : refused?.(at);
      });
    });
  }

  /** The same for admins: a member is answered by `refuse`, and nothing is done. */
  forAdmins(refuse: Work): Routes {
    return {
      get: (path, show) => this.get(path, (visit) => (visit.isAdmin ? show(visit) : refuse(visit))),
      post: (path, work, refused) => this.post(path, (visit) => (visit.isAdmin ? work(visit) : refuse(visit)), refused),
    };
  }

  async enter(visit: Visit, show: Work): Promise<void> {
    const workspaces = await membershipsOf(this.#site.core, visit.session);
    const asked = parameter(visit.request, WORKSPACE);
    const find = (tenantId: string | undefined) => workspaces.find((one) => one.tenantId === tenantId);
    const workspace = asked === null ? (find(this.#last.read(visit.request)) ?? workspaces[0]) : find(asked);
    if (workspace === undefined && asked !== null) throw notFound("workspace");
    if (workspace === undefined) return this.#showNone(visit);
    if (asked !== null) this.#last.set(visit.response, asked, REMEMBERED_SECONDS);
    const next = await show(new WorkspaceVisit(visit, workspace, workspaces));
    if (typeof next === "string") visit.redirect(next);
  }

  async #showNone(visit: Visit): Promise<void> {
    if (await lacksSecondFactor(this.#site.core, visit.session))
      return visit.redirect(setUpFactorPath(visit.request.originalUrl));
    visit.show({ title: "No workspace", narrow: true, body: NO_WORKSPACE });
  }
}

const NO_WORKSPACE = html`<h1>No workspace yet</h1>
<p>You are not a member of any workspace. Ask an admin of yours to invite you: the invitation comes by mail.</p>`;
