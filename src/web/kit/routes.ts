import { type Request, Router } from "express";
import { isMadeFor, KEPT_SECONDS, openKept, sealKept } from "../../../auth/kept-forms.ts";
import { countForm, signInSource, type WebSession } from "../../../auth/sessions.ts";
import { parameter, WORKSPACE, withQuery } from "./address.ts";
import { ClosedToSignIn } from "./closed.ts";
import { pageHeaders } from "./headers.ts";
import { Html, html } from "./html.ts";
import type { Listing } from "./navigation.ts";
import { actions, type Confirmation, FILE_KINDS, link, paragraph, points } from "./parts.ts";
import type { PathParams } from "./received.ts";
import { ForgedForm, type PageRequest, type Site } from "./site.ts";
import { inDoorTurn, inFormTurn, inPageTurn } from "./turns.ts";
import { type Visit, WorkspaceVisit } from "./visit.ts";

/** One way into the service: a page, or the form of one. */
export interface PageRoute {
  readonly method: "get" | "post";
  readonly path: string;
  /** The name of the {@link Door} that lets people in; `back` for a form's address, which leads back to its page. */
  readonly door: string;
  /** Its page belongs to an OAuth request ({@link PageHeaders}). */
  readonly leadsAway?: boolean;
  answer(asked: PageRequest): unknown;
}

/** A page with its forms and the pages below it; what is listed is in a navigation. */
export interface PageRoutes {
  readonly listing?: Listing;
  readonly routes: readonly PageRoute[];
}

/**
 * What a page or a form does: it may answer the address to go on to, or what is still to be done, which may wait for
 * somebody outside: it holds no turn of pages.
 */
type Work<V> = (visit: V) => Promise<unknown> | unknown;

/** What people send from a page, by the end of its path. */
export interface FormAct<V> {
  /** Asks before, to confirm it or in a form; null where there is nothing to do, which leads back to the page. */
  ask?(visit: V): Promise<Confirmation | Html | null> | Confirmation | Html | null;
  /** The title of the page that asks. */
  readonly title?: string;
  /**
   * Carries it out. Answers an address to go on to, the name of what was done, or what its page says of it; nothing
   * where it has answered itself.
   */
  send?: Work<V>;
  /** It comes with a file. */
  readonly maxFileBytes?: number;
}

/** A form that does one thing, and the name of what was done then. */
export function doing<V>(done: string, send: (visit: V) => Promise<unknown>): FormAct<V> & { send: Work<V> } {
  return {
    async send(visit) {
      await send(visit);
      return done;
    },
  };
}

export type FormActs<V> = Readonly<Record<string, FormAct<V>>>;

interface DoorOptions<V> {
  readonly name: string;
  /** Lets somebody in; null where they were answered already. */
  enter(asked: PageRequest): Promise<V | null>;
  /** Just before a form is carried out. */
  check?(visit: V): void;
  readonly leadsAway?: boolean;
  /** Its forms are slowed down and counted by themselves, as a sign-in is; other strangers' take turns as pages. */
  readonly isPaced?: boolean;
}

/** Who may open a page, and what its handlers are given. */
export class Door<V extends Visit<WebSession | null>> {
  readonly #options: DoorOptions<V>;

  constructor(options: DoorOptions<V>) {
    this.#options = options;
  }

