import { randomUUID } from "node:crypto";
import { countTokens as tokens } from "gpt-tokenizer/encoding/o200k_base";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { AssistantActor } from "../../src/core/gate/actor.ts";
import { tools } from "../../tools/index.ts";
import type { Tool } from "../../tools/tool.ts";
import { connectionRow, customerRow, installmentRow, invoiceRow, openBook, shownOn } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { insertLinks } from "../support/emailed-links.ts";
import { furnishCollecting, integrationRow, mailedLinkRow, paymentRow } from "../support/furnish.ts";
import { multiply } from "../support/multiply.ts";
import { connectAssistant, syncRunRow, taskRow } from "../support/rows.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

/** A page stays below this number of o200k tokens (completions §10). */
const PAGE_TOKENS = 20_000;
/** More than fit on any page of 100. */
const ROWS = 120;
const NAMES = [
  "株式会社東京国際貿易ホールディングス第三営業本部御中",
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft mbH & Co. KGaA",
  "🏢🚀👩🏽‍💻 Emoji Ventures 🇧🇷🇱🇧 ".repeat(6),
  "«Общество с ограниченной ответственностью „Ромашка“»",
  "𠀋𠮷𡈽𡌛𡑮𡢽𠮟𡚴𡸴𣇄 ꧁ﷺ꧂".repeat(12),
  "qzxjkv ".repeat(40),
  "شركة الأفق للتجارة والمقاولات المحدودة",
  "\"\\\"\n'll've --- ''' !!! ".repeat(10),
];
const nameOf = (index: number): string => NAMES[index % NAMES.length] ?? "";

const LISTS = tools.filter((tool) => "pagination" in tool.output.properties);
const Page = z.looseObject({
  data: z.array(z.record(z.string(), z.unknown())),
  pagination: z.looseObject({
    next_cursor: z.string().nullable(),
    has_more: z.boolean().optional(),
    limit: z.int(),
    total_count: z.int().optional(),
  }),
});

