import { afterAll, beforeAll, beforeEach } from "vitest";
import { actIn } from "./acting.ts";
import { type CollectingApp, type CollectingBook, openCollectingApp, openCollectingBook } from "./collecting.ts";
import { standIn, useStore } from "./use-store.ts";

/** The collecting service for the tests of a suite, and a new workspace for each that collects through a provider. */
export function useCollecting(open: Parameters<typeof useStore>[0], ...connected: Connected) {
  const opened = useStore(open);
  let [running, made]: [CollectingApp?, CollectingBook?] = [];
  const app = standIn(() => running);
  beforeAll(async () => {
    running = await openCollectingApp(opened);
  });
  afterAll(() => running?.close());
  beforeEach(async () => {
    app.stripe.control({ mode: "ok" });
    app.clock.set(new Date().toISOString());
    app.errors.splice(0);
    made = await openCollectingBook(app, ...connected);
    app.stripe.forgetRequests();
  });
  const book = standIn(() => made);
  return { app, book, act: actIn(() => ({ core: app.core, tenantId: book.tenantId })), store: opened.store };
}

type Connected = Parameters<typeof openCollectingBook> extends [unknown, ...infer Rest] ? Rest : never;
