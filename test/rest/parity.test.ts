import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { AssistantActor } from "../../src/core/gate/actor.ts";
import { mcpMethods } from "../../src/mcp/server.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { tools } from "../../tools/index.ts";
import { rpc, send as rpcSend, startEndpoint } from "../mcp/support.ts";
import { type Book, connectionRow, openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { furnishAll } from "../support/furnish.ts";
import { errorOf, newKey, openRestApp, type RestApp, send } from "../support/rest-app.ts";
import { connectAssistant, syncRunRow } from "../support/rows.ts";
import { addRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";
import { type Arguments, READS } from "./reads.ts";

const CallResult = z.object({
  result: z.object({
    isError: z.boolean().optional(),
    structuredContent: z.unknown().optional(),
    content: z.array(z.object({ type: z.literal("text"), text: z.string() })).length(1),
  }),
});
/** Lists whose rows REST reads one by one. */
const SINGLE = ["/v1/erp-connections", "/v1/payments", "/v1/tasks", "/v1/workflows"];

const Rows = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });
const Page = z.looseObject({ pagination: z.looseObject({ next_cursor: z.string() }) });

/** The same body without what only those who poll are told. */
const asAssistantsRead = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value) => (name === "pagination" ? { ...value, as_of: undefined } : value)));

