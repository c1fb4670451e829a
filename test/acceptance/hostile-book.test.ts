import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { addMember } from "../../auth/members/add-member.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { cleanText } from "../../src/core/kernel/text.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { createWorkspace } from "../../src/core/workspace/operations/create-workspace.ts";
import { customerKeyOf } from "../../src/mcp/suggestions.ts";
import { pathNames } from "../../src/rest/match.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { createFusionSimulator } from "../../src/simulators/fusion/index.ts";
import { tools } from "../../tools/index.ts";
import { type Assistant, approveByForms, callTool, connectAssistant } from "../support/assistant.ts";
import { PASSWORD } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { readCsv } from "../support/csv.ts";
import {
  faultsOf,
  HOSTILE_BOOK,
  hostile,
  liveTextsIn,
  MARKDOWN,
  MARKUP,
  ORDER,
  openHostileErp,
  UNSAFE,
} from "../support/hostile-book.ts";
import { passAsSynced } from "../support/pulls.ts";
import { SHOWN_LISTS } from "../support/receivables-pages.ts";
import { send } from "../support/rest-app.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";
import { firstSync } from "../support/sync.ts";

const PERSON = { email: "cfo@victim.example", password: PASSWORD };
/** Most that one row of a list may cost a model, in tokens. */
const ROW_TOKENS = 900;

const Rows = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });
const Aged = z.looseObject({ data: z.array(z.looseObject({ customer_key: z.string(), customer_name: z.string() })) });
const Parts = z.array(z.looseObject({ id: z.string(), collectible: z.boolean() }));
const Detail = z.looseObject({ id: z.string(), installments: Parts });
const Links = z.looseObject({ data: z.array(z.looseObject({ id: z.string(), url: z.string() })) });

const mentions = (answer: unknown): boolean => JSON.stringify(answer).includes(ORDER);

