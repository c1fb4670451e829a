import type { Response } from "express";
import type { z } from "zod";
import type { Membership } from "../../../auth/connections.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { UNCHANGED } from "../../core/gate/audit.ts";
import type { Operation, PersonActor } from "../../core/gate/operation.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { NO_CHANGE, type Query, WORKSPACE, withoutChange, withQuery } from "./address.ts";
import { PAGE_SCRIPT, scriptTag } from "./assets.ts";
import { type Html, html, type Inserted, statusNote } from "./html.ts";
import { type Page, renderPage } from "./layout.ts";
import { openAct } from "./open-acts.ts";
import { link, muted, pageHead, tabs } from "./parts.ts";
import { Received } from "./received.ts";
import { type Refusal, refusalNote, refusalOf } from "./refusal.ts";
import type { FormOptions, PageRequest, Site } from "./site.ts";
import { timeElement } from "./words.ts";

/** How the form that was sent ended; the sections of a page share it. */
interface Outcome {
  /** Why it was not carried out, once that is known. */
  refusal: Refusal | null;
  /** What its page says of it, where it was carried out and answers no address. */
  said: Html | null;
  /** The page says how it ended. */
  isTold: boolean;
  /** Acts that changed something, and those that found everything so already. */
  changes: number;
  unchanged: number;
}

interface By<S> extends PageRequest {
  readonly session: S;
  readonly outcome?: Outcome;
  /** Its page is part of an OAuth request: it has no navigation. */
  readonly leadsAway?: boolean;
}

/** What a page shows: its person and address are the visit's. */
type Shown = Omit<Page, "person" | "path" | "navigation" | "script" | "searched">;

/** What is above the parts of a page. */
interface Headed extends Pick<Page, "sheet"> {
  readonly title: string;
  /** In place of the title. */
  readonly heading?: Inserted;
  readonly about?: Inserted;
  /** What can be begun there. */
  readonly acts?: Inserted;
  /** The page is in a navigation, with those beside it as tabs; any other one has the way up, and `up` behind that. */
  readonly isListed?: true;
  readonly up?: Inserted;
  /** What was just done, by the name in the address. */
  readonly done?: Readonly<Record<string, string>>;
  readonly status?: number;
}

/** A request for a page or by its form; by default of a person who is signed in. */
export class Visit<S extends WebSession | null = WebSession> extends Received {
  readonly site: Site;
  readonly response: Response;
  readonly session: S;
  readonly outcome: Outcome;
  readonly leadsAway: boolean;

  constructor({ site, request, response, session, outcome, leadsAway = false }: By<S>) {
    super(request);
    this.leadsAway = leadsAway;
    this.site = site;
    this.response = response;
    this.session = session;
    this.outcome = outcome ?? { refusal: null, said: null, isTold: false, changes: 0, unchanged: 0 };
  }

  get requestId() {
    return requestIdOf(this.response);
  }

  /** Why the form that was sent was not carried out; null where it was, or none was sent. */
  get refusal() {
    return this.outcome.refusal;
  }

  /** What this browser just did, by the name in the address. */
  get done() {
    return this.site.doneIn(this.request);
  }

  /** The address of a page, about the same workspace where the visit is about one. */
  readonly address: (path: string, query?: Query) => string = withQuery;

  /** A link to a page about the same. */
  link(path: string, words: Inserted, query?: Query) {
    return link(this.address(path, query), words);
  }

  /** The way up: to the page of the navigation that this one is below, and `more`. */
  crumbs(more: Inserted = null) {
    const { path, name } = this.site.navigation.above(this.request.path);
    return html`<p class="crumbs">${this.link(path, name)}${more && html` / ${more}`}</p>`;
  }