describe.each(A_STORE)("both routes on $name", ({ open }) => {
  const opened = useStore(open);
  const core = testCore(opened.store);
  let rest: RestApp;
  let mcp: Awaited<ReturnType<typeof startEndpoint>>;
  let key: string;
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const book = await openBook(opened.store);
    ids = await furnish(book);
    const { actor } = await connectAssistant(opened.store, book.tenantId);
    rest = await openRestApp(core, { limited: false });
    mcp = await startAssistantRoute(actor);
    key = await newKey(core, book.tenantId, "readonly");
  });
  afterAll(async () => {
    await mcp.close();
    await rest.close();
  });

  async function furnish(book: Book) {
    const { tenantId, connectionId } = book;
    const customer = await book.customer({ name: "Globex" });
    await book.insert({ erp_connections: [connectionRow(tenantId)] });
    const { installments } = await book.invoice(
      { customer, invoice_number: "A 1/%é", collection_due_date: "2026-01-15" },
      [{ due_date: "2026-01-15" }, { due_date: "2025-10-01" }],
    );
    const [installment] = installments;
    await book.invoice({ customer, currency: "EUR" }, [{ due_date: "2026-04-15" }]);
    await book.invoice({ origin: "local", due_date: "2026-01-15", collection_status: "inactive" });
    const failed = { status: "failed", error_code: "erp_rejected", error_reason: { code: "not_permitted" } } as const;
    await addRows(opened.store, tenantId, { sync_runs: syncRunRow(tenantId, connectionId, failed) });
    return { ...(await furnishAll(opened.store, book, installment)), customer_id: customer.customer_id };
  }

  function startAssistantRoute(actor: AssistantActor) {
    return startEndpoint(
      mcpMethods({
        serverInfo: { name: "parity", version: "1.0.0" },
        instructions: "",
        tools,
        log: core.log,
        call: (tool, caller, args, request) => tool.call(caller.actor, args, { core, ...request }),
      }),
      { authenticate: async () => ({ key: actor.connectionId, actor }) },
    );
  }

  const resolved = (args: Arguments): Arguments =>
    Object.fromEntries(Object.entries(args).map(([name, value]) => [name, ids[String(value).slice(1, -1)] ?? value]));

  async function overRest(path: string, args: Arguments) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(args)) if (!path.includes(`{${name}}`)) query.set(name, String(value));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(args[name]));
    return send(`${rest.url}${filled}?${query}`, { key });
  }

  async function overMcp(tool: string, args: Arguments) {
    const answer = await rpcSend(mcp.url, { body: rpc(1, "tools/call", { name: tool, arguments: args }) });
    const { result } = CallResult.parse(answer.json());
    return { isError: result.isError === true, data: result.structuredContent, text: result.content[0]?.text ?? "" };
  }

  it("have the same reads", () => {
    const declared = ROUTES.filter(({ method }) => method === "GET").map(({ path }) =>
      path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    // /v1/me tells of a key and get_context of a person: each is for its own route. Single rows are in lists too.
    const single = SINGLE.map((path) => new RegExp(`^${path}/\\{[a-z_]+\\}$`));
    const shared = declared.filter((path) => path !== "/v1/me" && !single.some((one) => one.test(path)));
    expect(declared.length - shared.length).toBe(SINGLE.length + 1);
    expect(READS.map(({ path }) => path).sort()).toEqual(shared.sort());
    expect(READS.map(({ tool }) => tool).sort()).toEqual(
      tools
        .filter((tool) => !tool.admin && tool.name !== "get_context")
        .map((tool) => tool.name)
        .sort(),
    );
  });

  const calls = READS.flatMap(({ args, ...read }) => args.map((given) => ({ ...read, given })));

  it.each(calls)("$tool answers $given as $path does [service.1.routes]", async ({ tool, path, given }) => {
    const args = resolved(given);
    const [system, assistant] = [await overRest(path, args), await overMcp(tool, args)];
    expect({ status: system.status, isError: assistant.isError }).toEqual({ status: 200, isError: false });
    expect(assistant.data).toEqual(asAssistantsRead(system.body));
    expect(JSON.parse(assistant.text)).toEqual(assistant.data);
  });

  it.each(calls)("$tool takes $given as hosts write it, and $path does not [completions.3.sent]", async (call) => {
    const args = resolved(call.given);
    const properties = tools.find(({ name }) => name === call.tool)?.input.properties ?? {};
    const left = Object.keys(properties).filter((name) => args[name] === undefined);
    const sent = Object.entries(args).map(([name, value]) => [name, `${value}`]);
    for (const empty of [null, ""]) {
      const filled = Object.fromEntries([...left.map((name) => [name, empty]), ...sent]);
      expect((await overMcp(call.tool, filled)).data).toEqual(asAssistantsRead((await overRest(call.path, args)).body));
    }
    if (left.includes("limit")) expect((await overRest(call.path, { ...args, limit: "" })).status).toBe(400);
  });

  it.each(SINGLE)("%s/{id} is the row of the list, or not found [completions.13.single-reads]", async (path) => {
    const [row] = Rows.parse((await overRest(path, {})).body).data;
    expect((await overRest(`${path}/${row?.id}`, {})).body).toEqual(row);
    const missing = await overRest(`${path}/${randomUUID()}`, {});
    expect([missing.status, errorOf(missing.body).code]).toEqual([404, "not_found"]);
  });

  it("go on with each other's cursors", async () => {
    for (const { tool, path } of READS.filter((read) => /^list_/.test(read.tool) && read.tool !== "list_tasks")) {
      const first = Page.parse((await overRest(path, { limit: 1 })).body);
      const next = { limit: 1, cursor: first.pagination.next_cursor };
      expect((await overMcp(tool, next)).data, tool).toEqual(asAssistantsRead((await overRest(path, next)).body));
    }
  });

  it.each([
    ["get_invoice", "/v1/invoices/{invoice_id}", { invoice_id: randomUUID() }],
    ["get_sync_run", "/v1/sync-runs/{sync_run_id}", { sync_run_id: randomUUID() }],
    ["list_invoices", "/v1/invoices", { cursor: "bogus" }],
    ["list_invoices", "/v1/invoices", { limit: 101, order: "up" }],
    ["list_customer_aging", "/v1/aging/customers", { cursor: "bogus" }],
    ["summarize_aging", "/v1/aging/summary", { currency: "usd", nothing: "x" }],
  ])("%s refuses as %s does %j [service.1.routes]", async (tool, path, args) => {
    const [system, assistant] = [await overRest(path, args), await overMcp(tool, args)];
    const { request_id: _one, ...refused } = errorOf(system.body);
    const { request_id: _other, ...told } = errorOf(JSON.parse(assistant.text));
    expect(assistant.isError).toBe(true);
    expect({ code: told.code, fields: told.details?.map((detail) => detail.field).sort() }).toEqual({
      code: refused.code,
      fields: refused.details?.map((detail) => detail.field).sort(),
    });
  });
});
