import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { SCOPES } from "../../src/core/gate/actor.ts";
import { keptViews, readViews, type Views } from "../../src/mcp/views/documents.ts";
import { VIEW_MIME_TYPE, VIEWS_EXTENSION } from "../../src/mcp/views/session.ts";
import { tools } from "../../tools/index.ts";
import { VIEWS } from "../../tools/views.ts";
import { openAssistantRoute } from "../mcp/receivables.ts";
import { memoryLog, send } from "../mcp/support.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { connectAssistant } from "../support/rows.ts";
import { openAStore } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

/** Most bytes of a view. */
const MOST_BYTES = 60 * 1024;

const Listed = z.object({
  tools: z.array(
    z.object({ name: z.string(), _meta: z.object({ ui: z.object({ resourceUri: z.string() }) }).optional() }),
  ),
});

const opened = useStore(openAStore);
let route: Awaited<ReturnType<typeof openAssistantRoute>>;
/** The same service with the views taken out. */
let plain: Awaited<ReturnType<typeof openAssistantRoute>>;
let ids: Record<string, string>;
let tenantId: string;
let token: string;

beforeAll(async () => {
  const core = testCore(opened.store);
  route = await openAssistantRoute(core);
  const without = tools.map(({ view: _, ...tool }) => tool);
  plain = await openAssistantRoute(core, { tools: without, views: async () => new Map() });
  const book = await openBook(opened.store);
  tenantId = book.tenantId;
  const { invoice } = await book.invoice({ customer: await book.customer() }, [{ due_date: "2026-01-15" }]);
  ids = {
    invoice_id: invoice.invoice_id,
    payment_link_id: book.tenantId,
    sync_run_id: book.tenantId,
    task_id: book.tenantId,
  };
  const { actor } = await connectAssistant(opened.store, tenantId, { role: "admin", scopes: SCOPES });
  // Connecting makes both routes know the bearer token.
  for (const one of [route, plain]) await one.as(actor);
  token = `Bearer ${actor.connectionId}-0`;
});
afterAll(async () => {
  await route?.close();
  await plain?.close();
});

const ask = (url: string, method: string, params?: object, headers: Record<string, string> = {}) =>
  send(url, { body: { jsonrpc: "2.0", id: 1, method, params }, headers: { authorization: token, ...headers } });

const initialize = (url: string, capabilities: object) =>
  ask(url, "initialize", { protocolVersion: "2025-06-18", capabilities, clientInfo: { name: "test", version: "1" } });

const ANNOUNCED = { extensions: { [VIEWS_EXTENSION]: { mimeTypes: [VIEW_MIME_TYPE] } } };

describe("a client that announces no views", () => {
  const calls = (): [method: string, params: object][] => [
    ...tools.map(({ name, input }): [string, object] => {
      const given = Object.fromEntries((input.required ?? []).map((field) => [field, ids[field] ?? "x"]));
      return ["tools/call", { name, arguments: given }];
    }),
    ...["tools/list", "resources/list", "resources/templates/list", "prompts/list"].map((method): [string, object] => [
      method,
      {},
    ]),
  ];

  it("gets the same bytes as with the views taken out, from all tools and lists [facts.views.plain]", async () => {
    expect(tools.length).toBe(22);
    const [view] = (await readViews()).values();
    for (const [method, params] of [...calls(), ["resources/read", { uri: view?.uri }] as const]) {
      const [one, other] = [await ask(route.url, method, params), await ask(plain.url, method, params)];
      expect(one.text, JSON.stringify(params)).toBe(other.text);
      expect(one.headers["mcp-session-id"]).toBeUndefined();
      expect(one.text).not.toContain("resourceUri");
    }
  });

  it.each([
    {},
    { extensions: {} },
    { extensions: { [VIEWS_EXTENSION]: {} } },
    { extensions: { [VIEWS_EXTENSION]: { mimeTypes: ["text/html"] } } },
  ])("is answered as ever: %j [facts.views.plain]", async (capabilities) => {
    const [one, other] = [await initialize(route.url, capabilities), await initialize(plain.url, {})];
    expect(one.text).toBe(other.text);
    expect(one.headers["mcp-session-id"]).toBeUndefined();
  });

  it("has no views by a session of another server [facts.views.plain]", async () => {
    const list = await ask(route.url, "tools/list", {}, { "mcp-session-id": "b1a9c7d2" });
    expect(list.text).toBe((await ask(plain.url, "tools/list", {})).text);
  });
});

