import { randomUUID } from "node:crypto";
import express from "express";
import { afterAll, beforeAll } from "vitest";
import { type AuthorizationServer, authorizationServer } from "../../auth/authorization-server/index.ts";
import { bearerAuthentication } from "../../auth/bearer.ts";
import { addMember } from "../../auth/members.ts";
import { hashPassword } from "../../auth/passwords.ts";
import type { Role } from "../../src/core/actor.ts";
import type { Core } from "../../src/core/core.ts";
import { createWorkspace } from "../../src/core/workspace/workspaces.ts";
import { requestIds } from "../../src/http/request-id.ts";
import { oauthErrorPage } from "../../src/web/error-page.ts";
import { pages } from "../../src/web/pages.ts";
import { authorizationServerMetadata } from "../../well-known/authorization-server.ts";
import { protectedResourceMetadata } from "../../well-known/protected-resource.ts";
import { TestClock, testCore } from "./core.ts";
import { listen } from "./http.ts";
import type { TestStore } from "./stores.ts";

export const PASSWORD = "correct horse battery staple";
/** Made once: hashing is slow on purpose. */
let passwordHash: Promise<string> | undefined;

/** The authorization server, its pages and metadata, and a resource at `/mcp` that answers who called. */
export interface AuthApp {
  origin: string;
  core: Core;
  authorization: AuthorizationServer;
  /** A workspace with assistants, under a name of its own. */
  addWorkspace(options?: { name?: string; assistantAccess?: boolean }): Promise<{ id: string; name: string }>;
  /** A person in a workspace, who signs in with {@link PASSWORD}; a new one unless `email` is somebody's. */
  addPerson(
    workspaceId: string,
    options?: { role?: Role; email?: string },
  ): Promise<{ email: string; memberId: string }>;
  close(): Promise<void>;
}

export interface AuthAppOptions {
  internet?: Parameters<typeof authorizationServer>[0]["internet"];
  limited?: boolean;
  /** Whose `X-Forwarded-For` counts. */
  trustProxy?: boolean;
}

/** Starts it on a loopback port. */
export async function startAuthApp(core: Core, options: AuthAppOptions = {}): Promise<AuthApp> {
  const app = express();
  app.set("trust proxy", options.trustProxy ?? false);
  const { url: origin, close } = await listen(app);
  const { internet, limited = true } = options;
  const authorization = await authorizationServer({
    core,
    publicOrigin: origin,
    errorPage: oauthErrorPage(origin),
    ...(internet === undefined ? {} : { internet }),
  });
  const { verifyAccessToken, interactions } = authorization;
  const authenticate = bearerAuthentication({ core, publicOrigin: origin, verifyAccessToken, limited });
  app.use(requestIds(core.newId));
  app.use(protectedResourceMetadata({ publicOrigin: origin }), authorizationServerMetadata({ publicOrigin: origin }));
  app.use(authorization.router, pages({ core, publicOrigin: origin, interactions }));
  app.all("/mcp", async (request, response) => {
    const caller = await authenticate(request, response);
    if (caller !== null) response.json(caller);
  });
  return {
    origin,
    core,
    authorization,
    close,
    async addWorkspace({ name = `Workspace ${randomUUID().slice(0, 8)}`, assistantAccess = true } = {}) {
      const tier = { api_access: true, assistant_access: assistantAccess };
      const { id } = await createWorkspace(core, { name, timezone: "Europe/Berlin", ...tier });
      return { id, name };
    },
    async addPerson(workspaceId, { role = "admin", email = `${randomUUID()}@example.com` } = {}) {
      const { id } = await addMember(core, workspaceId, { email, role });
      passwordHash ??= hashPassword(PASSWORD);
      const hash = await passwordHash;
      await core.store.system((tx) =>
        tx.updateTable("people").set({ password_hash: hash }).where("email", "=", email).execute(),
      );
      return { email, memberId: id };
    },
  };
}

/** The app of one `describe`, on a store of its own, with a clock that stands still at the time of the start. */
export function useAuthApp(open: () => Promise<TestStore>, options: AuthAppOptions = {}) {
  const clock = new TestClock(new Date().toISOString());
  const held: { app?: AuthApp; opened?: TestStore } = {};
  beforeAll(async () => {
    held.opened = await open();
    held.app = await startAuthApp(testCore(held.opened.store, clock), options);
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
