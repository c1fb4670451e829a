import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Browser } from "playwright-core";
import { type AssistantActor, type Role, SCOPES, type Scope } from "../../../src/core/gate/actor.ts";
import { openAssistantRoute } from "../../mcp/receivables.ts";
import { launchChromium } from "../../support/chromium.ts";
import {
  type CollectingApp,
  type CollectingBook,
  openCollectingApp,
  openCollectingBook,
} from "../../support/collecting.ts";
import { connectAssistant } from "../../support/rows.ts";
import type { TestStore } from "../../support/stores.ts";
import { A_STORE } from "../../support/thorough.ts";
import { call } from "./calls.ts";
import { type ShownView, type ShowOptions, showView, viewOf } from "./host.ts";

/** A workspace that collects, its admin's assistant with views, and a browser to show them in. */
export interface CollectingViews {
  readonly opened: TestStore;
  readonly app: CollectingApp;
  readonly book: CollectingBook;
  readonly browser: Browser;
  readonly admin: Client;
  /** An assistant with views of a new person of the workspace. */
  connect(role: Role, scopes?: readonly Scope[], tenantId?: string): Promise<{ client: Client; actor: AssistantActor }>;
  /** Shows the result of a call; what the view then calls in the host is answered by the client. */
  shown(client: Client, tool: string, args: Record<string, unknown>, options?: ShowOptions): Promise<ShownView>;
  /** The worklist with an invoice of one installment of 100.00 opened. */
  openedInvoice(client: Client, number: string, options?: ShowOptions): Promise<ShownView>;
  close(): Promise<void>;
}

export async function openCollectingViews(): Promise<CollectingViews> {
  const [store] = A_STORE;
  if (store === undefined) throw new Error("no store");
  const [opened, browser] = await Promise.all([store.open(), launchChromium()]);
  const app = await openCollectingApp(opened);
  const route = await openAssistantRoute(app.core);
  const book = await openCollectingBook(app, "sandbox");
  const connect: CollectingViews["connect"] = async (role, scopes = SCOPES, tenantId = book.tenantId) => {
    const { actor } = await connectAssistant(opened.store, tenantId, { role, scopes });
    return { actor, client: await route.as(actor, { showsViews: true }) };
  };
  const shown: CollectingViews["shown"] = async (client, tool, args, options = {}) => {
    const { html } = await viewOf(client, tool);
    const view = await showView(browser, client, html, options);
    await view.tell(args, await call(client, tool, args));
    return view;
  };
  return {
    ...{ opened, app, book, browser, connect, shown },
    admin: (await connect("admin")).client,
    async openedInvoice(client, number, options) {
      await book.owingIn({ invoice_number: number }, { original_amount: "100.00" });
      const list = await shown(client, "list_invoices", { invoice_number: number }, options);
      await list.frame.getByRole("button", { name: number }).click();
      await list.frame.getByText("Installment 1").waitFor();
      return list;
    },
    async close() {
      await browser.close();
      await route.close();
      await app.close();
      await opened.remove();
    },
  };
}

/** The calls of a view that change something. */
export function actsOf({ calls }: ShownView): string[] {
  return calls.map(({ name }) => name).filter((name) => !/^(get|list)_/.test(name));
}
