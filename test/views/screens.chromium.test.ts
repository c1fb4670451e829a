import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { SCOPES } from "../../src/core/gate/actor.ts";
import { HAS_CHROMIUM } from "../support/chromium.ts";
import { openCollectingBook } from "../support/collecting.ts";
import { linkRow, paymentRow } from "../support/furnish.ts";
import { addRows } from "../support/stored.ts";
import { call } from "./support/calls.ts";
import { actsOf, type CollectingViews, openCollectingViews } from "./support/collecting.ts";
import { amountsIn, amountsShown } from "./support/figures.ts";
import { showView, viewOf } from "./support/host.ts";
import { lookAt } from "./support/looks.ts";

const SCHEMA = fileURLToPath(import.meta.resolve("@modelcontextprotocol/ext-apps/schema.json"));

describe.skipIf(!HAS_CHROMIUM)("the screens of views", () => {
  let views: CollectingViews;

  beforeAll(async () => {
    views = await openCollectingViews();
  });
  afterAll(() => views?.close());

  it("tell what is about to happen, and then what did, of receipts too [facts.views.acts] [facts.views.figures]", async () => {
    const { installments } = await views.book.owing("81.00");
    const [installment] = installments;
    if (installment === undefined) throw new Error("no installment");
    const link = linkRow(installment, views.book.integrationId, {
      state: "paid",
      amount_minor: "8100",
      amount: "81.00",
    });
    const payment = paymentRow(link, { erp_push_status: "held" });
    await addRows(views.opened.store, views.book.tenantId, { payment_links: [link], payments: payment });
    const args = { payment_ids: [payment.payment_id], idempotency_key: "push-1" };
    const { html } = await viewOf(views.admin, "push_held_payments");
    const view = await showView(views.browser, views.admin, html);
    await view.bridge.sendToolInput({ arguments: args });
    await view.frame.getByText("Nothing has happened yet.").waitFor();
    expect(await amountsShown(view.frame)).toEqual(["81.00 USD"]);
    expect(actsOf(view)).toEqual([]);
    await view.bridge.sendToolResult(await call(views.admin, "push_held_payments", args));
    await view.frame.getByRole("heading", { name: "1 receipt queued for the ERP" }).waitFor();
    await view.frame.getByText("INV-7").waitFor();
    expect(await amountsShown(view.frame)).toEqual(["81.00 USD"]);
    expect(await lookAt(view, "confirm-pushed")).toEqual([]);
    expect(actsOf(view)).toEqual([]);
  });

  it("lead from payments to a customer's statement and back [facts.views.shown]", async () => {
    const customer = await views.book.customer({ name: "Initech" });
    const { installments } = await views.book.invoice({ customer, invoice_number: "INV-ST" }, [
      { original_amount: "12.00" },
      { original_amount: "13.00", due_date: "2099-01-01" },
    ]);
    const [installment] = installments;
    if (installment === undefined) throw new Error("no installment");
    const link = linkRow(installment, views.book.integrationId, { state: "paid" });
    await addRows(views.opened.store, views.book.tenantId, { payment_links: [link], payments: paymentRow(link) });
    const list = await views.shown(views.admin, "list_payments", { limit: 100 });
    await list.frame.getByRole("button", { name: "Initech" }).click();
    await list.frame.getByRole("heading", { name: "Open items" }).waitFor();
    const owed = await call(views.admin, "list_installment_aging", { customer_key: customer.customer_id, limit: 100 });
    const expected = amountsIn(owed.structuredContent).filter((amount) => amount.includes(" "));
    expect(await amountsShown(list.frame)).toEqual([...expected, "10.00 USD"]);
    expect(await lookAt(list, "statement-customer")).toEqual([]);
    await list.frame.getByRole("button", { name: "Print" }).click();
    await list.frame.getByText("lets no view print").waitFor();
    await list.frame.getByRole("button", { name: "Back" }).click();
    await list.frame.getByRole("heading", { name: "Payments" }).waitFor();
    // The sandbox says that it ignored the call of print.
    expect(list.complaints.filter((one) => !one.includes("print"))).toEqual([]);
  });

  it("send messages as the extension's own schema has them [facts.views.acts]", async () => {
    const list = await views.openedInvoice(views.admin, "INV-WIRE");
    await expect.poll(() => JSON.stringify(list.messages)).toContain("size-changed");
    const ajv = new Ajv2020({ strict: false, logger: false });
    formats.default(ajv);
    ajv.addSchema(JSON.parse(readFileSync(SCHEMA, "utf8")), "apps");
    const definitions = new Map([
      ["ui/initialize", "McpUiInitializeRequest"],
      ["ui/notifications/initialized", "McpUiInitializedNotification"],
      ["ui/notifications/size-changed", "McpUiSizeChangedNotification"],
    ]);
    const seen = new Set<string>();
    for (const message of list.messages) {
      const {
        jsonrpc,
        id: _,
        ...rest
      } = z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string() }).parse(message);
      const definition = definitions.get(rest.method);
      seen.add(rest.method);
      if (definition !== undefined)
        expect(ajv.validate(`apps#/$defs/${definition}`, rest), ajv.errorsText()).toBe(true);
      else expect(CallToolRequestSchema.safeParse({ ...rest, jsonrpc }).success, rest.method).toBe(true);
    }
    expect([...seen].sort()).toEqual([...definitions.keys(), "tools/call"].sort());
  });

  it("follow a long list to its end, in any order, each row once [facts.views.shown]", async () => {
    const many = await openCollectingBook(views.app, "sandbox");
    for (let index = 0; index < 250; index += 1)
      await many.owingIn({ invoice_number: `N-${index}` }, { original_amount: "1.00" });
    const { client } = await views.connect("member", SCOPES, many.tenantId);
    const list = await views.shown(client, "list_invoices", { limit: 100 });
    const more = list.frame.getByRole("button", { name: "Show more" });
    for (let pages = 0; pages < 10 && (await more.count()) > 0; pages += 1) {
      const before = await list.frame.getByRole("listitem").count();
      await more.click();
      await expect.poll(() => list.frame.getByRole("listitem").count()).toBeGreaterThan(before);
    }
    const numbers = await list.frame.getByRole("button", { name: /^N-/ }).allTextContents();
    expect([numbers.length, new Set(numbers).size]).toEqual([250, 250]);
    await list.frame.getByLabel("Sort by").selectOption("Largest first");
    await list.frame.getByRole("option", { name: "Largest first", selected: true }).waitFor({ state: "attached" });
    const sorted = { name: "list_invoices", args: { limit: 100, sort: "outstanding_desc" } };
    await expect.poll(() => list.calls.at(-1)).toEqual(sorted);
  });
});