describe("a book full of orders to models, markup and characters nobody sees", () => {
  const erp = createFusionSimulator(HOSTILE_BOOK);
  let failing: Awaited<ReturnType<typeof openHostileErp>>;
  let service: RunningService;
  let assistant: Assistant;
  let client: Client;
  let key: string;
  let ids: Record<string, string>;
  let payUrl: string;
  const consent = { html: "" };

  beforeAll(async () => {
    service = await startService(A_KIND);
    failing = await openHostileErp();
    await erp.listen();
    const { core } = service;
    const named = { name: cleanText(hostile("workspace"), 200) ?? "", timezone: "UTC" };
    const given = { ...named, api_access: true, assistant_access: true };
    const { id: tenantId } = await operate(core, core.newId(), createWorkspace, given);
    await operate(core, tenantId, addMember, { ...PERSON, role: "admin" });
    const reader = { name: cleanText(hostile("key"), 100) ?? "", permission: "readonly" } as const;
    ({ key } = await operate(core, tenantId, createApiKey, reader));
    await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: ["USD"] });
    for (const url of [erp.url, failing.url]) {
      const access = { provider: "oracle_fusion", url, username: "U", password: "P" } as const;
      const { id } = await operate(core, tenantId, connectErp, access);
      if (url === erp.url) await operate(core, tenantId, setErp, { connectionId: id, paymentPushMode: "held" });
      const run = await firstSync(core, tenantId, id);
      expect(run.status).toBe(url === erp.url ? "succeeded" : "failed");
    }
    await passAsSynced(core, tenantId);
    const arrangement = { type: "payment_arrangement", minimumAmount: "1", assignee: PERSON.email } as const;
    await operate(core, tenantId, enableWorkflow, { ...arrangement, confirmed: true });
    const approve = approveByForms(service.url, PERSON);
    assistant = await connectAssistant(
      service.mcpUrl,
      async (url) => {
        const browser = new Browser(service.url);
        consent.html = (await browser.submit(await browser.open(url.href), "Sign in", PERSON)).html;
        return approve(url);
      },
      hostile("client"),
    );
    client = assistant.client;
    ids = await collect();
  });
  afterAll(async () => {
    await assistant?.close();
    await service?.close();
    await failing?.close();
    await erp.close();
  });

  /** Issues and pays a link, so that there is one of everything; ids of one of each. */
  async function collect(): Promise<Record<string, string>> {
    const hasTasks = async () => Rows.parse(await callTool(client, "list_tasks")).data.length > 0;
    await vi.waitUntil(hasTasks, { timeout: 30_000, interval: 100 });
    const invoices = Rows.parse(await callTool(client, "list_invoices", { collection_status: "open" }));
    const found = await Promise.all(
      invoices.data.map(async ({ id }) => Detail.parse(await callTool(client, "get_invoice", { invoice_id: id }))),
    );
    const isDue = ({ collectible }: { collectible: boolean }) => collectible;
    const invoice = found.find(({ installments }) => installments.every(isDue)) ?? expect.fail("none is due");
    const links = invoice.installments.map(({ id }) => ({ invoice_id: invoice.id, installment_id: id }));
    const made = Links.parse(await callTool(client, "create_payment_links", { links, idempotency_key: "hostile" }));
    payUrl = made.data[0]?.url ?? "";
    const browser = new Browser(service.url);
    expect((await browser.submit(await browser.open(payUrl), "Pay")).text).toContain("Paid");
    const aged = Aged.parse(await callTool(client, "list_customer_aging"));
    const firstOf = async (tool: string) => Rows.parse(await callTool(client, tool)).data[0]?.id ?? "";
    return {
      ...{ payment_id: await firstOf("list_payments"), task_id: await firstOf("list_tasks") },
      ...{ connection_id: await firstOf("list_erp_connections"), workflow_id: await firstOf("list_workflows") },
      invoice_id: invoice.id,
      payment_link_id: made.data[1]?.id ?? "",
      sync_run_id: await firstOf("list_sync_runs"),
      customer_key: aged.data.find(({ customer_name }) => customer_name.includes(ORDER))?.customer_key ?? "",
    };
  }

  const argumentsOf = (names: readonly string[] = []) => Object.fromEntries(names.map((name) => [name, ids[name]]));
  const reads = tools.filter(({ annotations }) => annotations.readOnlyHint);

  it("came through the connector and the store", async () => {
    expect(faultsOf({ "a name": [hostile("anything")] })).toHaveLength(2);
    const seen = await Promise.all(reads.map((tool) => callTool(client, tool.name, argumentsOf(tool.input.required))));
    const naming = reads.filter((_, index) => mentions(seen[index])).map(({ name }) => name);
    const lists = ["list_invoices", "list_tasks", "list_payment_links", "list_customer_aging"];
    expect(naming).toEqual(expect.arrayContaining(["get_context", "get_invoice", ...lists]));
  });

  it.each(reads)(
    "reaches a model through $name as field values, visible and short [facts.mcp.outside-text]",
    async (tool) => {
      const args = argumentsOf(tool.input.required);
      const answer = await callTool(client, tool.name, args);
      expect(faultsOf(answer)).toEqual([]);
      const { data: rows } = z.looseObject({ data: z.array(z.unknown()).optional() }).parse(answer);
      for (const row of rows ?? []) expect(countTokens(JSON.stringify(row))).toBeLessThan(ROW_TOKENS);
    },
  );

  it("is no link, image or markup to a chat that shows text as Markdown [facts.mcp.inert-text]", async () => {
    const calls = reads.map((tool) =>
      client.callTool({ name: tool.name, arguments: argumentsOf(tool.input.required) }),
    );
    const refused = client.callTool({ name: "get_invoice", arguments: { invoice_id: MARKDOWN } });
    const resource = client.readResource({ uri: `receivables://invoices/${ids.invoice_id}` });
    const found = (await Promise.all([...calls, refused, resource])).flatMap(liveTextsIn);
    // Nothing but the service's own payment links is left.
    expect(found.filter((one) => !one.startsWith(`${service.url}/`))).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  });

  it("is in no error, whatever it is that fails [facts.mcp.outside-text]", async () => {
    const runs = await callTool(client, "list_sync_runs", { status: "failed" });
    expect(runs).toMatchObject({ data: [{ error: { code: "erp_rejected" } }] });
    expect(mentions(runs)).toBe(false);
    const words = hostile("argument").slice(0, 90);
    const calls = [
      client.callTool({ name: words, arguments: {} }),
      client.getPrompt({ name: words }),
      client.getPrompt({ name: "aging_review", arguments: { bucket: words } }),
      client.getPrompt({ name: "aging_review", arguments: { [words]: "x" } }),
      client.complete({ ref: { type: "ref/prompt", name: words }, argument: { name: words, value: words } }),
    ];
    for (const said of await Promise.all(calls.map((call) => call.catch((error: unknown) => String(error)))))
      expect(mentions(said)).toBe(false);
  });

  it("is shown back to whoever gave it as an argument alone, in quotes, cleaned and cut [facts.mcp.outside-text]", async () => {
    const words = `${hostile("argument")}\u202e\u0000`;
    const given = { get_invoice: { invoice_id: words }, list_invoices: { currency: words, search_text: words } };
    for (const [name, args] of Object.entries(given)) {
      const said = await client.callTool({ name, arguments: args });
      const quoted = [...JSON.stringify(said.content).matchAll(/not \\\\\\"(.*?)\\\\\\"/g)].map(
        ([, text = ""]) => text,
      );
      expect(quoted.length).toBeGreaterThan(0);
      for (const text of quoted) expect(text.length).toBeLessThan(80);
      const around = quoted.reduce((left, text) => left.replace(text, ""), JSON.stringify(said.content));
      expect(mentions(around)).toBe(false);
      expect(around).not.toContain("\u202e");
    }
  });

  it("is in nothing that says what the server offers [facts.mcp.outside-text]", async () => {
    const offered = [
      await client.listTools(),
      await client.listPrompts(),
      await client.listResources(),
      await client.listResourceTemplates(),
      client.getInstructions(),
      client.getServerVersion(),
    ];
    expect(mentions(offered)).toBe(false);
  });

  it("is in no prompt: what a person chose by a hostile name is a key there [facts.mcp.outside-text]", async () => {
    const ref = { type: "ref/prompt", name: "customer_statement" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "customer", value: ORDER.toUpperCase() } });
    // Some of the book's invoices name a party, one its account number alone: two customers of one name.
    const keys = completion.values.map((value) => customerKeyOf(value) ?? "");
    expect(new Set(keys).size).toBe(2);
    expect(keys).toContain(ids.customer_key);
    expect(faultsOf(completion.values)).toEqual([]);
    for (const value of completion.values) {
      expect(value.length).toBeLessThan(120);
      const prompt = await client.getPrompt({ name: "customer_statement", arguments: { customer: value } });
      expect(mentions(prompt)).toBe(false);
      expect(JSON.stringify(prompt)).toContain(customerKeyOf(value));
    }
  });

  it("reaches a model through resources as field values, visible and short [facts.mcp.outside-text]", async () => {
    const uris = [
      `receivables://invoices/${ids.invoice_id}`,
      `receivables://customers/${encodeURIComponent(ids.customer_key ?? "")}/aging`,
    ];
    for (const uri of uris) {
      const [content] = (await client.readResource({ uri })).contents;
      const read: unknown = JSON.parse(content !== undefined && "text" in content ? content.text : "");
      expect(mentions(read)).toBe(true);
      expect(faultsOf(read)).toEqual([]);
    }
  });

  it.each(ROUTES.filter(({ method }) => method === "GET").map(({ path }) => path))(
    "reaches a system through GET %s as field values, visible and short [facts.mcp.outside-text]",
    async (path) => {
      const idOf = (name: string) => ids[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] ?? "";
      const filled = pathNames(path).reduce((text, name) => text.replace(`{${name}}`, idOf(name)), path);
      const { status, body } = await send(`${service.url}${filled}`, { key });
      expect(status).toBe(200);
      expect(faultsOf(body)).toEqual([]);
    },
  );

  it("is shown to people as the letters it is made of [facts.mcp.outside-text]", async () => {
    const browser = new Browser(service.url);
    const start = await browser.submit(await browser.open("/signin"), "Sign in", PERSON);
    const pages = [consent.html, start.html, (await new Browser(service.url).open(payUrl)).html];
    const lists = SHOWN_LISTS.map(({ path }) => path);
    for (const path of ["/", "/connections", "/api-keys", "/integrations", "/audit", "/members", ...lists])
      pages.push((await browser.open(path)).html);
    const linked = pages.flatMap((page) => [...page.matchAll(/href="(\/(?:invoices|customers)\/[^"?]+)/g)]);
    const things = [...new Set(linked.map(([, path = ""]) => path))];
    expect(things.length).toBeGreaterThan(4);
    for (const path of things) pages.push((await browser.open(path)).html);
    pages.push((await browser.open(`/customers/${encodeURIComponent(ids.customer_key ?? "")}/statement`)).html);
    expect(pages.filter((page) => page.includes(ORDER)).length).toBeGreaterThan(4);
    for (const page of pages) {
      expect(page).not.toContain(MARKUP.slice(0, 40));
      expect(page).not.toMatch(/<script(?! src="\/assets\/)|<img|onerror=(?!alert\(1\)&gt;)/i);
      expect(page.replace(/\s/g, "")).not.toMatch(UNSAFE);
      expect(page.length).toBeLessThan(100_000);
    }
    for (const path of lists) {
      const file = (await browser.open(`${path}.csv`)).html.replace(/^\uFEFF/, "");
      expect(file.replace(/\s/g, ""), path).not.toMatch(UNSAFE);
      expect(readCsv(file).rows.length, path).toBeGreaterThan(0);
    }
  });
});
