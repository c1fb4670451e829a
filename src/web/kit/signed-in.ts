import type { Request, Response, Router } from "express";
import type { z } from "zod";
import type { WebSession } from "../../../auth/sessions.ts";
import { UNCHANGED } from "../../core/gate/audit.ts";
import type { Operation, PersonActor } from "../../core/gate/operation.ts";
import { notFound } from "../../core/kernel/error.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { requestIdOf } from "../../http/request-id.ts";
import type { Html, Inserted } from "./html.ts";
import { type Page, renderPage } from "./layout.ts";
import { PageRoutes, type PathParams } from "./page-routes.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { type FormOptions, fieldOf, type Site } from "./site.ts";
import { inFormTurn, inPageTurn } from "./turns.ts";

/** A request of a person who is signed in. */
export class Visit {
  readonly site: Site;
  readonly request: Request<PathParams>;
  readonly response: Response;
  readonly session: WebSession;
  /** Why the form that was sent was not carried out, once that is known. */
  refusal: Refusal | null = null;
  #isShown = false;
  /** Acts that changed something, and those that found everything so already. */
  #changes = 0;
  #unchanged = 0;

  constructor(site: Site, request: Request<PathParams>, response: Response, session: WebSession) {
    this.site = site;
    this.request = request;
    this.response = response;
    this.session = session;
  }

  get requestId(): string {
    return requestIdOf(this.response);
  }

  /** The id in the address, by its name. Throws `not_found`, of `what`, for anything that is not a UUID. */
  id(name: string, what: string): string {
    return idIn(this.request.params[name], what);
  }

  /** A field of the submitted form; empty when it is missing or given twice. */
  field(name: string): string {
    return fieldOf(this.request, name);
  }

  /** The bytes of a file that came with the form; none where there is no such file. */
  file(name: string): Uint8Array<ArrayBuffer> {
    const body: unknown = this.request.body;
    const file: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
    return file instanceof Uint8Array ? new Uint8Array(file) : new Uint8Array();
  }

  /** All values of a field that may be given more than once, such as boxes. */
  fields(name: string): string[] {
    const body: unknown = this.request.body;
    const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
    return [value].flat().filter((one): one is string => typeof one === "string");
  }

  /** A form that is sent to `path` ({@link Site.form}). */
  form(path: string, body: Inserted, options: FormOptions = {}): Html {
    return this.site.form(this, path, body, { look: "inline", ...options });
  }

  /** Calls an operation as a member. It is not aborted when the browser disconnects. Throws what the operation throws. */
  act<I extends z.ZodType, O extends z.ZodType>(
    { tenantId, memberId }: { tenantId: string; memberId: string },
    called: Operation<I, O, PersonActor>,
    input: z.input<I>,
    { idempotencyKey }: { idempotencyKey?: string | undefined } = {},
  ): Promise<z.output<O>> {
    if (called.permission !== "readonly") this.#changes += 1;
    const onUnchanged = (): void => {
      this.#changes -= 1;
      this.#unchanged += 1;
    };
    const request = { core: { ...this.site.core, onUnchanged }, requestId: this.requestId, idempotencyKey };
    return called.call({ kind: "person", tenantId, memberId }, input, request);
  }

  /** Carries a form out, or keeps why not for its page. Throws what is no answer to a form. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.refusal = refusalOf(error);
      return undefined;
    }
  }

  /** Why the form that is sent to `path` was not carried out, for that form to show. */
  refusedAt(path: string): Refusal | null {
    const isOurs = this.request.path === path;
    this.#isShown ||= isOurs;
    return isOurs ? this.refusal : null;
  }

  /** Why a form below `path` was not carried out, where none of them shows it. */
  refusedBelow(path: string): Refusal | null {
    return !this.#isShown && this.request.path.startsWith(path) ? this.refusedAt(this.request.path) : null;
  }

  show(page: Omit<Page, "person" | "path">, status = this.refusal?.status ?? 200): void {
    const { path, query } = this.request;
    const notice = query.done === NO_CHANGE ? UNCHANGED : null;
    this.response.status(status).send(renderPage({ ...page, path, notice, person: this.session }));
  }

  /** Goes on to `path`; where the acts of this form changed nothing, its page says that in place of what was done. */
  redirect(path: string): void {
    this.response.redirect(303, this.#unchanged > 0 && this.#changes === 0 ? withoutChange(path) : path);
  }
}

/** An id that people send. Throws `not_found`, of `what`, for anything that is not a UUID. */
export function idIn(text: string | undefined, what: string): string {
  const id = Uuid.safeParse(text).data;
  if (id === undefined) throw notFound(what);
  return id;
}

const NO_CHANGE = "unchanged";

/** The same page, of the same workspace, with the word that nothing was changed. */
function withoutChange(path: string): string {
  const [page = path, query] = path.split("?", 2);
  const workspace = new URLSearchParams(query).get("workspace");
  return `${page}?${new URLSearchParams({ ...(workspace !== null && { workspace }), done: NO_CHANGE })}`;
}

/** Routes for people who are signed in; everybody else is sent to sign in first, and from there to `next`. */
export class SignedInRoutes {
  readonly #site: Site;
  readonly #next: string | null;
  readonly #routes: PageRoutes;

  /** Without `next`, people come back to the address they opened. */
  constructor(site: Site, next: string | null) {
    this.#site = site;
    this.#next = next;
    this.#routes = new PageRoutes(site);
  }

  get router(): Router {
    return this.#routes.router;
  }

  get(path: string, show: (visit: Visit) => Promise<void>): void {
    this.#routes.get(path, (request, response) => {
      const visit = async () => {
        const found = await this.#visit(request, response);
        if (found !== null) await show(found);
      };
      // Downloads take turns by the page: one may go on for as long as its reader takes.
      return path.endsWith(".csv") ? visit() : inPageTurn(this.#site, request, visit);
    });
  }

  /** A form: one that did not come from our page is refused. */
  post(path: string, work: (visit: Visit) => Promise<void>): void {
    this.postTo(path, async () => undefined, work);
  }

  /** A form that is read only after `find` has found what its address names; it may come with a file. */
  postTo<F>(
    path: string,
    find: (visit: Visit) => Promise<F>,
    work: (visit: Visit, found: F) => Promise<void>,
    maxFileBytes?: number,
  ): void {
    this.#routes.post(path, async (request, response) => {
      const enter = async () => {
        const visit = await this.#visit(request, response);
        return visit && { visit, found: await find(visit) };
      };
      const asked = await inPageTurn(this.#site, request, enter);
      if (asked === null) return;
      const { session } = asked.visit;
      await inFormTurn(session.personId, {
        hasFile: maxFileBytes !== undefined,
        read: () => this.#site.readForm(request, response, request.path, session, maxFileBytes),
        async work() {
          // Again: the session, or what the person may do, may have ended meanwhile.
          const now = await enter();
          if (now !== null) await work(now.visit, now.found);
        },
      });
    });
  }

  /** Null for somebody who is not signed in, and was sent to do so. */
  async #visit(request: Request<PathParams>, response: Response): Promise<Visit | null> {
    const session = await this.#site.person(request);
    if (session !== null) return new Visit(this.#site, request, response, session);
    response.redirect(303, `/signin?next=${encodeURIComponent(this.#next ?? request.originalUrl)}`);
    return null;
  }
}