  /** The page of the navigation at hand and those beside it, as tabs. */
  #tabs() {
    const places = this.site.navigation.tabs(this.request.path);
    const addressed = places.map((place) => ({ ...place, path: this.address(place.path) }));
    return places.length > 1 && tabs(places[0]?.name ?? "", addressed);
  }

  /** A page with its head, and its parts below. */
  showPage(head: Headed, ...parts: Inserted[]) {
    const { title, heading = title, about, acts, isListed, up, done, status, sheet } = head;
    const above = pageHead(heading, about, acts);
    const place = isListed ? [above, this.#tabs()] : [this.crumbs(up), above];
    this.show({ title, sheet, body: [place, done && this.note(done), parts] }, status);
  }

  /** A form that is sent to `path` ({@link Site.form}). */
  form(path: string, body: Inserted, options: FormOptions = {}) {
    return this.site.form(this, path, body, options);
  }

  /** A form that is one small button. */
  button(path: string, body: Inserted) {
    return this.form(path, body, { look: "inline" });
  }

  /** The button of a row, which `about` is the id of; `fields` go with it. */
  act(path: string, words: string, about: string, look = "danger", fields: Inserted = null): Html {
    return this.button(path, html`${fields}<button class="${look}" aria-describedby="${about}">${words}</button>`);
  }

  /** Carries a form out, or keeps why not for its page. Throws what is no answer to a form. */
  async attempt<T>(work: () => Promise<T>) {
    try {
      return await work();
    } catch (error) {
      this.outcome.refusal = refusalOf(error);
      return undefined;
    }
  }

  /** Why the form that is sent to `path` was not carried out, for that form to show. */
  refusedAt(path: string) {
    const isOurs = this.request.path === path;
    this.outcome.isTold ||= isOurs;
    return isOurs ? this.refusal : null;
  }

  /** Why a form below `path` was not carried out, where no form shows it. */
  refusedBelow(path: string) {
    const { isTold } = this.outcome;
    return refusalNote(!isTold && this.request.path.startsWith(path) ? this.refusedAt(this.request.path) : null);
  }

  /** Why the form was not carried out, where no form shows it, or what was just done, by the name in the address. */
  note(words: Readonly<Record<string, string>>) {
    if (this.refusal !== null || this.outcome.said !== null) return this.refusedBelow("/") ?? this.outcome.said;
    const done = this.done ?? "";
    this.outcome.isTold ||= done === NO_CHANGE;
    const said: Readonly<Record<string, string>> = { [NO_CHANGE]: UNCHANGED, ...words };
    return Object.hasOwn(said, done) ? statusNote(said[done]) : null;
  }

  show(page: Shown, status = this.refusal?.status ?? 200) {
    const { site, session, request, outcome } = this;
    const isUntold = this.done === NO_CHANGE && !outcome.isTold;
    const body = [isUntold && statusNote(UNCHANGED), page.body];
    const person = this.leadsAway ? null : session;
    const found = { searched: this.parameter("q"), script: scriptTag(this.response, PAGE_SCRIPT, "") };
    const shown = { ...page, ...found, body, path: request.path, person, navigation: site.navigation };
    this.response.status(status).send(renderPage(shown));
  }

  /** A page of one form or message below its heading; what is no markup is a paragraph. */
  showNarrow(title: string, heading: Inserted, parts: readonly Inserted[], status?: number): void {
    const below = parts.map((part) => (typeof part === "string" ? html`<p>${part}</p>` : part));
    this.show({ title, narrow: true, body: [html`<h1>${heading}</h1>`, below] }, status);
  }

  /** Goes on to `path`; where the acts of this form changed nothing, its page says that in place of what was done. */
  redirect(path: string) {
    const { unchanged, changes } = this.outcome;
    this.site.goOn(this.response, unchanged > 0 && changes === 0 ? withoutChange(path) : path);
  }
}

/** A visit by anybody: nobody is signed in, or it makes no difference. */
export type OpenVisit = Visit<WebSession | null>;

/** A request of a member for a page about one workspace, or for the section about it. */
export class WorkspaceVisit extends Visit {
  readonly workspace: Membership;
  /** All workspaces of the person; none where the path of the page names the workspace. */
  readonly workspaces: readonly Membership[];

  constructor(visit: Visit, workspace: Membership, workspaces: readonly Membership[] = []) {
    super(visit);
    this.workspace = workspace;
    this.workspaces = workspaces;
  }

  get isAdmin() {
    return this.workspace.role === "admin";
  }

  /** An instant by the workspace's clocks; null for none. */
  time(instant: string | null) {
    return instant === null ? null : timeElement(instant, this.workspace.timezone);
  }

  /** Calls an operation as the member; goes on when the browser disconnects. Throws what the operation throws. */
  call<I extends z.ZodType, O extends z.ZodType>(
    called: Operation<I, O, PersonActor>,
    input: z.input<I>,
    idempotencyKey?: string,
  ) {
    const { outcome, requestId } = this;
    const { tenantId, memberId, role } = this.workspace;
    if (called.permission !== "readonly") outcome.changes += 1;
    const onUnchanged = () => {
      outcome.changes -= 1;
      outcome.unchanged += 1;
    };
    const request = { core: { ...this.site.core, onUnchanged }, requestId, idempotencyKey };
    const actor = { kind: "person", tenantId, memberId } as const;
    const isSignedIn = async () => (await this.site.person(this.request)) !== null;
    return openAct({ memberId, role, isSignedIn }, (signal) => called.call(actor, input, { ...request, signal }));
  }

  override readonly address = (path: string, query: Query = {}) =>
    withQuery(path, { ...query, [WORKSPACE]: this.workspaces.length > 1 ? this.workspace.tenantId : null });

  /** A form, whose action always names the workspace. */
  override form(path: string, body: Inserted, options: Omit<FormOptions, "action"> = {}) {
    if (this.workspaces.length === 0) return super.form(path, body, options);
    return super.form(path, body, { ...options, action: withQuery(path, { [WORKSPACE]: this.workspace.tenantId }) });
  }

  override show(page: Shown, status?: number) {
    const { name, timezone } = this.workspace;
    const now = this.time(this.site.core.clock.now().toISOString());
    const sheet = [name, " · ", now, ` (${timezone})`, page.sheet && [" · ", page.sheet]];
    const shown = html`${page.body}`;
    const hasTimes = /<time datetime="[^"]+T/.test(shown.text);
    super.show({ ...page, body: [shown, hasTimes && muted(`Times are in ${timezone}.`)], sheet, place: this }, status);
  }
}
