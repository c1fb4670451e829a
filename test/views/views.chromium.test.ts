import { randomUUID } from "node:crypto";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { HAS_CHROMIUM, launchChromium } from "../support/chromium.ts";
import { MARKUP, ORDER } from "../support/hostile-book.ts";
import { openViewBooks, type ViewBooks } from "./support/books.ts";
import { call, collectible } from "./support/calls.ts";
import { amountsIn, amountsShown } from "./support/figures.ts";
import { showView, viewOf } from "./support/host.ts";
import { lookAt } from "./support/looks.ts";

/** Longest until the figures are on the screen, after the tool's result. The machine may be busy with something else. */
const PAINT_MS = 300;
const BUSY = 5;

type BookName = keyof ViewBooks["tenants"];

/** A call whose result a view shows. */
interface Case {
  readonly name: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

const READS: readonly Case[] = [
  { name: "aging", tool: "summarize_aging", args: {} },
  { name: "aging-customers", tool: "list_customer_aging", args: { limit: 100 } },
  { name: "aging-installments", tool: "list_installment_aging", args: { limit: 100 } },
  { name: "worklist", tool: "list_invoices", args: { include_total: true, limit: 100 } },
  { name: "statement", tool: "list_payments", args: { include_total: true, limit: 100 } },
];

describe.skipIf(!HAS_CHROMIUM)("every view in the host's bridge", () => {
  let books: ViewBooks;
  let browser: Browser;
  let clients: Record<BookName, Client>;
  const painted: string[] = [];

  beforeAll(async () => {
    [books, browser] = await Promise.all([openViewBooks(), launchChromium()]);
    const { demo, empty, hostile } = books.tenants;
    const [one, two, three] = await Promise.all([demo, empty, hostile].map((id) => books.connect(id)));
    if (!one || !two || !three) throw new Error("no clients");
    clients = { demo: one, empty: two, hostile: three };
  });
  afterAll(async () => {
    process.stdout.write(`${painted.join("\n")}\n`);
    await browser?.close();
    await books?.close();
  });

  /** Shows a result, holds it against its structured content, and looks at it. */
  async function check(
    client: Client,
    { name, tool, args }: Case,
    result: CallToolResult,
    looks?: number,
  ): Promise<void> {
    const { html } = await viewOf(client, tool);
    const view = await showView(browser, client, html);
    const took = await view.tell(args, result);
    painted.push(`first paint of ${name}: ${took.toFixed(0)} ms (at most ${PAINT_MS})`);
    expect(took).toBeLessThan(PAINT_MS * BUSY);
    await view.frame.getByRole("heading", { level: 1 }).waitFor();
    expect(await amountsShown(view.frame)).toEqual(amountsIn(result.structuredContent));
    expect(await lookAt(view, name, looks)).toEqual([]);
    expect(view.requests).toEqual([]);
    expect(view.complaints).toEqual([]);
    const source = await view.frame.evaluate("document.body.innerHTML");
    expect(source).not.toContain(MARKUP.slice(0, 20));
    expect(
      await view.frame.evaluate(`document.querySelectorAll("a, img, iframe, script:not([type=module])").length`),
    ).toBe(0);
    await view.close();
  }

  describe.each(["demo", "empty", "hostile"] as const)("with the %s book", (book) => {
    it.each(READS)("$name [facts.views.shown] [facts.views.figures] [facts.views.inert]", async (one) => {
      const result = await call(clients[book], one.tool, one.args);
      if (book === "hostile")
        expect(JSON.stringify(result.structuredContent).includes(ORDER)).toBe(one.name !== "aging");
      await check(clients[book], { ...one, name: `${one.name}-${book}` }, result);
    });

    it("confirm [facts.views.shown] [facts.views.figures] [facts.views.inert]", async () => {
      const client = clients[book];
      const pushed = { connection_id: await connectionOf(client), idempotency_key: randomUUID() };
      const queued = await call(client, "push_held_payments", pushed);
      const { data } = z.object({ data: z.array(z.unknown()) }).parse(queued.structuredContent);
      if (data.length === 0)
        await check(client, { name: `confirm-push-${book}`, tool: "push_held_payments", args: pushed }, queued);
      const links = (await collectible(client)).slice(0, 12);
      if (book === "empty") return expect(links).toEqual([]);
      const args = { links, idempotency_key: randomUUID() };
      const created = await call(client, "create_payment_links", args);
      await check(client, { name: `confirm-${book}`, tool: "create_payment_links", args }, created);
      const [link] = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(created.structuredContent).data;
      const withdrawal = { payment_link_id: link?.id };
      const withdrawn = await call(client, "deactivate_payment_link", withdrawal);
      await check(
        client,
        { name: `confirm-withdrawn-${book}`, tool: "deactivate_payment_link", args: withdrawal },
        withdrawn,
      );
    });
  });

  it.each(READS.slice(1))(
    "$name with 1,000 rows [facts.views.shown] [facts.views.figures] [facts.views.paint]",
    async (one) => {
      const { structuredContent, ...rest } = await call(clients.demo, one.tool, one.args);
      const { data } = z.object({ data: z.array(z.record(z.string(), z.unknown())).min(1) }).parse(structuredContent);
      const rows = Array.from({ length: 1_000 }, (_, index) => ({ ...data[index % data.length], id: randomUUID() }));
      const many = { ...rest, structuredContent: { ...structuredContent, data: rows } };
      await check(clients.demo, { ...one, name: `${one.name}-1000` }, many, 2);
    },
  );

  it("confirm with 1,000 rows [facts.views.shown] [facts.views.figures] [facts.views.paint]", async () => {
    const [first] = await collectible(clients.demo);
    const args = { links: [first], idempotency_key: randomUUID() };
    const { structuredContent, ...rest } = await call(clients.demo, "create_payment_links", args);
    const { data } = z.object({ data: z.array(z.record(z.string(), z.unknown())).min(1) }).parse(structuredContent);
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ ...data[0], amount_minor: index + 1 }));
    const many = { ...rest, structuredContent: { data: rows } };
    await check(clients.demo, { name: "confirm-1000", tool: "create_payment_links", args }, many, 2);
  });
});

async function connectionOf(client: Client): Promise<string> {
  const { structuredContent } = await call(client, "list_erp_connections");
  return z.object({ data: z.array(z.object({ id: z.string() })).min(1) }).parse(structuredContent).data[0]?.id ?? "";
}
