import { hash, randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import { noteKnownCaller } from "../../../auth/caller.ts";
import type { Membership } from "../../../auth/connections.ts";
import { sourceOf } from "../../../auth/failed-authentications.ts";
import { MAKER_FIELD, makerOf } from "../../../auth/kept-forms.ts";
import { BROWSER_KNOWN_SECONDS, openKnownBrowser, sealKnownBrowser } from "../../../auth/known-browsers.ts";
import {
  endSession,
  findSession,
  SESSION_SECONDS,
  type SigningIn,
  signInSource,
  startSession,
  type WebSession,
} from "../../../auth/sessions.ts";
import type { Core } from "../../core/gate/dependencies.ts";
import { setNewest } from "../../gateways/newest.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { DONE, parameter } from "./address.ts";
import { type Cookie, cookie } from "./cookies.ts";
import { html, type Inserted } from "./html.ts";
import { Navigation } from "./navigation.ts";
import { hidden } from "./parts.ts";
import { readForm } from "./read-form.ts";
import { fieldOf, type PathParams } from "./received.ts";

const TOKEN_FIELD = "form_token";
/** Sessions whose people are remembered to take turns by. */
const MOST_FOUND = 2_000;
/** Fields of a form: 200 installments have 400. Of who is not signed in fewer, as they take no turns. */
const MOST_FIELDS = { ofPeople: 512, ofAnybody: 128 };
/** How long a form may stay open: past any session, as a form is kept by the browser it was made in. */
const BROWSER_SECONDS = 30 * 24 * 3600;
/** How long a page says what was done there. */
const DONE_SECONDS = 300;

/** A form that was not sent from our own page in this browser; its message is public. */
export class ForgedForm extends Error {
  override readonly name = "ForgedForm";
}

/** A request for a page, or by its form. */
export interface PageRequest {
  readonly site: Site;
  readonly request: Request<PathParams>;
  readonly response: Response;
}

/** A form's class, its further attributes, and its action where that has a query. */
export interface FormOptions {
  look?: string;
  more?: Inserted;
  action?: string;
}

/** What every page needs: sessions, and forms with CSRF tokens. */
export class Site {
  readonly core: Core;
  readonly publicOrigin: string;
  readonly navigation: Navigation;
  readonly #session: Cookie;
  readonly #browser: Cookie;
  readonly #known: Cookie;
  readonly #done: Cookie;
  /** Whose the sessions are that were found in this process, and the workspaces looked at last, by cookie. */
  readonly #found = new Map<string, { readonly person: string; readonly workspace: string }>();
  /** A password that was right and waits for its code. */
  readonly pending: Cookie;
  /** A form that its session did not outlast. */
  readonly kept: Cookie;
  /** A second factor that is being set up. */
  readonly enrolment: Cookie;

  constructor(core: Core, publicOrigin: string, navigation = new Navigation([])) {
    this.core = core;
    this.publicOrigin = publicOrigin;
    this.navigation = navigation;
    this.#session = cookie("session", publicOrigin);
    this.#browser = cookie("browser", publicOrigin);
    this.#known = cookie("known", publicOrigin);
    this.#done = cookie("done", publicOrigin);
    this.kept = cookie("kept", publicOrigin);
    this.pending = cookie("pending", publicOrigin);
    this.enrolment = cookie("enrolment", publicOrigin);
  }

  /**
   * What its requests take turns by: the person and the workspace once their session was found. Until then who signed
   * in with the browser before, or else the address, which many may share.
   */
  sourceOf(request: Request) {
    const found = this.#found.get(this.#session.read(request) ?? "");
    if (found !== undefined) return { ...found, isFound: true };
    const known = this.knownBrowser(request);
    const address = sourceOf(request.ip);
    // A copy of the cookie takes nobody's turns at another address.
    const source = known === null ? address : `browser of ${known.personId} at ${address}`;
    return { person: source, workspace: source, isFound: false };
  }

  /** Who is signed in; null for nobody. */
  async person(request: Request) {
    const token = this.#session.read(request) ?? "";
    const session = await findSession(this.core, token);
    if (session === null) {
      this.#found.delete(token);
      return null;
    }
    const person = signInSource(session);
    setNewest(this.#found, token, this.#found.get(token) ?? { person, workspace: person }, MOST_FOUND);
    if (request.res !== undefined) noteKnownCaller(request.res);
    return session;
  }

  /** Its session's requests take turns by that workspace from now on, and its line in the log names it. */
  entered(request: Request, { tenantId: workspace, name }: Pick<Membership, "tenantId" | "name">) {
    if (request.res !== undefined) noteKnownCaller(request.res, { workspace: name });
    const token = this.#session.read(request) ?? "";
    const found = this.#found.get(token);
    if (found !== undefined) this.#found.set(token, { ...found, workspace });
  }

  /**
   * Signs a person in under a new session, which replaces the browser's; for one workspace only where that workspace's
   * provider vouched for them. False where their proof (password, link) has ended meanwhile.
   */
  async signIn(request: Request, response: Response, who: SigningIn) {
    const origin = { address: sourceOf(request.ip), requestId: requestIdOf(response) };
    const userAgent = request.get("user-agent") ?? null;
    const token = await startSession(this.core, who, { ...origin, userAgent, replaced: await this.person(request) });
    if (token === null) return false;
    this.#found.delete(this.#session.read(request) ?? "");
    this.#session.set(response, token, SESSION_SECONDS);
    this.know(response, who);
    return true;
  }

  /** Has the browser known as one that a person proved who they are with: guesses in others do not delay them there. */
  know(response: Response, who: SigningIn) {
    const known = sealKnownBrowser(this.core, who);
    if (known !== null) this.#known.set(response, known, BROWSER_KNOWN_SECONDS);
  }

  /** Who signed in by a password with the browser of a request last, within 90 days; null for nobody. */
  knownBrowser(request: Request) {
    return openKnownBrowser(this.core, this.#known.read(request));
  }

  async signOut(request: Request, response: Response) {
    const session = await this.person(request);
    if (session !== null) await endSession(this.core, session);
    this.#found.delete(this.#session.read(request) ?? "");
    this.#session.clear(response);
  }

  /** Goes on to one of our pages, which says what was done as its address names it. */
  goOn(response: Response, path: string) {
    if (path.includes(`${DONE}=`)) this.#done.set(response, markOf(path), DONE_SECONDS);
    response.redirect(303, path);
  }

  /** What was done by the name in the address; null where this browser did nothing but follow a link that says so. */
  doneIn(request: Request) {
    return this.#done.read(request) === markOf(request.originalUrl) ? parameter(request, DONE) : null;
  }

  /** A form that is sent to `path`: its CSRF field is valid for that, in this browser, for the current session. */
  form(
    at: { request: Request; response: Response; session: WebSession | null },
    path: string,
    body: Inserted,
    options: FormOptions = {},
  ) {
    const { request, response, session } = at;
    const { look = "", more, action = path } = options;
    const browser = this.#browserId(request, response);
    const token = this.core.secrets.seal("form", sealed(path, browser, session));
    const fields = html`${body}`;
    const maker = session && makerOf(this.core, fields.text, { path, browser, personId: session.personId });
    return html`<form class="${look}" method="post" action="${action}" autocomplete="off"${more}>
${hidden(TOKEN_FIELD, token.toString("base64url"))}${maker && hidden(MAKER_FIELD, maker)}${fields}</form>`;
  }

  /**
   * Reads a form into `request.body` ({@link readForm}). Throws {@link ForgedForm} unless it was sent from our page, in
   * this browser, in `session`, which goes on; one from another origin is not read.
   */
  async readForm(request: Request, action: string, session: WebSession | null, maxFileBytes = 0) {
    await this.readOurs(request, maxFileBytes, session === null ? MOST_FIELDS.ofAnybody : MOST_FIELDS.ofPeople);
    const browser = this.browserOf(request);
    const given = Buffer.from(fieldOf(request, TOKEN_FIELD), "base64url");
    // A session may have ended while the body came.
    const current = session && (await this.person(request));
    const isOurs =
      given.length === 32 && this.core.secrets.sealMatches("form", sealed(action, browser, current), given);
    if (browser === "" || !isOurs) throw new ForgedForm("This form has expired. Open the page again and repeat it.");
  }

  /** Reads what was sent from a page of ours. Throws as {@link Site.readForm}. */
  async readOurs(request: Request, maxFileBytes = 0, mostFields = MOST_FIELDS.ofAnybody) {
    const { origin, "sec-fetch-site": site } = request.headers;
    if (origin !== undefined && origin !== this.publicOrigin)
      throw new ForgedForm(`This form can be sent from ${this.publicOrigin} only. Open the page there.`);
    if (site !== undefined && site !== "same-origin" && site !== "none")
      throw new ForgedForm("This form was sent from another site.");
    await readForm(request, maxFileBytes, mostFields);
  }

  browserOf(request: Request) {
    return this.#browser.read(request) ?? "";
  }

  /** A random id of the browser, set before anybody signs in. */
  #browserId(request: Request, response: Response) {
    const { locals }: { locals: { browser?: string } } = response;
    if (locals.browser === undefined) {
      locals.browser = this.#browser.read(request) || randomBytes(16).toString("base64url");
      this.#browser.set(response, locals.browser, BROWSER_SECONDS);
    }
    return locals.browser;
  }
}

function sealed(action: string, browser: string, session: WebSession | null) {
  return JSON.stringify([action, browser, session?.id ?? null]);
}

const markOf = (path: string) => hash("sha256", path, "base64url");

/** Where people go after signing in, by default. */
export const AFTER_SIGN_IN = "/";

/** Longer destinations are dropped. */
const MAX_LENGTH = 1_000;

/** The path to go to after signing in, or else `usual`: one of our own, against open redirects, that claims no act. */
export function destination(publicOrigin: string, next: unknown, usual: string = AFTER_SIGN_IN) {
  const url = typeof next === "string" && next.startsWith("/") ? URL.parse(next, publicOrigin) : null;
  if (url?.origin !== publicOrigin) return usual;
  if (url.searchParams.has(DONE)) url.searchParams.delete(DONE);
  const path = url.pathname + url.search;
  // `/.//host` becomes `//host`: a path here, and another host to a browser.
  return path.startsWith("//") || path.length > MAX_LENGTH ? usual : path;
}
