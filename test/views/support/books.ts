import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { z } from "zod";
import { type Role, SCOPES, type Scope } from "../../../src/core/gate/actor.ts";
import { cleanText } from "../../../src/core/kernel/text.ts";
import { listWorkspaces } from "../../../src/core/workspace/workspaces.ts";
import { openEmbedded } from "../../../src/store/database.ts";
import { openAssistantRoute } from "../../mcp/receivables.ts";
import { openBook } from "../../support/book.ts";
import { Browser } from "../../support/browser.ts";
import { type CollectingApp, openCollectingApp, openCollectingBook } from "../../support/collecting.ts";
import { hostile } from "../../support/hostile-book.ts";
import { connectAssistant } from "../../support/rows.ts";
import { copyDemo } from "../../support/stores.ts";
import { call, collectible } from "./calls.ts";

/** The demo's store, and in it an empty and a hostile workspace, behind the assistant route. */
export interface ViewBooks {
  readonly app: CollectingApp;
  readonly tenants: Readonly<Record<"demo" | "empty" | "hostile", string>>;
  /** An assistant of a new person of the workspace, in an application that shows views, unless it does not. */
  connect(tenantId: string, who?: { role?: Role; scopes?: readonly Scope[]; showsViews?: boolean }): Promise<Client>;
  close(): Promise<void>;
}

export async function openViewBooks(): Promise<ViewBooks> {
  const dataDir = await copyDemo();
  const store = await openEmbedded(dataDir);
  const remove = async (): Promise<void> => {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const app = await openCollectingApp({ store, location: { dataDir }, remove });
  const route = await openAssistantRoute(app.core);
  const demo = (await listWorkspaces(app)).find(({ name }) => name === "Odd Cases")?.id;
  if (demo === undefined) throw new Error("no demo");
  const connect: ViewBooks["connect"] = async (
    tenantId,
    { role = "admin", scopes = SCOPES, showsViews = true } = {},
  ) => {
    const { actor } = await connectAssistant(store, tenantId, { role, scopes });
    return route.as(actor, { showsViews });
  };
  return {
    app,
    tenants: { demo, empty: (await openBook(store)).tenantId, hostile: await openHostileBook(app, connect) },
    connect,
    async close() {
      await route.close();
      await app.close();
      await remove();
    },
  };
}

/** Hostile texts as a pull leaves them in the store, a payment, and links that wait. */
async function openHostileBook(app: CollectingApp, connect: ViewBooks["connect"]): Promise<string> {
  const book = await openCollectingBook(app, "sandbox");
  const text = (field: string): string => cleanText(hostile(field)) ?? "";
  for (const nth of [1, 2, 3]) {
    const customer = await book.customer({
      name: text(`name ${nth}`),
      number: text("number"),
      contact_name: text("contact"),
    });
    const parts = [
      { due_date: "2026-01-15" },
      { due_date: "2027-04-15" },
      { not_collectible_reason: "disputed" as const },
    ];
    await book.invoice({ customer, invoice_number: text("invoice") }, parts);
  }
  const client = await connect(book.tenantId, { showsViews: false });
  const [first] = await collectible(client);
  if (first === undefined) throw new Error("nothing can be collected");
  const made = await call(client, "create_payment_links", { links: [first], idempotency_key: randomUUID() });
  const { data } = z.object({ data: z.array(z.object({ url: z.string() })) }).parse(made.structuredContent);
  const browser = new Browser(app.url);
  await browser.submit(await browser.open(data[0]?.url ?? ""), "Pay");
  return book.tenantId;
}