  #route(method: PageRoute["method"], path: string, answer: PageRoute["answer"]): PageRoute {
    const { name, leadsAway = false } = this.#options;
    const answerOrLead = async (asked: PageRequest) => {
      try {
        return await answer(asked);
      } catch (error) {
        if (!(error instanceof ClosedToSignIn)) throw error;
        return error.answer(method === "post" ? await keepForm(asked) : null);
      }
    };
    return { method, path, door: name, leadsAway, answer: answerOrLead };
  }

  get(path: string, show: Work<V>): PageRoute {
    // Downloads take turns by the page: one may go on for as long as its reader takes. Only who enters takes one here.
    const isFile = Object.keys(FILE_KINDS).some((ending) => path.endsWith(ending));
    return this.#route("get", path, async (asked) => {
      const enter = () => this.#options.enter(asked);
      const visit = async (found: V | null) => {
        if (found !== null) restore(found);
        const done = found === null ? null : await show(found);
        return async () => found !== null && goOn(found, done);
      };
      const inTurn = <T>(work: () => Promise<T>) => inPageTurn(asked.site, asked.request, work);
      const after = await (isFile ? visit(await inTurn(enter)) : inTurn(async () => visit(await enter())));
      await after();
    });
  }

  /** A list as files of each kind. */
  files(path: string, send: Work<V>): PageRoute[] {
    return Object.keys(FILE_KINDS).map((ending) => this.get(path + ending, send));
  }

  /** A form: one that did not come from our page is refused. It is read once it is known who may send it. */
  post(path: string, work: Work<V>, maxFileBytes?: number): PageRoute {
    return this.#route("post", path, async (asked) => {
      const { site, request } = asked;
      const { isPaced = false } = this.#options;
      const enter = () => this.#options.enter(asked);
      const first = await inDoorTurn(site, request, enter);
      if (first === null) return toSignIn(asked);
      const { session } = first;
      const read = () => site.readForm(request, request.path, session, maxFileBytes);
      const send = async (visit: V | null) => {
        if (visit === null) return () => toSignIn(asked);
        this.#options.check?.(visit);
        const done = await work(visit);
        return () => goOn(visit, done);
      };
      if (session === null) {
        await read();
        const after = await (isPaced ? send(first) : inPageTurn(site, request, () => send(first)));
        return after();
      }
      // Again: the session, or what the person may do, may have ended meanwhile.
      const again = async () => (await send(await enter()))();
      const count = () => countForm(site.core, session);
      await inFormTurn(signInSource(session), { hasFile: maxFileBytes !== undefined, count, read, work: again });
    });
  }

  /** A page, and what `senders` do from it: those who are let in to send its forms. */
  page<W extends V>(path: string, show: Work<V>, acts: FormActs<W>, senders: Door<W>): PageRoute[] {
    const depth = path.split("/").length;
    const pageOf = ({ path: at }: Request<PathParams>) => at.split("/").slice(0, depth).join("/");
    const back = {
      ...this.get("", show),
      door: "back",
      answer: (asked: PageRequest) => {
        const { site, request, response } = asked;
        if (keptAt(site, request) !== null) return senders.get(request.path, show).answer(asked);
        return response.redirect(303, withQuery(pageOf(request), { [WORKSPACE]: parameter(request, WORKSPACE) }));
      },
    };
    const routes = Object.entries(acts).flatMap(([end, { ask, title = "", send, maxFileBytes }]) => {
      const at = path + end;
      const asks = async (visit: W) => {
        const back = visit.address(pageOf(visit.request));
        const asked = await ask?.(visit);
        if (!asked) return back;
        const body = asked instanceof Html ? asked : confirmation(visit, asked, back);
        return visit.show({ title, narrow: true, body: html`${visit.refusedBelow(visit.request.path)}${body}` });
      };
      const sends = async (visit: W) => {
        const done = await visit.attempt(async () => send?.(visit));
        if (done instanceof Html) visit.outcome.said = done;
        if (visit.refusal !== null || done instanceof Html) return show(visit);
        const isName = typeof done === "string" && !done.startsWith("/");
        return isName ? visit.address(pageOf(visit.request), { done }) : done;
      };
      return [
        ...(end === "" ? [] : [ask === undefined ? { ...back, path: at } : senders.get(at, asks)]),
        ...(send === undefined ? [] : [senders.post(at, sends, maxFileBytes)]),
      ];
    });
    return [this.get(path, show), ...routes];
  }
}

/** Has somebody whose session has ended sign in and come back to their form, where they were not answered yet. */
async function toSignIn(asked: PageRequest) {
  const { site, request, response } = asked;
  if (!response.headersSent)
    site.goOn(response, withQuery("/signin", { next: request.originalUrl, done: await keepForm(asked) }));
}

/** Keeps the form that was sent, where that can be. */
async function keepForm({ site, request, response }: PageRequest) {
  if (request.body === undefined) await site.readOurs(request).catch(unlessForged);
  const kept = site.browserOf(request) && sealKept(site.core, addressOf(request), request.body);
  if (kept) site.kept.set(response, kept, KEPT_SECONDS);
  return kept ? "form_kept" : "form_lost";
}

/** One that is too large is lost, and its person told so; another site's is refused. */
function unlessForged(error: unknown) {
  if (error instanceof ForgedForm) throw error;
}

const addressOf = (request: Request) => ({ path: request.path, workspace: parameter(request, WORKSPACE) });
const keptAt = ({ core, kept }: Site, request: Request, of = addressOf(request)) =>
  openKept(core, kept.read(request), of);
const SIGNED_OUT =
  "Your sign-in had ended or was not enough: this was not done. It is as you typed it, but for secrets: send it again.";

/** Has a page show what was typed in a form that was sent here when its session had ended; nothing is carried out. */
function restore(visit: Visit<WebSession | null>) {
  const { site, session, request, response, outcome } = visit;
  const at = visit instanceof WorkspaceVisit ? { workspace: visit.workspace.tenantId } : {};
  const kept = session && keptAt(site, request, { ...addressOf(request), ...at });
  if (!kept) return;
  site.kept.clear(response);
  if (!isMadeFor(site.core, kept, site.browserOf(request), session.personId)) return;
  request.body = kept.fields;
  outcome.refusal = { code: "conflict", status: 200, message: SIGNED_OUT, details: [], toConfirm: null };
}

/** The page at an act's address, which asks to confirm it. */
function confirmation(visit: Visit<WebSession | null>, act: Confirmation, back: string) {
  const { question, consequences, fields, button, more, stay } = act;
  const body = [fields, actions(html`<button class="danger">${button}</button>`, more)];
  return html`<h1>${question}</h1>
${points(consequences)}
${visit.form(visit.request.path, body)}
${paragraph(link(back, stay))}`;
}

/** Serves pages, each under its headers. */
export function serving(site: Site, pages: readonly PageRoutes[]) {
  const router = Router();
  const [own, away] = [pageHeaders(site), pageHeaders({ ...site, leadsAway: true })];
  for (const { method, path, leadsAway, answer } of pages.flatMap(({ routes }) => routes))
    router[method]<PathParams>(path, leadsAway ? away : own, (request, response) =>
      answer({ site, request, response }),
    );
  return router;
}

/** Does what is still to be done, and goes on to the address that a page or a form answers. */
async function goOn(visit: Visit<WebSession | null>, done: unknown) {
  const answered: unknown = typeof done === "function" ? await done() : done;
  if (typeof answered === "string") visit.redirect(answered);
}