describe("a client that announces views", () => {
  const sessionOf = async (url: string): Promise<Record<string, string>> => {
    const { headers, text } = await initialize(url, ANNOUNCED);
    expect(JSON.parse(text).result.capabilities.extensions).toEqual({ [VIEWS_EXTENSION]: {} });
    const id = headers["mcp-session-id"];
    if (typeof id !== "string") throw new Error("no session");
    return { "mcp-session-id": id };
  };

  it("sees four views, at the tools that name them, from any process [facts.views.announced]", async () => {
    const session = await sessionOf(route.url);
    expect(session).not.toEqual(await sessionOf(route.url));
    const another = await openAssistantRoute(testCore(opened.store));
    const { actor } = await connectAssistant(opened.store, tenantId, { role: "admin", scopes: SCOPES });
    await another.as(actor);
    const bearer = { authorization: `Bearer ${actor.connectionId}-0` };
    const lists = [
      await ask(route.url, "tools/list", {}, session),
      await ask(another.url, "tools/list", {}, { ...session, ...bearer }),
    ];
    await another.close();
    expect(lists[0]?.text).toBe(lists[1]?.text);
    const listed = Listed.parse(JSON.parse(lists[0]?.text ?? "").result).tools;
    const shown = Object.fromEntries(
      listed.flatMap(({ name, _meta }) =>
        _meta ? [[name, _meta.ui.resourceUri.split("/").at(-1)?.split(".")[0]]] : [],
      ),
    );
    expect(shown).toEqual({
      list_invoices: "worklist",
      list_payments: "statement",
      summarize_aging: "aging",
      list_customer_aging: "aging",
      list_installment_aging: "aging",
      create_payment_links: "confirm",
      deactivate_payment_link: "confirm",
      push_held_payments: "confirm",
    });
  });

  it("reads them: small, under a policy that names no address, at an address with their hash [facts.views.document]", async () => {
    const session = await sessionOf(route.url);
    const { resources } = JSON.parse((await ask(route.url, "resources/list", {}, session)).text).result;
    const views = resources.filter(({ mimeType }: { mimeType: string }) => mimeType === VIEW_MIME_TYPE);
    expect(views.map(({ name }: { name: string }) => name)).toEqual(Object.keys(VIEWS).map((name) => `${name}_view`));
    for (const { uri, size } of views) {
      const [content] = JSON.parse((await ask(route.url, "resources/read", { uri }, session)).text).result.contents;
      const { text: html, mimeType, _meta } = content;
      expect(mimeType).toBe(VIEW_MIME_TYPE);
      expect(_meta).toEqual({ ui: { csp: {}, permissions: { clipboardWrite: {} }, prefersBorder: true } });
      expect(Buffer.byteLength(html)).toBe(size);
      expect(size).toBeLessThanOrEqual(MOST_BYTES);
      const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1];
      expect(policy).toMatch(
        /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'$/,
      );
      expect(html.replaceAll("http-equiv", "")).not.toMatch(/https?:|\/\/[a-z]|\son\w+=|innerHTML|\beval\b/i);
      expect(uri).toContain(createHash("sha256").update(html).digest("hex").slice(0, 12));
      // A client's list of tools may be older than the process.
      const older = await ask(
        route.url,
        "resources/read",
        { uri: uri.replace(/\.[0-9a-f]{12}\./, ".0123456789ab.") },
        session,
      );
      expect(JSON.parse(older.text).result.contents[0].text).toBe(html);
    }
    const unknown = await ask(
      route.url,
      "resources/read",
      { uri: "ui://receivables/other.0123456789ab.html" },
      session,
    );
    expect(JSON.parse(unknown.text).error.code).toBe(-32002);
  });

  it("sees no view of what its person cannot do [facts.views.member]", async () => {
    const { actor } = await connectAssistant(opened.store, tenantId, { role: "member", scopes: SCOPES });
    const client = await route.as(actor, { showsViews: true });
    const uris = (await client.listTools()).tools.map(({ _meta }) => JSON.stringify(_meta ?? ""));
    expect(uris.filter((uri) => uri.includes("confirm"))).toEqual([]);
    expect(uris.filter((uri) => uri.includes("ui://")).length).toBe(5);
  });

  it("gets the tools without views where those cannot be read, and views again once they can [facts.views.outage]", async () => {
    const { log, errors } = memoryLog();
    let reads = 0;
    const failing: Views = async () => {
      reads += 1;
      if (reads === 1) throw new Error("no process");
      return readViews();
    };
    const views = keptViews(log, failing);
    const weak = await openAssistantRoute(testCore(opened.store), { views });
    const { actor } = await connectAssistant(opened.store, tenantId);
    const client = await weak.as(actor, { showsViews: true });
    const shown = async () => JSON.stringify(await client.listTools()).includes("ui://");
    expect(await shown()).toBe(false);
    expect(errors.map(({ message }) => message)).toEqual(["mcp.views_failed"]);
    expect([await shown(), await shown(), reads]).toEqual([true, true, 2]);
    await weak.close();
  });
});
