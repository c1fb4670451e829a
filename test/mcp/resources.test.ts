import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AssistantActor } from "../../src/core/gate/actor.ts";
import { callTool } from "../support/assistant.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { connectAssistant } from "../support/rows.ts";
import { openAStore } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";
import { openAssistantRoute } from "./receivables.ts";

const opened = useStore(openAStore);
let route: Awaited<ReturnType<typeof openAssistantRoute>>;
let client: Client;
let unscoped: Client;
let ids: Record<"invoice" | "customer" | "settled" | "local" | "othersInvoice" | "othersCustomer", string>;

beforeAll(async () => {
  route = await openAssistantRoute(testCore(opened.store));
  const [book, another] = [await openBook(opened.store), await openBook(opened.store)];
  const due = [{ due_date: "2026-01-15" }, { due_date: "2026-04-15" }];
  const customer = await book.customer();
  const { invoice } = await book.invoice({ customer, invoice_number: "INV-77" }, due);
  const settled = await book.customer({ name: "Paid up" });
  await book.invoice({ customer: settled, collection_status: "paid", collection_outstanding: "0" });
  const local = await book.invoice({ origin: "local", due_date: "2026-01-15" });
  const theirs = await another.customer();
  const other = await another.invoice({ customer: theirs }, due);
  ids = {
    invoice: invoice.invoice_id,
    customer: customer.customer_id,
    settled: settled.customer_id,
    local: local.invoice.invoice_id,
    othersInvoice: other.invoice.invoice_id,
    othersCustomer: theirs.customer_id,
  };
  const { actor } = await connectAssistant(opened.store, book.tenantId, { role: "member" });
  const withoutScopes: AssistantActor = { ...actor, scopes: [] };
  client = await route.as(actor);
  unscoped = await route.as(withoutScopes);
});
afterAll(() => route.close());

const read = async (uri: string, by = client) => {
  const { contents } = await by.readResource({ uri });
  const [content] = contents;
  expect(contents).toHaveLength(1);
  expect(content?.uri).toBe(uri);
  return { mimeType: content?.mimeType, text: content !== undefined && "text" in content ? content.text : "" };
};
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