describe.each(A_STORE)("pages of the tools on $name", ({ open }) => {
  const opened = useStore(open);
  let actor: AssistantActor;

  beforeAll(async () => {
    const book = await openBook(opened.store);
    const { tenantId, connectionId } = book;
    const indexes = Array.from({ length: ROWS }, (_, index) => index);
    const customers = indexes.map((index) =>
      customerRow(tenantId, connectionId, { name: nameOf(index), number: `${index}`, contact_name: nameOf(index + 1) }),
    );
    const invoices = customers.map((customer, index) =>
      invoiceRow(tenantId, {
        connection_id: connectionId,
        ...shownOn(customer),
        invoice_number: `${nameOf(index + 2).slice(0, 60)}${index}`,
        has_installments: true,
        collection_due_date: "2026-02-01",
      }),
    );
    const installments = invoices.map((invoice) =>
      installmentRow(tenantId, invoice.invoice_id, { due_date: "2026-02-01" }),
    );
    await book.insert({
      erp_connections: indexes.map(() => connectionRow(tenantId)),
      customers,
      invoices,
      installments,
    });
    const integration = integrationRow(tenantId);
    const links = installments.map((installment) => ({
      ...mailedLinkRow(installment, integration.payment_integration_id),
      url: `https://pay.example.test/${randomUUID()}${randomUUID()}${randomUUID()}`,
    }));
    const [first] = installments;
    if (first === undefined) throw new Error("there are installments");
    const { workflow_id } = await furnishCollecting(opened.store, first);
    await opened.store.write(tenantId, async (tx) => {
      await tx.insertInto("payment_integrations").values(integration).execute();
      await insertLinks(tx, links);
      for (const link of links)
        await tx
          .insertInto("payments")
          .values(
            paymentRow(link, { erp_push_status: "failed", erp_push_error: { code: "closed_period", erp: nameOf(5) } }),
          )
          .execute();
      for (const { invoice_id } of invoices) {
        const run = {
          status: "failed",
          error_code: "internal_error",
          error_reason: { code: "unusable", what: nameOf(2) },
        } as const;
        await tx
          .insertInto("sync_runs")
          .values(syncRunRow(tenantId, connectionId, run))
          .execute();
        await tx.insertInto("tasks").values(taskRow(tenantId, invoice_id)).execute();
      }
      await multiply(tx, "workflow_executions", {
        which: sql`workflow_id = ${workflow_id}`,
        count: ROWS,
        changes: sql`jsonb_build_object('workflow_execution_id', gen_random_uuid(), 'invoice_id', invoice_id)`,
      });
      await multiply(tx, "payment_integrations", {
        which: sql`payment_integration_id = ${integration.payment_integration_id}`,
        count: ROWS,
        changes: sql`jsonb_build_object('payment_integration_id', gen_random_uuid())`,
      });
    });
    actor = (await connectAssistant(opened.store, tenantId)).actor;
  });

  /** The rows of a list from its first page to its last, each page measured. */
  async function walked(tool: Tool, args: { limit: number; fields?: string[] }) {
    const core = testCore(opened.store);
    const rows: string[] = [];
    const pages: { rows: number; tokens: number }[] = [];
    let cursor: string | null = null;
    do {
      const given = { ...args, ...(cursor === null ? {} : { cursor }) };
      const answer = await tool.call(actor, given, { core, requestId: "req_test" });
      const { data, pagination } = Page.parse(answer);
      expect(pagination.limit).toBe(args.limit);
      if (pagination.has_more !== undefined) expect(pagination.has_more).toBe(pagination.next_cursor !== null);
      rows.push(
        ...data.map((row) =>
          JSON.stringify(row.id ?? [row.customer_key, row.currency, row.invoice_id, row.installment_id]),
        ),
      );
      pages.push({ rows: data.length, tokens: tokens(JSON.stringify(answer)) });
      cursor = pagination.next_cursor;
    } while (cursor !== null);
    return { rows, pages };
  }

  it.each(LISTS)("$name: below the budget at any limit, no row lost or twice [completions.10.pages]", async (tool) => {
    const whole = (await walked(tool, { limit: 20 })).rows;
    expect(new Set(whole).size).toBe(whole.length);
    if (tool.name !== "list_workflows") expect(whole.length).toBeGreaterThanOrEqual(ROWS);
    for (const limit of [100, 99, 60]) {
      const { rows, pages } = await walked(tool, { limit });
      expect(rows).toEqual(whole);
      for (const page of pages) expect(page.tokens).toBeLessThan(PAGE_TOKENS);
    }
  });

  it("ends a page early only where it has to, and tells so [completions.10.pages]", async () => {
    const list = (name: string): Tool => LISTS.find((tool) => tool.name === name) ?? expect.fail(name);
    const invoices = await walked(list("list_invoices"), { limit: 100 });
    expect(invoices.pages[0]?.rows).toBeLessThan(100);
    // Of a page that was cut, little more than a tenth is left, for names of many alphabets even.
    expect(invoices.pages[0]?.tokens).toBeGreaterThan(PAGE_TOKENS * 0.5);
    for (const [name, field] of [
      ["list_invoices", "collection_outstanding"],
      ["list_tasks", "state"],
    ] as const)
      expect((await walked(list(name), { limit: 100, fields: [field] })).pages.map(({ rows }) => rows)).toEqual([
        100, 20,
      ]);
  });

  it("counts the same whichever page, and leaves REST its pages [completions.10.pages]", async () => {
    const tool = LISTS.find(({ name }) => name === "list_invoices") ?? expect.fail("list_invoices");
    const core = testCore(opened.store);
    const answer = await tool.call(actor, { limit: 100, include_total: true }, { core, requestId: "req_test" });
    const { pagination } = Page.parse(answer);
    expect(pagination).toMatchObject({ limit: 100, has_more: true, total_count: ROWS });
    const operation = await import("../../src/core/invoices/operations/list-invoices.ts");
    const rest = await operation.listInvoices.call(actor, { limit: 100 }, { core, requestId: "req_test" });
    expect(rest.data).toHaveLength(100);
  });
});
