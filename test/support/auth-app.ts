import express, { type RequestHandler } from "express";
import type { Selectable } from "kysely";
import { afterAll, beforeAll } from "vitest";
import { type AuthorizationServer, authorizationServer } from "../../auth/authorization-server/index.ts";
import { bearerAuthentication } from "../../auth/bearer.ts";
import type { Role } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { requestIds } from "../../src/http/request-id.ts";
import type { AuditEntryRow } from "../../src/store/tables/audit.ts";
import { oauthErrorPage } from "../../src/web/kit/error-page.ts";
import { pages } from "../../src/web/pages.ts";
import { authorizationServerMetadata } from "../../well-known/authorization-server.ts";
import { protectedResourceMetadata } from "../../well-known/protected-resource.ts";
import { Browser } from "./browser.ts";
import { TestClock, testCore } from "./core.ts";
import { listen } from "./http.ts";
import { PASSWORD, type People, peopleOf } from "./people.ts";
import type { TestStore } from "./stores.ts";

export { everyRow } from "./every-row.ts";

export { PASSWORD };

/** The authorization server, its pages and metadata, and a resource at `/mcp` that answers who called. */
export interface AuthApp extends People {
  origin: string;
  core: Core;
  authorization: AuthorizationServer;
  /** A browser in which somebody has signed in with {@link PASSWORD}. */
  signedIn(email: string): Promise<Browser>;
  /** Somebody new who has signed in, in a workspace of their own unless one is given. */
  newcomer(role?: Role, tenantId?: string): Promise<Newcomer>;
  /** The audit trail of a workspace in its order, of one operation where that is given. */
  trail(tenantId: string, operation?: string): Promise<Selectable<AuditEntryRow>[]>;
  close(): Promise<void>;
}

interface Newcomer {
  tenantId: string;
  email: string;
  memberId: string;
  browser: Browser;
}

export interface AuthAppOptions {
  internet?: Parameters<typeof authorizationServer>[0]["internet"];
  limited?: boolean;
  /** The public origin, where it is another app's: this one is a second process beside it. */
  publicOrigin?: string;
  /** What the core has besides. */
  core?: Partial<Core>;
  /** Whose `X-Forwarded-For` counts. */
  trustProxy?: boolean;
  /** Routes of a test's own, before the pages. */
  beside?: (core: Core, publicOrigin: string) => RequestHandler;
}

/** Starts it on a loopback port. */
export async function startAuthApp(core: Core, options: AuthAppOptions = {}): Promise<AuthApp> {
  const app = express();
  app.set("trust proxy", options.trustProxy ?? false);
  const { url: origin, close } = await listen(app);
  const { internet, limited = true, publicOrigin = origin } = options;
  const authorization = await authorizationServer({
    core,
    publicOrigin,
    errorPage: oauthErrorPage(publicOrigin),
    ...(internet === undefined ? {} : { internet }),
  });
  const { verifyAccessToken, interactions } = authorization;
  const authenticate = bearerAuthentication({ core, publicOrigin, verifyAccessToken, limited });
  app.use(requestIds(core.newId));
  app.use(protectedResourceMetadata({ publicOrigin }), authorizationServerMetadata({ publicOrigin }));
  if (options.beside !== undefined) app.use(options.beside(core, publicOrigin));
  app.use(authorization.router, pages({ core, publicOrigin, interactions }));
  app.all("/mcp", async (request, response) => {
    const caller = await authenticate(request, response);
    if (caller !== null) response.json(caller);
  });
  const people = peopleOf(core);
  async function signedIn(email: string): Promise<Browser> {
    const browser = new Browser(origin);
    await browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
    return browser;
  }
  return {
    ...people,
    ...{ origin, core, authorization, close, signedIn },
    async newcomer(role = "admin", given) {
      const tenantId = given ?? (await people.addWorkspace()).id;
      const person = await people.addPerson(tenantId, { role });
      return { ...person, tenantId, browser: await signedIn(person.email) };
    },
    trail: (tenantId, operation) =>
      core.store.read(tenantId, (tx) => {
        const entries = tx.selectFrom("audit_entries").selectAll().where("tenant_id", "=", tenantId);
        const found = operation === undefined ? entries : entries.where("operation", "=", operation);
        return found.orderBy("at").orderBy("operation").execute();
      }),
  };
}

/** The app of one `describe`, on a store of its own, with a clock that stands still at the time of the start. */
export function useAuthApp(open: () => Promise<TestStore>, options: AuthAppOptions = {}) {
  const clock = new TestClock(new Date().toISOString());
  const held: { app?: AuthApp; opened?: TestStore } = {};
  beforeAll(async () => {
    held.opened = await open();
    held.app = await startAuthApp({ ...testCore(held.opened.store, clock), ...options.core }, options);
  });
  afterAll(async () => {
    await held.app?.close();
    await held.opened?.remove();
  });
  return {
    clock,
    get app(): AuthApp {
      if (held.app === undefined) throw new Error("the app is not started yet");
      return held.app;
    },
  };
}