describe("the server", () => {
  it("carries its icon along, so that showing it asks nobody anything [facts.mcp.icons]", () => {
    const icons = client.getServerVersion()?.icons ?? [];
    expect(icons.map(({ mimeType }) => mimeType)).toEqual(["image/svg+xml", "image/png"]);
    const [svg, png] = icons.map(({ src }) => Buffer.from(src.split(",")[1] ?? "", "base64"));
    expect(svg?.toString()).toMatch(/^<svg [^>]*>(?!.*(<script|href|url\()).*<\/svg>$/);
    expect([...(png?.subarray(1, 4).toString() ?? ""), png?.readUInt32BE(16), png?.readUInt32BE(20)]).toEqual([
      "P",
      "N",
      "G",
      48,
      48,
    ]);
    expect(JSON.stringify(icons).length).toBeLessThan(1_500);
  });
});

describe("resources", () => {
  it("are listed, with what there is and nothing more [facts.mcp.resources]", async () => {
    expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {} });
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const sizes = await Promise.all(resources.map(async ({ uri }) => Buffer.byteLength((await read(uri)).text)));
    expect(resources.map(({ size }) => size)).toEqual(sizes);
    const shown = { resources: resources.map(({ size: _, ...resource }) => resource), resourceTemplates };
    await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot("resources-list.json.snap");
  });

  it("hold a guide that tells what each figure must not be used for, and is worth its tokens [facts.mcp.guide]", async () => {
    const { mimeType, text } = await read("receivables://guide");
    expect(mimeType).toBe("text/markdown");
    for (const figure of [
      "erp_invoice_open_balance",
      "collection_outstanding",
      "available_amount",
      "amount_collected",
      "due_date",
      "collection_due_date",
      "amount_minor",
      "never add two currencies",
      "inactive",
      "last_successful_sync_at",
      "revision",
    ])
      expect(text).toContain(figure);
    expect(countTokens(text)).toBeLessThan(2_000);
  });

  it("hold the description of the REST API [facts.mcp.resources]", async () => {
    const { mimeType, text } = await read("receivables://openapi.json");
    expect(mimeType).toBe("application/json");
    expect(JSON.parse(text)).toMatchObject({ openapi: "3.1.0", paths: { "/v1/invoices": expect.anything() } });
  });

  it("are an invoice and a customer's aging as the tools answer them [facts.mcp.resources]", async () => {
    const invoice = await read(`receivables://invoices/${ids.invoice}`);
    expect(invoice.mimeType).toBe("application/json");
    expect(JSON.parse(invoice.text)).toEqual(await callTool(client, "get_invoice", { invoice_id: ids.invoice }));
    for (const key of [ids.customer, `unassigned:${ids.local}`]) {
      const aging = await read(`receivables://customers/${encodeURIComponent(key)}/aging`);
      const { data, ...answer } = await callTool(client, "list_installment_aging", { customer_key: key });
      expect(data).not.toEqual([]);
      expect(JSON.parse(aging.text)).toEqual({ ...answer, data });
      expect(await read(`receivables://customers/${key}/aging`)).toMatchObject({ text: aging.text });
    }
  });

  it("are an empty report for a customer who owes nothing", async () => {
    const { text } = await read(`receivables://customers/${ids.settled}/aging`);
    expect(JSON.parse(text)).toMatchObject({ data: [], totals: [] });
  });

  it("that are missing, another workspace's or none at all are -32002 [facts.mcp.resources]", async () => {
    const missing = crypto.randomUUID();
    const uris = [
      `receivables://invoices/${missing}`,
      `receivables://invoices/${ids.othersInvoice}`,
      "receivables://invoices/INV-77",
      `receivables://invoices/${ids.invoice}/installments`,
      `receivables://invoices/${ids.invoice}?fields=id`,
      "receivables://invoices/%E0%A4%A",
      "receivables://invoices/",
      `receivables://customers/${missing}/aging`,
      `receivables://customers/${ids.othersCustomer}/aging`,
      `receivables://customers/unassigned:${ids.invoice}/aging`,
      `receivables://customers/unassigned:${ids.othersInvoice}/aging`,
      "receivables://customers/Globex/aging",
      "receivables://secrets",
      "file:///etc/passwd",
      "",
    ];
    for (const uri of uris)
      expect(await refusal(client.readResource({ uri })), uri).toMatchObject({
        code: -32002,
        message: expect.stringMatching(
          /Resource not found\. (There is receivables:|The workspace has nothing of this id at receivables:)/,
        ),
        data: { uri },
      });
  });

  it("of the workspace are not there for a connection that may not read", async () => {
    expect(await unscoped.listResourceTemplates()).toEqual({ resourceTemplates: [] });
    const uri = `receivables://invoices/${ids.invoice}`;
    expect(await refusal(unscoped.readResource({ uri }))).toMatchObject({ code: -32002 });
    const ref = { type: "ref/resource", uri: "receivables://invoices/{invoice_id}" } as const;
    const completing = unscoped.complete({ ref, argument: { name: "invoice_id", value: "" } });
    expect(await refusal(completing)).toMatchObject({ code: -32602 });
  });

  it("are found by completion: invoices by number, customers by name [facts.mcp.completion]", async () => {
    const suggested = async (uri: string, name: string, value: string) =>
      (await client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } })).completion;
    const invoices = "receivables://invoices/{invoice_id}";
    expect(await suggested(invoices, "invoice_id", "INV-77")).toEqual({ values: [ids.invoice], hasMore: false });
    expect((await suggested(invoices, "invoice_id", "")).values).toHaveLength(3);
    expect((await suggested(invoices, "invoice_id", "INV-7")).values).toEqual([]);
    expect((await suggested(invoices, "invoice_id", ids.invoice.toUpperCase())).values).toEqual([ids.invoice]);
    for (const absent of ["00000000-0000-0000-0000-000000000000", ids.othersInvoice])
      expect((await suggested(invoices, "invoice_id", absent)).values).toEqual([]);
    const aging = "receivables://customers/{customer_key}/aging";
    expect(await suggested(aging, "customer_key", "glob")).toEqual({ values: [ids.customer], hasMore: false });
  });

  it("have one page, and cannot be watched", async () => {
    const cursor = "next";
    for (const list of [
      client.listResources({ cursor }),
      client.listResourceTemplates({ cursor }),
      client.listPrompts({ cursor }),
    ])
      expect(await refusal(list)).toMatchObject({ code: -32602 });
    expect(await refusal(client.subscribeResource({ uri: "receivables://guide" }))).toBeInstanceOf(Error);
  });
});
