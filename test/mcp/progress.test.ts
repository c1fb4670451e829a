import { randomUUID } from "node:crypto";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Progress } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SCOPES } from "../../src/core/gate/actor.ts";
import type { PaymentProviders } from "../../src/core/gate/dependencies.ts";
import type { PaymentGateway } from "../../src/gateways/payments/gateway.ts";
import {
  type CollectingApp,
  type CollectingBook,
  openCollectingApp,
  openCollectingBook,
} from "../support/collecting.ts";
import { connectAssistant } from "../support/rows.ts";
import { openAStore } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";
import { openAssistantRoute } from "./receivables.ts";
import { gate } from "./support.ts";

const opened = useStore(openAStore);
let app: CollectingApp;
let book: CollectingBook;
let route: Awaited<ReturnType<typeof openAssistantRoute>>;
let client: Client;
let bearer: string;
let links: { invoice_id: string; installment_id: string }[];
/** Called before each link is made at the provider. */
let before: (nth: number) => Promise<void>;
let minted = 0;

beforeAll(async () => {
  app = await openCollectingApp(opened);
  const payments: PaymentProviders = (access) => {
    const gateway = app.core.payments?.(access) ?? null;
    return gateway && watched(gateway);
  };
  route = await openAssistantRoute({ ...app.core, payments });
  book = await openCollectingBook(app, "sandbox");
  const { actor } = await connectAssistant(opened.store, book.tenantId, { role: "admin", scopes: SCOPES });
  bearer = `Bearer ${actor.connectionId}-0`;
  client = await route.as(actor);
});
afterAll(async () => {
  await route.close();
  await app.close();
});
beforeEach(async () => {
  const { invoice, installments } = await book.owing("100.00", "200.00", "300.00");
  links = installments.map(({ installment_id }) => ({ invoice_id: invoice.invoice_id, installment_id }));
  minted = 0;
  before = async () => undefined;
});

function watched(gateway: PaymentGateway): PaymentGateway {
  const mintLink: PaymentGateway["mintLink"] = async (request) => {
    await before(minted++);
    return gateway.mintLink(request);
  };
  return Object.assign(Object.create(gateway), { mintLink });
}

const create = (told?: Progress[]) =>
  client.callTool({ name: "create_payment_links", arguments: { links, idempotency_key: randomUUID() } }, undefined, {
    ...(told === undefined ? {} : { onprogress: (progress) => void told.push(progress) }),
  });

describe("create_payment_links", () => {
  it("tells how many links are made while the others are still being made [facts.mcp.progress]", async () => {
    const held = gate();
    before = (nth) => (nth === 0 ? Promise.resolve() : held.opened);
    const told: Progress[] = [];
    const creating = create(told);
    await expect.poll(() => told).toEqual([{ progress: 1, total: 3, message: "1 of 3 links made" }]);
    held.open();
    expect((await creating).isError).toBeUndefined();
    expect(told).toEqual([1, 2, 3].map((done) => ({ progress: done, total: 3, message: `${done} of 3 links made` })));
  });

  it("counts what was refused as done, and not as made", async () => {
    before = (nth) => (nth === 0 ? Promise.reject(new TypeError("down")) : Promise.resolve());
    const told: Progress[] = [];
    expect((await create(told)).isError).toBe(true);
    expect(told.at(-1)).toEqual({ progress: 3, total: 3, message: "2 of 3 links made" });
  });

  it("says when to come back to whoever asks while the same request is in flight [facts.scale.cut-off]", async () => {
    const held = gate();
    before = () => held.opened;
    const tool = { name: "create_payment_links", arguments: { links, idempotency_key: randomUUID() } };
    const first = client.callTool(tool);
    await expect.poll(() => minted).toBe(3);
    const answer = await fetch(route.url, {
      method: "POST",
      headers: {
        authorization: bearer,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2025-06-18",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: tool }),
    });
    expect(answer.headers.get("Retry-After")).toBe("10");
    expect(await answer.text()).toContain("Send it again with the same key in 10 seconds.");
    held.open();
    expect((await first).isError).toBeUndefined();
    expect((await client.callTool(tool)).isError).toBeUndefined();
  });

  it("tells nothing to a client that did not ask [facts.mcp.progress]", async () => {
    const told: unknown[] = [];
    client.fallbackNotificationHandler = async (notification) => void told.push(notification);
    expect((await create()).isError).toBeUndefined();
    expect(told).toEqual([]);
  });
});
